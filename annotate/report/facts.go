package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// Facts is what reports are made of. Lookups give eval.ErrNotFound for what
// is not there. What an iterator yields is the caller's to keep.
type Facts interface {
	Datasets() ([]eval.Dataset, error)
	Runs() ([]eval.Run, error)
	// Questions yields every sample of the run's dataset in the order of
	// ordinals, each with the run's predictions in the order of passes.
	Questions(context.Context, eval.Run) iter.Seq2[eval.Question, error]
	// Judgments yields those of one judge on one prediction in the order in which they were recorded.
	Judgments(context.Context, eval.RunID) iter.Seq2[eval.Judgment, error]
	Queue(annotate.QueueName) (annotate.Queue, error)
	Queues() ([]annotate.Queue, error)
	QueueItems(context.Context, annotate.QueueName) iter.Seq2[annotate.QueueItem, error]
	// GoldItems gives the items of a queue whose answer is known. It is asked only
	// of queues that have some.
	GoldItems(annotate.QueueName) ([]annotate.Gold, error)
	// QueueActs yields the acts of every annotator; those of one annotator in the order of their numbers.
	QueueActs(context.Context, annotate.QueueName) iter.Seq2[annotate.Act, error]
	Prediction(eval.Key) (eval.Prediction, error)
	Sample(eval.DatasetName, eval.Ordinal) (eval.Sample, error)
	SavedReports(annotate.QueueName) ([]annotate.SavedReport, error)
	// Heads gives where the chain of acts of each person stands, by name.
	Heads() ([]annotate.Head, error)
	// ExternalScores yields the scores measured elsewhere that stand, by benchmark, model and metric.
	ExternalScores(context.Context) iter.Seq2[eval.ExternalScore, error]
}

// Readings are facts that keep what rule sets read in columns.
type Readings interface {
	// Readings yields what Questions does, read by rule sets, and without texts
	// and judgments where it is read out of columns.
	Readings(context.Context, eval.Run, ...eval.Reader) iter.Seq2[eval.Question, error]
	// AssignCluster gives a sample of these, on which there is a label, the cluster that Facts.Sample would.
	AssignCluster(eval.DatasetName, *eval.Sample)
}

// ReadQuestions yields the questions of a run for figures that need no text beyond what rule sets read.
func ReadQuestions(ctx context.Context, facts Facts, run eval.Run, rules ...eval.Reader) Questions {
	if c, ok := facts.(Readings); ok {
		return c.Readings(ctx, run, rules...)
	}
	return facts.Questions(ctx, run)
}

// ReadQuestionsByOwnRules yields the questions of a run, of which the figures need no text, as the rules read them by
// which the options have it read.
func ReadQuestionsByOwnRules(ctx context.Context, facts Facts, run eval.Run, o *Options) Questions {
	if r, err := o.findRulesOfRun(run); err == nil {
		return ReadQuestions(ctx, facts, run, r)
	}
	return facts.Questions(ctx, run)
}

// RunsByID are all runs by their numbers.
func RunsByID(facts interface{ Runs() ([]eval.Run, error) }) (map[eval.RunID]eval.Run, error) {
	runs, err := facts.Runs()
	return eval.IndexBy(runs, func(r eval.Run) (eval.RunID, eval.Run) { return r.ID, r }), eval.WrapError(err, "list runs")
}

// UnrotatedResponse is what the run said to the question as written.
func UnrotatedResponse(q *eval.Question) (string, bool) {
	for i := range q.Predictions {
		if p := &q.Predictions[i]; p.Pass == 0 && p.Failure == nil {
			return p.Text, true
		}
	}
	return "", false
}

