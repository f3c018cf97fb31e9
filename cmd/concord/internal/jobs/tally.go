package jobs

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/extract"
	"concord/eval/judge"
)

// Tally is the votes on one model's answers beside the anchor's, under one ballot.
type Tally struct {
	Comparison eval.Comparison
	model      eval.RunID
	Wanted     int // of tally.Wanted
}

type dueVote struct {
	pair   eval.Pair
	ballot eval.Ballot
}

type pairState struct {
	vote   eval.Vote
	text   string // hash of the criteria
	failed bool   // nothing but failures of the sample
}

// findDueVotes finds out what stands and what is due.
func (v *VotingJob) findDueVotes(ctx context.Context) error {
	anchor, err := v.Factory.runs.listAnswerProblems(ctx, v.Anchor.ID, v.data.Samples, NoAnchor, failedAnchor)
	if err != nil {
		return err
	}
	voter, err := v.newVoter(nil)
	if err != nil {
		return err
	}
	lacking := make([][]string, len(v.Models)) // why a sample cannot be asked, by model
	for i, m := range v.Models {
		own, err := v.Factory.runs.listAnswerProblems(ctx, m.ID, v.data.Samples, NoAnswer, failedAnswer)
		if err != nil {
			return err
		}
		for o := range own {
			own[o] = cmp.Or(anchor[o], own[o], v.of[o].missing)
		}
		lacking[i] = own
	}
	repeats := slices.Compact(slices.Sorted(slices.Values(v.Order.Repeats)))
	if len(repeats) == 0 {
		repeats = []int{0}
	}
	v.Order.Repeats = repeats
	for _, repeat := range repeats {
		for i, m := range v.Models {
			for _, ballot := range v.ballotsToAsk(voter.BallotOfRepeat(repeat)) {
				p := Tally{model: m.ID, Comparison: eval.Comparison{A: min(m.ID, v.Anchor.ID), B: max(m.ID, v.Anchor.ID), Ballot: ballot}}
				if err := v.countPairsOfComparison(ctx, &p, lacking[i]); err != nil {
					return err
				}
				v.Tallies = append(v.Tallies, p)
			}
		}
	}
	return v.addUsageOfVotes(ctx)
}

// ballotsToAsk are the one that is asked for, and beside it that of samples without
// the image that the judge was to see, or that one alone.
func (v *VotingJob) ballotsToAsk(asked eval.Ballot) []eval.Ballot {
	blind := eval.Count(v.of, func(e sampleEvidence) bool { return e.blind })
	if blind == 0 || !v.Order.WithoutImages {
		return []eval.Ballot{asked}
	}
	without := asked
	without.Input = eval.SeesNothing
	return eval.Either(blind == len(v.of), []eval.Ballot{without}, []eval.Ballot{asked, without})
}

// countPairsOfComparison sorts a comparison's pairs into what stands, what is due and what cannot be asked.
func (v *VotingJob) countPairsOfComparison(ctx context.Context, p *Tally, lacking []string) error {
	standing, err := v.readStandingVotes(ctx, p)
	if err != nil {
		return err
	}
	for i := range lacking {
		if v.Order.WithoutImages && v.of[i].blind != (p.Comparison.Input == eval.SeesNothing) {
			continue // of another ballot
		}
		pair := eval.Pair{Sample: eval.Ordinal(i), First: p.model, Second: v.Anchor.ID}
		if !v.Order.Shuffled {
			v.countOrQueueVote(p, pair, standing, lacking[i])
			v.countOrQueueVote(p, pair.Swapped(), standing, lacking[i])
			continue
		}
		if v.drawAnswerSwap(eval.Ordinal(i)) {
			pair = pair.Swapped()
		}
		v.countOrQueueVote(p, pair, standing, lacking[i])
	}
	return nil
}

