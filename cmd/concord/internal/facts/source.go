package facts

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/annotate/rubric"
	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/extract"
	"concord/eval/panel"
	"concord/store"
)

// Source shows the store as reports want to read it.
type Source struct {
	Store      *store.Store
	Clustering *report.Clustering // what samples share; nil: their image
	Panels     []panel.Panel      // judges that are one together
	handles
}

// handles are what reports read as the store gives it.
type handles struct {
	*store.Datasets
	*store.Runs
	*store.Queues
	*store.Acts
	*store.Votes
	*store.Reports
}

// NewSource shows a store whose samples share their image, if anything.
func NewSource(st *store.Store) Source {
	return Source{Store: st, handles: handles{st.Datasets(), st.Runs(), st.Queues(), st.Acts(), st.Votes(), st.Reports()}}
}

// Datasets lists the datasets.
func (f Source) Datasets() ([]eval.Dataset, error) { return f.Store.Datasets().List() }

// Runs lists the runs, each with what tells it from others of its model.
func (f Source) Runs() ([]eval.Run, error) {
	runs, err := f.Store.Runs().List()
	eval.DistinguishRuns(runs)
	return runs, err
}

// Questions reads the questions of a run in order.
func (f Source) Questions(ctx context.Context, r eval.Run) iter.Seq2[eval.Question, error] {
	return f.Clustering.WithClusters(r.Config.Dataset, f.Store.Runs().Questions(ctx, r))
}

var _ report.Readings = Source{}

// Readings reads the questions of a run out of columns, in order. Where labels or votes are
// clustered, whoever reads these asks for the clusters of their samples (AssignCluster).
func (f Source) Readings(ctx context.Context, r eval.Run, rules ...eval.Reader) iter.Seq2[eval.Question, error] {
	all := eval.Either(f.Clustering.IsByColumn(), f.Store.Runs().Questions(ctx, r), f.Store.Runs().Readings(ctx, r, rules...))
	if f.Clustering != nil && f.Clustering.Said {
		return all
	}
	return f.Clustering.WithClusters(r.Config.Dataset, all)
}

// AssignCluster gives a sample that was read with its run the cluster that Sample would.
func (f Source) AssignCluster(d eval.DatasetName, s *eval.Sample) { f.Clustering.AssignCluster(d, s) }

// Judgments reads the judgments of a run, those of panels among them.
func (f Source) Judgments(ctx context.Context, id eval.RunID) iter.Seq2[eval.Judgment, error] {
	return panel.WithPanelJudgments(f.Store.Judgments().Readings(ctx, id), f.Panels)
}

// Queues lists the queues.
func (f Source) Queues() ([]annotate.Queue, error) { return f.Store.Queues().List() }

// Sample reads one sample.
func (f Source) Sample(d eval.DatasetName, o eval.Ordinal) (eval.Sample, error) {
	s, err := f.Store.Datasets().Sample(d, o)
	f.Clustering.AssignCluster(d, &s)
	return s, err
}

// ExternalScores reads the scores that were made elsewhere.
func (f Source) ExternalScores(ctx context.Context) iter.Seq2[eval.ExternalScore, error] {
	return f.Store.ExternalScores().Current(ctx)
}

// PeoplesVotes are the votes of people that stand on a dataset's pairs, queue by queue, person by
// person, in the order of the items. Excluded and informed ones are among them, marked as such.
func (f Source) PeoplesVotes(ctx context.Context, of eval.DatasetName) ([]annotate.PersonVote, error) {
	queues, err := f.Store.Queues().List()
	if err != nil {
		return nil, err
	}
	var out []annotate.PersonVote
	for i := range queues {
		if q := &queues[i]; q.Rule.Dataset == of && q.Rule.From == annotate.FromPairs {
			votes, err := f.queueVotes(ctx, q.Name)
			if err != nil {
				return nil, err
			}
			out = append(out, votes...)
		}
	}
	return out, nil
}

// queueVotes are the votes that stand in one queue of pairs.
func (f Source) queueVotes(ctx context.Context, name annotate.QueueName) ([]annotate.PersonVote, error) {
	people, err := f.Store.Acts().Annotators(name)
	if err != nil || len(people) == 0 {
		return nil, err
	}
	items, err := eval.Collect(f.Store.Queues().QueueItems(ctx, name))
	if err != nil {
		return nil, err
	}
	states, err := report.ReadStates(ctx, f, name)
	return eval.FlatMap(people, func(who annotate.Annotator) []annotate.PersonVote { return annotate.CollectVotes(states[who], items) }), err
}