// VoteFacts is what reports over votes are made of.
type VoteFacts interface {
	Facts
	ProvenanceFacts
	// SettingsByHash is what a judge's settings are, as a JSON object, by their hash; nil
	// where they are not known.
	SettingsByHash(hash string) ([]byte, error)
	// PeoplesVotes are those that stand on the pairs of a dataset, in every queue.
	PeoplesVotes(context.Context, eval.DatasetName) ([]annotate.PersonVote, error)
	// CriteriaSets yields the sets of samples on which anybody has acted.
	CriteriaSets(context.Context, eval.DatasetName) iter.Seq2[criteria.Set, error]
}

// Tried reads what judges say beside readings, that of candidates too: prompts that are
// tried, which other facts leave out.
type Tried struct {
	Votes  func(context.Context) ([]eval.ComparisonProgress, error)
	Scores func(context.Context, eval.RunID) iter.Seq2[eval.Score, error]
	Grades func(context.Context, eval.RunID) iter.Seq2[eval.Grade, error]
}

// ReadDiscardedSamples reads the samples of a dataset that curators discarded: they are
// no questions of it any more.
func ReadDiscardedSamples(ctx context.Context, facts VoteFacts, on eval.DatasetName) (map[eval.Ordinal]bool, error) {
	out := make(map[eval.Ordinal]bool)
	err := eval.ForEachRead(facts.CriteriaSets(ctx, on), func(set criteria.Set) {
		if set.Removed != nil {
			out[set.Sample] = true
		}
	})
	return out, eval.WrapError(err, "read criteria")
}

// ReadStandingVotes reads those of a comparison by the pair as it was shown: of several
// on one the last that reads.
func ReadStandingVotes(ctx context.Context, facts VoteFacts, c eval.Comparison) (map[eval.Pair]*eval.Preference, error) {
	out := make(map[eval.Pair]*eval.Preference)
	err := eval.ForEachRead(facts.Votes(ctx, c), func(v eval.Preference) {
		pair := eval.Pair{Sample: v.Sample, First: v.First, Second: v.Second}
		if old := out[pair]; old == nil || v.HasReply() || !old.HasReply() {
			out[pair] = &v
		}
	})
	return out, eval.WrapError(err, "read votes")
}

// Questions are those of a run, in the order of its dataset, or why they end.
type Questions = iter.Seq2[eval.Question, error]

// Judgments is what judges read in a run, as far as it is kept. Of several judgments of one judge on
// one prediction the last one that reads counts, by sequence and not by time.
type Judgments[T any] struct {
	names  []string // of all that were asked, also of those that never replied
	ByKey  map[string]map[eval.Key]T
	failed map[string]map[eval.Key]bool // calls that failed; a reading may stand beside one. True: it is made again
}

// ReadJudgments reads the judgments of a run, and those of candidates, prompts that are
// tried, where they are wanted.
func ReadJudgments[T any](ctx context.Context, facts Facts, run eval.RunID, candidates bool, keep func(*eval.Judgment) T) (*Judgments[T], error) {
	js := &Judgments[T]{ByKey: make(map[string]map[eval.Key]T), failed: make(map[string]map[eval.Key]bool)}
	wanted := func(j *eval.Judgment) bool { return candidates || eval.JudgeOfCandidate(j.Judge) == "" }
	err := eval.ForEachRead(eval.Filter(facts.Judgments(ctx, run), wanted), func(j eval.Judgment) {
		if js.ByKey[j.Judge] == nil && js.failed[j.Judge] == nil {
			js.names = append(js.names, j.Judge)
		}
		if j.HasReply() {
			putUnderJudge(js.ByKey, &j, keep(&j))
		} else {
			putUnderJudge(js.failed, &j, !j.IsFinal())
		}
	})
	slices.Sort(js.names)
	return js, eval.WrapError(err, "read judgments of run %d", run)
}

func putUnderJudge[T any](m map[string]map[eval.Key]T, j *eval.Judgment, v T) {
	eval.GetOrAdd(m, j.Judge, func() map[eval.Key]T { return make(map[eval.Key]T) })[j.Key] = v
}

