package pairwise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// VoteOptions say what a report over votes is about. The zero value reports
// every comparison against the model that all of them share.
type VoteOptions struct {
	Runs    []eval.RunID     // of the models set against the anchor; empty: all
	Dataset eval.DatasetName // "": all
	Model   string           // "": all
	Anchor  string           // a model's name; "": the one that all contests on a dataset share, the older of two
	Judge   string           // "": all
	Merge   metric.Merging

	Corrected *report.Correcting // of Votes: what people's votes make of the win rate; nil: not asked
}

// ErrNoAnchor says that it does not follow from the votes which model is the anchor.
var ErrNoAnchor = errors.New("name the anchor with --anchor")

var (
	ofResult   = [metric.Results]report.Which{Incompletes, Wins, Losses, Ties, SituationOnes, SituationTwos, Unables}
	ofPosition = [metric.PositionClasses]report.Which{"", SameVotes, FirstVotes, SecondVotes, OtherVotes}
)

// RunComparison tells which runs a row compares: a model's run, which the head names,
// against the anchor's, and how the votes were asked for.
type RunComparison struct {
	report.Head
	Anchor    string     `json:"anchor"`
	AnchorRun eval.RunID `json:"anchor_run,omitzero"`
	Judge     string     `json:"judge" as:"judge"`
	Asked     string     `json:"judge_setting,omitempty"` // in which these votes were asked for otherwise than others of the judge
	Criteria  bool       `json:"criteria" as:"with"`
	Input     string     `json:"input"`
	Repeat    int        `json:"repeat,omitempty"`
	Merge     string     `json:"merge"`

	report.Tags `json:"-"`
	behind      []keptQuestion // of the tags
}

// keptQuestion is one question of a comparison, which a row keeps for drills and corrections.
type keptQuestion struct {
	cluster uint64 // that the sample is in, with others; 0: none
	result  metric.Result
}

// keepQuestion adds a question to the row, behind the figures that are named.
func (d *RunComparison) keepQuestion(p eval.Pair, path []string, q keptQuestion, tags ...report.Which) {
	d.Tags, d.behind = append(d.Tags, report.Tagged{Pair: p, Path: path, Tags: tags}), append(d.behind, q)
}

// duelNames are the measures of a contest behind those of its head.
const duelNames = "anchor judge criteria:text input repeat merge "

var duelLayout = report.NewLayout(report.HeadNames+duelNames, RunComparison{})

// JudgeName is the judge's name, with the settings in which its votes differ.
func (d *RunComparison) JudgeName() string { return report.JudgeName(d.Judge, d.Asked) }

func (d *RunComparison) describeCriteria() string { return eval.Either(d.Criteria, "with", "without") }

// placeTitle gives what the title of a table says of its rows: they differ in the model alone.
func (d *RunComparison) placeTitle() string {
	parts := []string{string(d.Dataset), "judge " + d.JudgeName(), d.describeCriteria() + " criteria", d.Input, "against " + d.Anchor}
	if d.Repeat > 0 {
		parts = append(parts, fmt.Sprintf("repeat %d", d.Repeat))
	}
	return strings.Join(parts, ", ")
}

func (d *RunComparison) newOpener(row report.Row) report.Opener {
	return report.Opener{Row: row, Pairs: true, Whole: true, Ballot: newBallot(d.Judge, d.Input, d.Criteria, d.Repeat), Names: namePairFigure}
}

// comparisonReader is the comparisons that the options ask for, with their figures.
type comparisonReader struct {
	facts   report.VoteFacts
	o       VoteOptions
	runs    map[eval.RunID]eval.Run
	answers map[eval.RunID]map[eval.Ordinal]string
	gone    map[eval.DatasetName]map[eval.Ordinal]bool // samples that curators discarded
	notes   []string
}

// orientedComparison is a comparison, turned so that the anchor is known.
type orientedComparison struct {
	eval.Comparison
	model, anchor eval.Run
	asked         string // as in RunComparison
}