// Votes reads the votes of a comparison.
func (f Source) Votes(ctx context.Context, c eval.Comparison) iter.Seq2[eval.Preference, error] {
	return f.Store.Votes().OfComparison(ctx, c)
}

// SettingsByHash reads the settings that have the hash; nil where there are none.
func (f Source) SettingsByHash(hash string) ([]byte, error) {
	text, err := f.Store.Texts().Text(hash)
	if hash == "" || errors.Is(err, eval.ErrNotFound) || errors.Is(err, store.ErrInvalid) { // a name is no hash
		return nil, nil
	}
	return text, err
}

// CriteriaSets reads the criteria of a dataset.
func (f Source) CriteriaSets(ctx context.Context, d eval.DatasetName) iter.Seq2[criteria.Set, error] {
	return f.Store.Criteria().All(ctx, d)
}

// Scores reads the scores of a run, but for those of candidates: prompts that are tried.
func (f Source) Scores(ctx context.Context, id eval.RunID) iter.Seq2[eval.Score, error] {
	return eval.Filter(f.Store.Scores().Calls(ctx, id), func(s *eval.Score) bool { return eval.JudgeOfCandidate(s.Judge) == "" })
}

// Grades reads the judges' grades of a run, but for those of candidates.
func (f Source) Grades(ctx context.Context, id eval.RunID) iter.Seq2[eval.Grade, error] {
	return eval.Filter(f.Store.Grades().All(ctx, id), func(g *eval.Grade) bool { return eval.JudgeOfCandidate(g.Judge) == "" })
}

// TriedByCandidates reads those of candidates too.
func (f Source) TriedByCandidates() report.Tried {
	return report.Tried{Votes: f.Store.Votes().AllComparisons, Scores: f.Store.Scores().Calls, Grades: f.Store.Grades().All}
}

// PeoplesGrades are the grades of people that stand on a dataset, from files and from queues, those of
// excluded items left out; and adjudicators' rulings on criteria, the newest last.
func (f Source) PeoplesGrades(ctx context.Context, d eval.DatasetName) (said, rulings []rubric.Act, err error) {
	if said, err = rubric.StandingActs(f.Store.Grades().Acts(ctx, d)); err != nil {
		return nil, nil, err
	}
	queues, err := f.Store.Queues().List()
	for i := range queues {
		q := &queues[i]
		if err != nil || q.Rule.Dataset != d || q.Rule.From != annotate.FromCriteria {
			continue
		}
		var states map[annotate.Annotator]annotate.State
		states, err = report.ReadStates(ctx, f, q.Name)
		for _, who := range slices.Sorted(maps.Keys(states)) {
			st := states[who]
			for _, k := range slices.SortedFunc(maps.Keys(st.Labels), annotate.ItemKey.Compare) {
				if l := st.Labels[k]; !l.Excluded {
					said = append(said, rubric.ActsOfQueueLabel(d, &l)...)
				}
			}
			for _, k := range slices.SortedFunc(maps.Keys(st.Rulings), annotate.ItemKey.Compare) {
				r := st.Rulings[k]
				rulings = append(rulings, rubric.ActsOfQueueLabel(d, &annotate.Label{Annotator: who, Item: k, Reading: r.Reading, Informed: r.Informed, At: r.At})...)
			}
		}
	}
	slices.SortStableFunc(rulings, func(a, b rubric.Act) int { return a.At.Compare(b.At) })
	return rubric.KeepNewestGrades(said), rulings, err
}

// CurationActs reads what experts said of the samples of a dataset.
func (f Source) CurationActs(ctx context.Context, d eval.DatasetName) iter.Seq2[curation.Act, error] {
	return f.Store.Curation().All(ctx, d)
}

// Inspections lists the inspections of the project.
func (f Source) Inspections() ([]curation.Inspection, error) { return f.Store.Inspections().List() }

// FindRules finds the rule set that a flag names.
func FindRules(name string) (eval.Reader, error) {
	r, err := extract.FindRules(name)
	if err != nil {
		return nil, cli.NewUsageError(err)
	}
	return r, nil
}

// FindRulesOfRun finds the rule set that a run names, or the default one.
func FindRulesOfRun(run eval.Run) (eval.Reader, error) {
	return FindRules(cmp.Or(run.Config.Rules, extract.Default))
}

// RuleSetsFor are the rule sets for a kind of sample, the default first.
func RuleSetsFor(k eval.Kind) []eval.Reader {
	return eval.FilterMap(extract.RuleNamesFor(k), func(name string) (eval.Reader, bool) {
		r, err := extract.FindRules(name)
		return r, err == nil
	})
}
