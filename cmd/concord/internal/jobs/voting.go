package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/engine"
	"concord/eval/judge"
	"concord/eval/prompt"
)

// VotingJob is an order made out: whose answers are compared, what stands
// already, and what is still to be asked.
//
//	votingOrder --Factory.NewVotingJob--> Voting --runner--> engine.Runner --> Running or runToEnd
type VotingJob struct {
	singleCalls[dueVote, eval.VoteQuestion]
	Order   VotingOrder
	data    eval.Dataset
	Anchor  eval.Run
	Models  []eval.Run
	Tallies []Tally // by repeat, then by model
	evidenceBySample
	Stale int // standing votes made under older criteria, asked again or not
	blind int // of Wanted, without the image that the judge was to see
}

// NewVotingJob makes an order out. Nothing is asked, and nothing is stored.
func (l *Factory) NewVotingJob(ctx context.Context, o *VotingOrder) (*VotingJob, error) {
	if err := o.CheckTogether(); err != nil {
		return nil, cli.NewUsageError(err)
	}
	var err error
	v := &VotingJob{Order: *o}
	if v.Anchor, err = l.runs.findRunOfModel(o.Dataset, o.Anchor, o.Runs); err != nil {
		return nil, err
	}
	for _, m := range slices.Compact(slices.Sorted(slices.Values(o.Models))) {
		run, err := l.runs.findRunOfModel(o.Dataset, m, o.Runs)
		if err != nil {
			return nil, err
		}
		v.Models = append(v.Models, run)
	}
	for _, id := range o.Runs {
		if id != v.Anchor.ID && !slices.ContainsFunc(v.Models, func(r eval.Run) bool { return r.ID == id }) {
			return nil, cli.NewUsageError(fmt.Errorf("run %d is of none of the compared models on dataset %s", id, o.Dataset))
		}
	}
	return v, v.prepareVotes(ctx, l)
}

// prepareVotes finds out what is due of the comparisons.
func (v *VotingJob) prepareVotes(ctx context.Context, l *Factory) error {
	o := &v.Order
	s, err := l.Datasets.DatasetFacts(ctx, o.Dataset)
	if err != nil {
		return err
	}
	v.data = s.dataset
	if v.judgeConfig, err = l.newVoterConfig(o); err != nil {
		return err
	}
	if v.evidenceBySample, err = l.Evidence.gatherEvidence(ctx, o, v.data.Samples); err != nil {
		return err
	}
	v.missing, v.title, v.unit, v.role, v.tokens = make(map[string]int), "votes of", "vote", "judge", voteTokens
	v.prepare, v.question, v.job = v.newJudgeVoter, v.newVoteQuestion, v.describeJob
	v.about = func(d dueVote) (annotate.ItemKey, string) { return v.Factory.trial.itemOfPair(d.pair), "" }
	return v.findDueVotes(ctx)
}

func (l *Factory) newVoterConfig(o *VotingOrder) (judgeConfig, error) {
	r, err := l.newJudgeConfig(o.Judge, prompt.VoteTemplate(o.Input))
	if err == nil && o.Input == eval.SeesImage {
		err = r.setImageEdge(o.Edge)
	}
	if err == nil {
		err = r.useTriedPrompt()
	}
	return r, eval.WrapError(err, "judge %s", o.Judge)
}

func (v *VotingJob) comparedRuns() []eval.Run { return append([]eval.Run{v.Anchor}, v.Models...) }

// newVoter gives the judge, ready to be asked; with a nil chatter it only says what it would be asked.
func (v *VotingJob) newVoter(c eval.Chatter) (*judge.Voter, error) {
	return judge.NewVoter(judge.VoterOptions{Setup: v.setup, Chatter: c, Set: v.set, Input: v.Order.Input, Criteria: v.Order.Criteria, Hints: v.hints})
}

// newJudgeVoter gives the judge as due votes are asked of it. Texts that they name are stored first.
func (v *VotingJob) newJudgeVoter(ctx context.Context, c eval.Chatter) (modelCaller[eval.VoteQuestion], error) {
	voter, err := v.newVoter(c)
	of := func(q *eval.VoteQuestion) *eval.Sample { return &q.Sample }
	return newModelCaller(voter.BuildChat, of, func(a engine.SingleCalls[eval.VoteQuestion]) (*engine.Runner, error) {
		if err := v.storeCriteriaTexts(ctx); err != nil {
			return nil, err
		}
		return engine.NewVoteRunner(a, voter, v.Factory.Store.Votes().RecordVote)
	}), err
}