func newComparisonReader(facts report.VoteFacts, o VoteOptions) (*comparisonReader, error) {
	runs, err := report.RunsByID(facts)
	return &comparisonReader{facts: facts, o: o, runs: runs, answers: make(map[eval.RunID]map[eval.Ordinal]string), gone: make(map[eval.DatasetName]map[eval.Ordinal]bool)}, err
}

func findComparisons(ctx context.Context, facts report.VoteFacts, o VoteOptions) (*comparisonReader, []orientedComparison, error) {
	d, err := newComparisonReader(facts, o)
	if err != nil {
		return nil, nil, err
	}
	all, err := facts.Comparisons(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("list comparisons: %w", err)
	}
	byDataset := map[eval.DatasetName][]eval.Comparison{}
	for _, c := range all {
		if on := d.runs[c.A].Config.Dataset; o.Dataset == "" || o.Dataset == on {
			byDataset[on] = append(byDataset[on], c.Comparison)
		}
	}
	var found []orientedComparison
	for on, contests := range byDataset {
		some, err := d.orientComparisons(on, contests)
		if err != nil {
			return nil, nil, err
		}
		found = append(found, some...)
		if err := d.dropDiscardedSamples(ctx, on); err != nil {
			return nil, nil, err
		}
	}
	if len(found) == 0 {
		return nil, nil, fmt.Errorf("find votes to report (see: concord judge votes --help, concord import votes --help): %w", eval.ErrNotFound)
	}
	slices.SortFunc(found, func(x, y orientedComparison) int {
		return cmp.Or(cmp.Compare(x.model.Config.Dataset, y.model.Config.Dataset), cmp.Compare(x.Judge, y.Judge),
			cmp.Compare(x.model.ID, y.model.ID), cmp.Compare(x.anchor.ID, y.anchor.ID),
			report.CompareBools(x.Criteria, y.Criteria), cmp.Compare(x.Input, y.Input), cmp.Compare(x.Repeat, y.Repeat))
	})
	asked, err := report.DistinguishJudges(ctx, d.facts, d.runs, eval.Map(found, func(c orientedComparison) eval.Comparison { return c.Comparison }))
	for i, said := range asked {
		found[i].asked = said
	}
	return d, found, err
}

// orientComparisons finds the anchor of the comparisons on one dataset, and leaves out those without it.
func (d *comparisonReader) orientComparisons(on eval.DatasetName, contests []eval.Comparison) ([]orientedComparison, error) {
	wanted := slices.DeleteFunc(slices.Clone(contests), func(c eval.Comparison) bool { return d.o.Judge != "" && c.Judge != d.o.Judge })
	anchor := d.o.Anchor
	if anchor == "" && len(wanted) > 0 {
		shared := d.sharedModels(wanted)
		if all := d.sharedModels(contests); len(shared) != 1 && len(all) == 1 {
			shared = all // another judge's comparisons tell
		}
		if len(shared) == 2 {
			// The anchor's answers are there before those that are set against them.
			shared = []string{d.runs[min(wanted[0].A, wanted[0].B)].Config.Model}
			d.notes = append(d.notes, fmt.Sprintf("The anchor on %s is assumed to be %s, whose responses came first; another can be chosen (--anchor).", on, shared[0]))
		}
		if len(shared) != 1 {
			return nil, fmt.Errorf("the votes on %s share %d models (%s): %w", on, len(shared), strings.Join(shared, ", "), ErrNoAnchor)
		}
		anchor = shared[0]
	}
	var out []orientedComparison
	left := 0
	for _, c := range wanted {
		t := orientedComparison{Comparison: c, model: d.runs[c.A], anchor: d.runs[c.B]}
		if t.anchor.Config.Model != anchor {
			t.model, t.anchor = t.anchor, t.model
		}
		switch o := (report.Options{Runs: d.o.Runs, Model: d.o.Model}); {
		case t.anchor.Config.Model != anchor:
			left++
		case o.IncludesRun(t.model):
			out = append(out, t)
		}
	}
	if left > 0 {
		d.notes = append(d.notes, fmt.Sprintf("Comparisons on %s without the anchor %s are left out (%d).", on, anchor, left))
	}
	return out, nil
}