// drawAnswerSwap draws whether a sample's answers change places. It is the same for
// all models and repeats, so that they are compared alike.
func (v *VotingJob) drawAnswerSwap(o eval.Ordinal) bool {
	h := fnv.New64a()
	_, _ = h.Write(binary.BigEndian.AppendUint32([]byte(v.Order.Dataset), uint32(o)))
	return rand.New(rand.NewPCG(v.Order.Seed, h.Sum64())).IntN(2) == 1
}

// readStandingVotes reads what is stored of a comparison. Votes made with other settings cannot be gone on with.
func (v *VotingJob) readStandingVotes(ctx context.Context, p *Tally) (map[eval.Pair]pairState, error) {
	hash, _ := judge.HashSetup(v.setup)
	out := make(map[eval.Pair]pairState)
	for one, err := range v.Factory.Store.Votes().OfComparison(ctx, p.Comparison) {
		switch {
		case err != nil:
			return nil, err
		case one.HasReply() && one.Setup != hash && (v.own == "" || one.Setup != ""):
			return nil, v.explainChangedSettings(ctx, p, one.Setup)
		case one.HasReply():
			out[one.Pair] = pairState{vote: one.Vote, text: one.Text}
		case one.Failure.Kind == eval.FailureSample:
			if _, known := out[one.Pair]; !known {
				out[one.Pair] = pairState{failed: true}
			}
		}
	}
	return out, v.adoptCandidateVotes(ctx, p, out)
}

// adoptCandidateVotes has what was voted under the other name stand where it was asked alike.
func (v *VotingJob) adoptCandidateVotes(ctx context.Context, p *Tally, standing map[eval.Pair]pairState) error {
	by, setup := p.Comparison, ""
	by.Judge, setup = v.otherJudgeName()
	newest := make(map[eval.Pair]eval.Preference)
	for one, err := range v.Factory.Store.Votes().OfComparison(ctx, by) {
		if err != nil {
			return err
		}
		if one.HasReply() && (setup == "" || one.Setup == setup) && !v.isOutsideTrial(dueVote{one.Pair, p.Comparison.Ballot}) {
			newest[one.Pair] = one
		}
	}
	for pair, one := range newest {
		if s, known := standing[pair]; known && !s.failed {
			continue
		}
		standing[pair] = pairState{vote: one.Vote, text: one.Text}
		one.Judge, one.Setup = v.recordedJudgeName()
		one.Usage, one.Latency = eval.Usage{}, 0
		v.kept = append(v.kept, func(ctx context.Context) error { return v.Factory.Store.Votes().RecordVote(ctx, one) })
	}
	return nil
}

func (v *VotingJob) countOrQueueVote(p *Tally, pair eval.Pair, standing map[eval.Pair]pairState, lacking string) {
	if v.isOutsideTrial(dueVote{pair, p.Comparison.Ballot}) {
		return
	}
	s, known := standing[pair]
	g := &v.of[pair.Sample]
	stale := known && !s.failed && v.Order.Criteria && s.text != g.revision
	if stale {
		v.Stale++
	}
	unparsed := known && !s.failed && s.vote == eval.VoteUnset
	again := stale && (v.Order.Stale || v.own != "") || s.failed && v.Order.Failed || unparsed && v.Order.Unparsed
	if lacking != "" && (!known || again) {
		v.missing[lacking]++ // what stands of it stands
		if again = false; !known {
			return
		}
	}
	p.Wanted++
	if g.blind {
		v.blind++
	}
	v.countOrQueueUnit(dueVote{pair, p.Comparison.Ballot}, !known || again, s.failed, !unparsed)
}

// addUsageOfVotes takes up what the votes that are stored took.
func (v *VotingJob) addUsageOfVotes(ctx context.Context) error {
	all, err := v.Factory.Store.Votes().AllComparisons(ctx)
	if err != nil {
		return err
	}
	for i := range all {
		if slices.ContainsFunc(v.Tallies, func(p Tally) bool { return p.Comparison == all[i].Comparison }) {
			v.Usage.Add(all[i].Counts.Usage)
		}
	}
	return nil
}