// extractionOf is all of a judgment that figures of a run need.
func extractionOf(j *eval.Judgment) eval.Extraction { return j.Extraction }

// CompareKeys orders predictions by run, sample and pass.
func CompareKeys(a, b eval.Key) int {
	return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Sample, b.Sample), cmp.Compare(a.Pass, b.Pass))
}

// ReadKnownAnswers reads the items of a queue whose answer is known, with it.
func ReadKnownAnswers(facts Facts, q *annotate.Queue) (map[annotate.ItemKey]annotate.Reading, error) {
	if q.GoldItems == 0 {
		return nil, nil
	}
	all, err := facts.GoldItems(q.Name)
	return eval.IndexBy(all, func(g annotate.Gold) (annotate.ItemKey, annotate.Reading) { return g.Key, g.Reading }), eval.WrapError(err, "read known answers of queue %s", q.Name)
}

// IsAddedGold reports whether an item was not drawn, but added since its answer is
// known: it stands for nothing but itself, and enters no figure.
func IsAddedGold(golds map[annotate.ItemKey]annotate.Reading, it *annotate.QueueItem) bool {
	_, known := golds[it.Key]
	return known && it.Inclusion == 0
}

// countGoldHits counts how everybody together did on the items of a queue whose answer is known.
func countGoldHits(ctx context.Context, facts Facts, q *annotate.Queue, golds map[annotate.ItemKey]annotate.Reading) (out stat.Count, err error) {
	if len(golds) == 0 {
		return out, nil
	}
	acts, err := ReadActs(ctx, facts, q.Name)
	for _, own := range acts {
		out.Merge(annotate.CountGoldHits(own, golds))
	}
	return out, err
}

// ReadAddedItems reads the items that were added to a queue since their answer is known.
func ReadAddedItems(ctx context.Context, facts Facts, q *annotate.Queue) (map[annotate.ItemKey]bool, error) {
	golds, err := ReadKnownAnswers(facts, q)
	if err != nil || len(golds) == 0 {
		return nil, err
	}
	out := make(map[annotate.ItemKey]bool)
	err = eval.ForEachRead(facts.QueueItems(ctx, q.Name), func(it annotate.QueueItem) {
		if IsAddedGold(golds, &it) {
			out[it.Key] = true
		}
	})
	return out, eval.WrapError(err, "read items of queue %s", q.Name)
}

// DescribeAddedItems says what in a queue was not drawn, and how many people its items were given to.
func DescribeAddedItems(q *annotate.Queue, added int) []string {
	var notes []string
	if q.GoldItems > 0 {
		notes = append(notes, fmt.Sprintf("Everybody labels the items whose answer is known (%s). Of these, drawn and counted as others are: %s; added, and left out as %q: %s.",
			table.FormatGrouped(q.GoldItems), table.FormatGrouped(q.GoldItems-added), annotate.LeftGold, table.FormatGrouped(added)))
	}
	if q.Extra > 0 {
		notes = append(notes, fmt.Sprintf("Items on which the first %d people did not all say the same were given to up to %d more, without their knowing: what people say of an item is from all their labels, and a person's own rates are over more such items the more they were asked for. Some items on which they all said the same were given to as many more, so that being asked tells nothing: what these say of them is left out of everything.", q.WantedLabelsIfAgreed(), q.Extra))
	}
	return notes
}

// ReadActs reads everybody's acts in a queue.
func ReadActs(ctx context.Context, facts Facts, name annotate.QueueName) (map[annotate.Annotator][]annotate.Act, error) {
	acts := make(map[annotate.Annotator][]annotate.Act)
	err := eval.ForEachRead(facts.QueueActs(ctx, name), func(a annotate.Act) {
		acts[a.Annotator] = append(acts[a.Annotator], a)
	})
	return acts, eval.WrapError(err, "read acts on queue %s", name)
}