// sharedModels are the models that are in every one of the comparisons.
func (d *comparisonReader) sharedModels(contests []eval.Comparison) []string {
	model := func(id eval.RunID) string { return d.runs[id].Config.Model }
	out := []string{model(contests[0].A), model(contests[0].B)}
	for _, c := range contests[1:] {
		out = slices.DeleteFunc(out, func(m string) bool { return m != model(c.A) && m != model(c.B) })
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (d *comparisonReader) newComparison(c *orientedComparison) RunComparison {
	return RunComparison{
		Head: report.NewHead(c.model, report.AllSplits), Anchor: report.NameRun(c.anchor), AnchorRun: c.anchor.ID,
		Judge: c.Judge, Asked: c.asked, Criteria: c.Criteria, Input: c.Input.String(), Repeat: c.Repeat, Merge: cmp.Or(d.o.Merge, metric.MergeMLLMBench).String(),
	}
}

// votedQuestion is one question of a comparison with both answers.
type votedQuestion struct {
	metric.VotedQuestion
	sample        eval.Sample
	model, anchor string // answers, where both are there
}

// dropDiscardedSamples leaves out the samples that curators discarded: what stands in for
// them is a question of the dataset, they are none any more.
func (d *comparisonReader) dropDiscardedSamples(ctx context.Context, on eval.DatasetName) error {
	gone, err := report.ReadDiscardedSamples(ctx, d.facts, on)
	if err != nil {
		return err
	}
	if len(gone) > 0 {
		d.gone[on] = gone
		d.notes = append(d.notes, fmt.Sprintf("Discarded samples of %s are left out (%d).", on, len(gone)))
	}
	return nil
}

// eachQuestion goes through the questions of a comparison's dataset, with the votes that
// stand: of several on one pair the last one that reads, by sequence.
func (d *comparisonReader) eachQuestion(ctx context.Context, c *orientedComparison, each func(*votedQuestion)) error {
	votes, err := d.readVotes(ctx, c)
	if err != nil {
		return err
	}
	anchor, err := d.readResponses(ctx, c.anchor)
	if err != nil {
		return err
	}
	err = eval.ForEachRead(d.facts.Questions(ctx, c.model), func(q eval.Question) {
		if d.gone[c.model.Config.Dataset][q.Sample.Ordinal] {
			return
		}
		b := votedQuestion{sample: q.Sample}
		model, has := report.UnrotatedResponse(&q)
		other, hasOther := anchor[q.Sample.Ordinal]
		b.model, b.anchor, b.Answered, b.Path = model, other, has && hasOther, q.Sample.Taxonomy
		b.Cluster = metric.WiderClusterNumber(&q.Sample)
		if v := votes[q.Sample.Ordinal]; v != nil {
			for i := range v {
				if v[i] == nil {
					continue
				}
				b.Orders++
				b.Failed = b.Failed || !v[i].HasReply()
			}
			b.First, b.Second = standingVote(v[0]), standingVote(v[1])
		}
		each(&b)
	})
	return eval.WrapError(err, "read questions")
}

func standingVote(p *eval.Preference) eval.Vote {
	if p == nil || !p.HasReply() {
		return eval.VoteUnset
	}
	return p.Vote
}

// readVotes reads those that stand, by sample: with the model's answer first, and second.
func (d *comparisonReader) readVotes(ctx context.Context, c *orientedComparison) (map[eval.Ordinal]*[2]*eval.Preference, error) {
	out := make(map[eval.Ordinal]*[2]*eval.Preference)
	all, err := report.ReadStandingVotes(ctx, d.facts, c.Comparison)
	if err != nil {
		return nil, err
	}
	for pair, p := range all {
		both := eval.GetOrAdd(out, pair.Sample, func() *[2]*eval.Preference { return &[2]*eval.Preference{} })
		both[report.OneIf(pair.First != c.model.ID)] = p
	}
	return out, nil
}

// readResponses reads a run's answers by sample, read once for all comparisons.
func (d *comparisonReader) readResponses(ctx context.Context, run eval.Run) (map[eval.Ordinal]string, error) {
	return eval.GetOrRead(d.answers, run.ID, func() (map[eval.Ordinal]string, error) {
		out := make(map[eval.Ordinal]string)
		err := eval.ForEachRead(d.facts.Questions(ctx, run), func(q eval.Question) {
			if text, ok := report.UnrotatedResponse(&q); ok {
				out[q.Sample.Ordinal] = text
			}
		})
		return out, eval.WrapError(err, "read questions")
	})
}

// voteComparison sets what two sides said of pairs beside each other.
type voteComparison struct {
	undecided annotate.Undecided // what becomes of pairs that one side is undecided on

	items agree.Classified // where both are compared; the pairs of one sample are a cluster
	all   stat.Clusters    // where both have voted
}

// newVoteComparison has nothing yet; of votes that are still coming in its figures hold at every look.
func newVoteComparison(undecided annotate.Undecided, ongoing bool) voteComparison {
	return voteComparison{undecided: undecided, items: agree.Classified{Sequence: ongoing}, all: stat.Clusters{Sequence: ongoing}}
}

// addPair compares the two on one pair and says what came of it: Agree, Disagree,
// or the reason for which it is left out.
func (c *voteComparison) addPair(cluster uint64, people, judge *pairOpinion) report.Which {
	if people.why == "" && judge.why == "" {
		c.all.AddToCluster(cluster, float64(report.OneIf(mergeTies(people.result) == mergeTies(judge.result))), 1)
	}
	dropped := c.undecided == annotate.Dropped || c.undecided == annotate.UndecidedUnset
	switch {
	case people.why != "":
		return people.why
	case dropped && !people.result.IsDecided():
		return PeopleUndecided
	case judge.why != "":
		return judge.why
	case dropped && !judge.result.IsDecided():
		return JudgeUndecided
	}
	// As a tie, every way to prefer neither answer is one class; as a class of its
	// own, people's is none that a judge can give.
	a, b := mergeTies(people.result), mergeTies(judge.result)
	if c.undecided == annotate.OwnClass && !b.IsDecided() {
		b = metric.Tie
	}
	c.items.AddItem(cluster, a.String(), b.String(), a == b)
	return agreeOrDisagree(a, b)
}

// mergeTies has every way to prefer neither be one.
func mergeTies(r metric.Result) metric.Result { return eval.Either(r.IsDecided(), r, metric.Unable) }

const (
	nobodyDecided = "no pair that both decided"
	nobodyVoted   = "no pair that both voted on"
)

func (c *voteComparison) fillRow(row *AgreementRow) {
	reason := eval.Either(c.undecided == annotate.CountedAsNone || c.undecided == annotate.OwnClass, nobodyVoted, nobodyDecided)
	row.Agreement = c.items.Agreement(reason)
	row.WithUndecided = c.all.Rate(nobodyVoted)
	row.Baseline = c.items.Baseline(reason)
	row.Kappa, row.AC1 = c.items.Coefficients(stat.Confidence)
}

func (x *CriteriaEffect) addPair(looks *stat.PairedLooks, cluster uint64, with, without report.Which) report.Which {
	a, b := with == report.Agree || with == report.Disagree, without == report.Agree || without == report.Disagree
	switch {
	case a && b:
	case a:
		x.OnlyWith++
		return ""
	case b:
		x.OnlyWithout++
		return ""
	default:
		x.Neither++
		return ""
	}
	right := [2]bool{with == report.Agree, without == report.Agree}
	looks.AddItem(cluster, right[0], right[1])
	return map[[2]bool]report.Which{{true, true}: BothRight, {true, false}: WithRight, {false, true}: WithoutRight, {false, false}: NeitherRight}[right]
}

func agreeOrDisagree(a, b metric.Result) report.Which {
	return eval.Either(a == b, report.Agree, report.Disagree)
}