// ListLeftOut is what is not asked, and what is asked without an image.
func (v *VotingJob) ListLeftOut() []eval.LeftOut {
	out := toLeftOutList(v.missing)
	if v.blind > 0 {
		out = append(out, eval.LeftOut{Reason: WithoutPicture, Facts: v.blind, Asked: true})
	}
	return out
}

func describeBallot(b *eval.Ballot) string {
	with := eval.Either(b.Criteria, "with criteria", "without criteria")
	return with + ", by " + b.Input.String()
}

// listDifferingFields lists the fields in which two setups differ, as judge.HashSetup writes them.
func listDifferingFields(was, is []byte) []string {
	names, all := eval.FindDifferingFields(was, is)
	if all[0] == nil || all[1] == nil {
		return nil
	}
	return eval.Map(names, func(name string) string {
		return fmt.Sprintf("%s: was %s, is %s", name, cmp.Or(string(all[0][name]), "none"), cmp.Or(string(all[1][name]), "none"))
	})
}

// explainChangedSettings says that votes of a ballot were made with other settings, by the
// hash of these, and what can be done about it.
func (v *VotingJob) explainChangedSettings(ctx context.Context, p *Tally, was string) error {
	c := p.Comparison
	var b strings.Builder
	fmt.Fprintf(&b, "votes of %s on runs %d and %d (%s, repeat %d) ", c.Judge, c.A, c.B, describeBallot(&c.Ballot), c.Repeat)
	b.WriteString(v.describeChangedSettings(was))
	free, err := v.findFreeRepeat(ctx, p)
	if err != nil {
		return err
	}
	fmt.Fprintf(&b, "\nVotes of two kinds are never mixed. Ask for them once more with --repeat %d, or give the judge as it is now another name in concord.toml: %s", free, v.describeOtherName())
	return fmt.Errorf("%s", &b)
}

// findFreeRepeat finds the first repeat that has no votes on these runs.
func (v *VotingJob) findFreeRepeat(ctx context.Context, p *Tally) (int, error) {
	all, err := v.Factory.Store.Votes().AllComparisons(ctx)
	if err != nil {
		return 0, err
	}
	free := p.Comparison
	for slices.ContainsFunc(all, func(c eval.ComparisonProgress) bool { return c.Comparison == free }) {
		free.Repeat++
	}
	return free.Repeat, nil
}

// Order is an evaluation as somebody asks for it: by the names that the project and the configuration know.
type Order struct {
	Dataset     eval.DatasetName
	Model       string
	Strategy    eval.Strategy
	Modality    eval.Modality
	AllPasses   bool
	Rules       string
	Language    string // "en", "zh", or "" for the question's own
	Shots       int
	ModelShots  bool   // as the model's configuration says, where worked examples go
	Exemplars   string // file of worked examples; "": drawn from the dataset
	Judges      []string
	Fallback    bool
	Seed        uint64
	Concurrency int  // 0: as configured
	New         bool // a new run, also where there is one with other settings
	Shared      bool // by workers, each with an endpoint of its own
}

// OrderFlags are the flags that make an order.
type OrderFlags struct {
	Order
	dataset, strategy, modality string
	withoutImages               bool
	Budget                      Budget
}