// ReadStates derives what stands of each annotator's acts in a queue.
func ReadStates(ctx context.Context, facts Facts, name annotate.QueueName) (map[annotate.Annotator]annotate.State, error) {
	acts, err := ReadActs(ctx, facts, name)
	return annotate.FoldStates(acts), err
}

// StandingLabels is what stands of people's acts in a queue.
type StandingLabels struct {
	States  map[annotate.Annotator]annotate.State
	ByItem  map[annotate.ItemKey][]annotate.Label  // in the order of annotators
	Rulings map[annotate.ItemKey][]annotate.Ruling // in the order of adjudicators

	Excluded map[annotate.ItemKey]bool
}

// ReadStandingLabels derives the labels and rulings that stand from the acts of each annotator.
func ReadStandingLabels(ctx context.Context, facts Facts, name annotate.QueueName) (*StandingLabels, error) {
	states, err := ReadStates(ctx, facts, name)
	if err != nil {
		return nil, err
	}
	out := &StandingLabels{
		States: states,
		ByItem: make(map[annotate.ItemKey][]annotate.Label), Rulings: make(map[annotate.ItemKey][]annotate.Ruling),
		Excluded: eval.IndexBy(annotate.ListExclusions(states), func(x annotate.Exclusion) (annotate.ItemKey, bool) { return x.Item, true }),
	}
	for _, who := range slices.Sorted(maps.Keys(states)) {
		st := states[who]
		for k, l := range st.Labels {
			out.ByItem[k] = append(out.ByItem[k], l)
		}
		for k, r := range st.Rulings {
			out.Rulings[k] = append(out.Rulings[k], r)
		}
	}
	return out, nil
}

// Inputs are the hashes of what stands.
func (s *StandingLabels) Inputs() annotate.Inputs {
	return annotate.Inputs{
		LabelsHash:  annotate.HashLabels(slices.Concat(slices.Collect(maps.Values(s.ByItem))...)),
		RulingsHash: annotate.HashRulings(slices.Concat(slices.Collect(maps.Values(s.Rulings))...)),
	}
}

// RulingOn is the one that settles an item; nil when nobody has, or adjudicators differ.
func (s *StandingLabels) RulingOn(k annotate.ItemKey) *annotate.Ruling {
	if r, ok := annotate.StandingRuling(s.Rulings[k]); ok {
		return &r
	}
	return nil
}

// NewOngoingLookup is Ongoing of queues by their names, each looked at once; false where there is none.
func NewOngoingLookup(ctx context.Context, facts Facts) func(annotate.QueueName) (bool, error) {
	known := make(map[annotate.QueueName]bool)
	return func(name annotate.QueueName) (bool, error) {
		return eval.GetOrRead(known, name, func() (bool, error) {
			q, err := facts.Queue(name)
			switch {
			case errors.Is(err, eval.ErrNotFound):
				return false, nil
			case err != nil:
				return false, err
			}
			return IsOngoing(ctx, facts, &q)
		})
	}
}

// IsOngoing reports whether labels of a queue are still to come: it grows, or an
// item that was drawn may still get one.
func IsOngoing(ctx context.Context, facts Facts, q *annotate.Queue) (bool, error) {
	if q.Growing || q.Design.IsDeclared() { // what was drawn elsewhere was labelled there
		return q.Growing, nil
	}
	states, err := ReadStates(ctx, facts, q.Name)
	if err != nil {
		return false, err
	}
	turnout := annotate.NewLabelTurnout(q, states)
	for it, err := range facts.QueueItems(ctx, q.Name) {
		if err != nil {
			return false, fmt.Errorf("read items of queue %s: %w", q.Name, err)
		}
		if it.Inclusion > 0 && turnout.IsOpen(it.Key) {
			return true, nil
		}
	}
	return false, nil
}

// CountLabellers counts how many people have a label that stands.
func (s *StandingLabels) CountLabellers() int {
	return eval.Count(slices.Collect(maps.Values(s.States)), func(st annotate.State) bool { return len(st.Labels) > 0 })
}