func (v *VotingJob) describeJob() eval.Job {
	j := eval.Job{Dataset: v.Order.Dataset, Asked: v.Order.Judge, Runs: runIDs(v.comparedRuns()), LeftOut: v.ListLeftOut()}
	j.Comparisons = eval.Map(v.Tallies, func(t Tally) eval.Comparison { return t.Comparison })
	return j
}

// AsksSameComparisons reports whether two orders are about the same comparisons in the same way.
func (v *VotingJob) AsksSameComparisons(o *VotingJob) bool {
	return v.Order.Shuffled == o.Order.Shuffled && slices.EqualFunc(v.Tallies, o.Tallies, func(p, q Tally) bool { return p.Comparison == q.Comparison })
}

// FirstComparison is the comparison that is asked first.
func (v *VotingJob) FirstComparison() eval.Comparison {
	for _, p := range v.Tallies {
		if d := v.Due; len(d) > 0 && p.Comparison.Ballot == d[0].ballot && (p.model == d[0].pair.First || p.model == d[0].pair.Second) {
			return p.Comparison
		}
	}
	return v.Tallies[0].Comparison
}

// VotingOrder says what a judge votes on, as a command or form asks for it: each model against the anchor.
type VotingOrder struct {
	Dataset    eval.DatasetName
	Models     []string
	Anchor     string
	Runs       []eval.RunID // of the models and the anchor, where one has several
	Judge      string
	Criteria   bool // the judge sees them
	Input      eval.Input
	Shuffled   bool   // one order of every pair, drawn with Seed; else both
	Seed       uint64 // of that draw
	Repeats    []int  // that are asked; none: 0
	CaptionsBy string // whose captions the judge sees; "": the only model that made some
	Edge       int    // pictures' longer edge, in pixels; 0: never scaled down; below 0: as the judge is configured
	Stale      bool   // votes made under older criteria are asked again
	Failed     bool   // and what failed
	Unparsed   bool   // and replies that hold no vote
	// WithoutImages has samples without their image judged too, on ballots of their own.
	WithoutImages bool
}

// CheckTogether names what does not go together.
func (o *VotingOrder) CheckTogether() error {
	switch {
	case o.Dataset == "" || o.Judge == "" || o.Anchor == "" || len(o.Models) == 0:
		return errors.New("votes need a dataset, a judge, an anchor and at least one model")
	case slices.Contains(o.Models, o.Anchor):
		return fmt.Errorf("%s is the anchor: it is not compared with itself", o.Anchor)
	case o.Input == eval.InputUnset || o.Input == eval.SeesNothing:
		return errors.New("it is not said what the judge sees of an image")
	case o.Edge >= 0 && o.Input != eval.SeesImage:
		return fmt.Errorf("--edge scales images down, and with --input %s the judge sees none", o.Input)
	case o.CaptionsBy != "" && o.Input != eval.SeesCaption && o.Input != eval.SeesBoth:
		return fmt.Errorf("--captions-by names whose captions the judge sees: it goes with --input caption or both")
	case o.Stale && !o.Criteria:
		return errors.New("--stale asks again what was voted on under older criteria: it goes with --criteria")
	case slices.Min(append(o.Repeats, 0)) < 0:
		return errors.New("repeats are counted from 0")
	}
	return nil
}

// OrderOfInput gives how votes by an input are ordered: those without the image that
// was due are asked for beside the others.
func OrderOfInput(i eval.Input) (input eval.Input, withoutImages bool) {
	return eval.Either(i == eval.SeesNothing, eval.SeesImage, i), i == eval.SeesNothing
}

// VoteSummary is what became of a voting order, as `concord judge votes` prints it.
type VoteSummary struct {
	Dataset        eval.DatasetName `json:"dataset"`
	Judge          string           `json:"judge"`
	Anchor         voteSide         `json:"anchor"`
	Models         []voteSide       `json:"models"`
	Criteria       bool             `json:"criteria"`
	Input          string           `json:"input"`
	Order          string           `json:"order"`
	Repeats        []int            `json:"repeats"`
	Stale          int              `json:"stale"` // voted on under older criteria, when the command began
	WithoutPicture int              `json:"without_picture"`
	jobSummary

	asksStale bool
}

type voteSide struct {
	Run   eval.RunID `json:"run"`
	Model string     `json:"model"`
}