// AddFlags adds the flags of an order to a command.
func (f *OrderFlags) AddFlags(fs *pflag.FlagSet) {
	fs.StringVar(&f.dataset, "dataset", "", "the dataset to answer (required)")
	fs.StringVar(&f.Model, "model", "", "the `name` of a model in the configuration, or of one that the endpoint serves (required)")
	fs.StringVar(&f.strategy, "strategy", "vanilla", "vanilla (each question once) or circular (every rotation of its options)")
	fs.StringVar(&f.modality, "modality", "image", "what the model is given: image, text (no image), grey (a gray image) or base (text only, for a language base)")
	fs.BoolVar(&f.withoutImages, "without-images", false, "ask as with images also what lacks an image that it has or names; the run counts as modality without-images")
	fs.BoolVar(&f.AllPasses, "all-passes", false, "circular: ask every pass, also after a wrong one")
	fs.StringVar(&f.Rules, "rules", extract.Default, "rule `set` that reads the answers, and so decides early stop")
	fs.StringVar(&f.Language, "language", "", "language of the prompts, en or zh (default: the question's own)")
	fs.IntVar(&f.Shots, "shots", 0, "worked examples before each question (default: with --modality base as the model's configuration says, else 0)")
	fs.StringVar(&f.Exemplars, "exemplars", "", "JSON lines `file` of worked examples (default: drawn from the dataset)")
	fs.StringSliceVar(&f.Judges, "judge", nil, "`name` of a model that reads what the rules cannot; repeatable, the first one decides early stop")
	fs.BoolVar(&f.Fallback, "fallback", false, "draw at random what the judge cannot read either (the third step of MMBench's protocol)")
	fs.Uint64Var(&f.Seed, "seed", 1, "seed of worked examples and of --fallback")
	fs.IntVar(&f.Concurrency, "concurrency", 0, "questions asked concurrently (default: as configured)")
	f.Budget.AddFlag(fs, "the run")
	fs.BoolVar(&f.New, "new", false, "start a new run although there is one with other settings")
}

// Budget is a flag for what a run may cost.
type Budget struct {
	flags *pflag.FlagSet
	most  float64
}

// AddFlag adds the flag to a command.
func (b *Budget) AddFlag(fs *pflag.FlagSet, of string) {
	b.flags = fs
	fs.Float64Var(&b.most, "budget", 0, "pause "+of+" at this cost (default: as configured; 0: never)")
}

// Read gives what was asked for; nil when nothing was.
func (b *Budget) Read() (*float64, error) {
	switch {
	case !b.flags.Changed("budget"):
		return nil, nil
	case !(b.most >= 0):
		return nil, cli.NewUsageError(fmt.Errorf("--budget %g: want 0 or more", b.most))
	}
	return &b.most, nil
}

// Read checks the flags and makes the order of them.
func (f *OrderFlags) Read() (Order, error) {
	o := f.Order
	o.Dataset = eval.DatasetName(f.dataset)
	var err error
	if o.Strategy, err = eval.ParseStrategy(f.strategy); err != nil {
		return o, cli.NewUsageError(err)
	}
	if o.Modality, err = eval.ParseModality(f.modality); err != nil {
		return o, cli.NewUsageError(err)
	}
	switch {
	case f.withoutImages && o.Modality != eval.WithImage && o.Modality != eval.WithoutImages:
		return o, cli.NewUsageError(fmt.Errorf("--without-images goes with --modality image: %s asks for no images of the samples", o.Modality))
	case f.withoutImages:
		o.Modality = eval.WithoutImages
	}
	if err := o.checkTogether(); err != nil {
		return o, cli.NewUsageError(err)
	}
	o.ModelShots = !f.Budget.flags.Changed("shots")
	return o, nil
}

// checkTogether names what does not go together.
func (o *Order) checkTogether() error {
	switch {
	case o.AllPasses && o.Strategy != eval.Circular:
		return fmt.Errorf("--all-passes needs --strategy circular")
	case o.Shots < 0:
		return fmt.Errorf("--shots %d: want 0 or more", o.Shots)
	case o.Shots > 0 && o.Modality != eval.TextOnly && o.Modality != eval.BaseText:
		return fmt.Errorf("--shots goes with --modality text or base: worked examples have no images")
	case o.Exemplars != "" && o.Shots == 0:
		return fmt.Errorf("--exemplars needs --shots K, how many of the file's examples go before a question")
	case o.Fallback && len(o.Judges) == 0:
		return fmt.Errorf("--fallback draws what a judge cannot read: it needs --judge")
	case o.Concurrency < 0:
		return fmt.Errorf("--concurrency %d: want 0 or more", o.Concurrency)
	case o.Language != "" && o.Language != "en" && o.Language != "zh":
		return fmt.Errorf("--language %q: want en or zh", o.Language)
	}
	return nil
}