func (s *VoteSummary) formatText() string {
	var b strings.Builder
	names := eval.Map(s.Models, func(m voteSide) string { return m.Model })
	ballot := eval.Ballot{Criteria: s.Criteria}
	ballot.Input, _ = eval.ParseInput(s.Input)
	fmt.Fprintf(&b, "votes of %s on %s against %s, %s (%s): %s\n", cli.EscapeControls(s.Judge), cli.EscapeControls(cli.JoinFirstNames(names)), cli.EscapeControls(s.Anchor.Model),
		cli.EscapeControls(string(s.Dataset)), describeBallot(&ballot), s.formatDone("vote"))
	b.WriteString(s.formatCalls("vote"))
	if s.Stale > 0 {
		hint := eval.Either(s.asksStale, " when this began", " (--stale asks them again)")
		fmt.Fprintf(&b, "  stale     %d made under older criteria%s\n", s.Stale, hint)
	}
	b.WriteString(s.formatOmitted("vote"))
	if s.WithoutPicture > 0 {
		fmt.Fprintf(&b, "  images    %s on samples whose image is not there\n", cli.FormatCount(s.WithoutPicture, "vote"))
	}
	b.WriteString(s.formatSpent())
	fmt.Fprintf(&b, "  report    concord report votes --anchor %s --judge %s\n", cli.QuoteForShell(s.Anchor.Model), cli.QuoteForShell(s.Judge))
	return b.String()
}

// printSummary says what became of a voting order: one object for scripts, else a few lines.
func (v *VotingJob) printSummary(p eval.Progress, ended error) error {
	s := VoteSummary{
		Dataset: v.Order.Dataset, Judge: v.Order.Judge, Anchor: voteSide{v.Anchor.ID, v.Anchor.Config.Model},
		Criteria: v.Order.Criteria, Input: v.Tallies[0].Comparison.Input.String(), Order: eval.Either(v.Order.Shuffled, "shuffled", "both"), Repeats: v.Order.Repeats,
		Stale: v.Stale, WithoutPicture: v.blind, jobSummary: newJobSummary(p, ended, &v.Tally, v.missing), asksStale: v.Order.Stale,
	}
	s.Models = eval.Map(v.Models, func(m eval.Run) voteSide { return voteSide{m.ID, m.Config.Model} })
	return v.Factory.PrintResult(s, "%s", s.formatText())
}

// voteTokens is a judge's vote with a line or two of reasons.
const voteTokens = 60

// newVoteQuestion gives all that a judge is shown about a pair: all images of the sample, or none.
func (v *VotingJob) newVoteQuestion(d dueVote) (eval.VoteQuestion, error) {
	st, name, at := v.Factory.Store, v.Order.Dataset, d.pair.Sample
	q := eval.VoteQuestion{Pair: d.pair, Repeat: d.ballot.Repeat, Pictures: st.Datasets().Picture}
	var err error
	if q.Sample, err = st.Datasets().Sample(name, at); err != nil {
		return q, err
	}
	if v.of[at].blind {
		q.Sample.Pictures = nil
	}
	for i, run := range []eval.RunID{d.pair.First, d.pair.Second} {
		p, err := st.Runs().Prediction(eval.Key{Run: run, Sample: at})
		if err != nil {
			return q, err
		}
		q.Answers[i] = p.Text
	}
	set, err := st.Criteria().Set(name, at)
	if err != nil {
		return q, err
	}
	q.Type = set.QuestionType(&q.Sample)
	if v.Order.Criteria {
		q.Criteria, q.Revision = criteria.FormatText(set.Criteria()), criteria.HashCriteria(set.Criteria())
	}
	if seesCaption(v.Order.Input) {
		if q.Caption, err = v.Factory.Evidence.newestCaption(name, at, v.captioner); err != nil {
			return q, err
		}
	}
	if seesDetections(v.Order.Input) {
		q.Detections, err = st.Detections().OfSample(name, at)
	}
	return q, err
}

// storeCriteriaTexts stores the texts of the criteria that votes will name, at once so that they share commits.
func (v *VotingJob) storeCriteriaTexts(ctx context.Context) error {
	if !v.Order.Criteria || len(v.Due) == 0 {
		return nil
	}
	var failed []error
	var mu sync.Mutex
	var wg sync.WaitGroup
	for set, err := range v.Factory.Store.Criteria().All(ctx, v.Order.Dataset) {
		if err != nil {
			failed = append(failed, err)
			break
		}
		text := criteria.FormatText(set.Criteria())
		if text == "" {
			continue
		}
		wg.Go(func() {
			if _, err := v.Factory.Store.Texts().Put(ctx, text); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed = append(failed, fmt.Errorf("keep criteria of sample %d: %w", set.Sample, err))
			}
		})
	}
	wg.Wait()
	return errors.Join(failed...)
}
