package jobs

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"concord/annotate/criteria"
	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/engine"
	"concord/eval/judge"
	"concord/eval/prompt"
)

// VotingOrder is what a judge is to vote on, as somebody asks for it: every
// model's answers against the anchor's.
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
}

// Check names what does not go together.
func (o *VotingOrder) Check() error {
	switch {
	case o.Dataset == "" || o.Judge == "" || o.Anchor == "" || len(o.Models) == 0:
		return errors.New("votes need a dataset, a judge, an anchor and at least one model")
	case slices.Contains(o.Models, o.Anchor):
		return fmt.Errorf("%s is the anchor: it is not compared with itself", o.Anchor)
	case o.Input == eval.InputUnset:
		return errors.New("it is not said what the judge sees of a picture")
	case o.Edge >= 0 && o.Input != eval.SeesImage:
		return fmt.Errorf("--edge scales pictures down, and with --input %s the judge sees none", o.Input)
	case o.CaptionsBy != "" && o.Input != eval.SeesCaption && o.Input != eval.SeesBoth:
		return fmt.Errorf("--captions-by names whose captions the judge sees: it goes with --input caption or both")
	case o.Stale && !o.Criteria:
		return errors.New("--stale asks again what was voted on under older criteria: it goes with --criteria")
	case slices.Min(append(o.Repeats, 0)) < 0:
		return errors.New("repeats are counted from 0")
	}
	return nil
}

// Voting is an order made out: whose answers are compared, what stands
// already, and what is still to be asked.
//
//	votingOrder --Factory.Voting--> Voting --runner--> engine.Runner --> Running or runToEnd
type Voting struct {
	judgeConfig
	Order  VotingOrder
	data   eval.Dataset
	Anchor eval.Run
	Models []eval.Run
	Polls  []Tally // by repeat, then by model
	evidenceFor
	Standing
}

// Voting makes an order out. Nothing is asked, and nothing is stored.
func (l *Factory) Voting(ctx context.Context, o *VotingOrder) (*Voting, error) {
	if err := o.Check(); err != nil {
		return nil, cli.Usage(err)
	}
	s, err := l.DatasetFacts(ctx, o.Dataset)
	if err != nil {
		return nil, err
	}
	v := &Voting{Order: *o, data: s.dataset}
	if v.Anchor, err = l.answering(o.Dataset, o.Anchor, o.Runs); err != nil {
		return nil, err
	}
	for _, m := range slices.Compact(slices.Sorted(slices.Values(o.Models))) {
		run, err := l.answering(o.Dataset, m, o.Runs)
		if err != nil {
			return nil, err
		}
		v.Models = append(v.Models, run)
	}
	for _, id := range o.Runs {
		if id != v.Anchor.ID && !slices.ContainsFunc(v.Models, func(r eval.Run) bool { return r.ID == id }) {
			return nil, cli.Usage(fmt.Errorf("run %d is of none of the compared models on dataset %s", id, o.Dataset))
		}
	}
	if v.judgeConfig, err = l.juror(o); err != nil {
		return nil, err
	}
	if v.evidenceFor, err = l.grounds(ctx, o, v.data.Samples); err != nil {
		return nil, err
	}
	return v, v.take(ctx)
}

// answering is the run whose answers a model's are, of those of its own that
// are named or else of all.
func (l *Factory) answering(d eval.DatasetName, model string, ids []eval.RunID) (eval.Run, error) {
	all, err := l.Store.Runs().List()
	if err != nil {
		return eval.Run{}, err
	}
	var models []string
	for _, r := range all {
		if r.Config.Dataset == d {
			models = append(models, r.Config.Model)
		}
	}
	slices.Sort(models)
	found := eval.RunsOf(all, d, model, ids)
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return eval.Run{}, cli.Usage(fmt.Errorf("model %s has %d runs on dataset %s (%d and %d among them): name one with --run",
			model, len(found), d, found[0].ID, found[1].ID))
	case len(models) == 0:
		return eval.Run{}, fmt.Errorf("dataset %s has no answers yet (see: concord eval --help, concord import predictions --help): %w", d, eval.ErrNotFound)
	}
	return eval.Run{}, fmt.Errorf("no run of model %s on dataset %s (models with answers: %s): %w", model, d, cli.Few(slices.Compact(models)), eval.ErrNotFound)
}

// juror is the judge as the configuration has it today.
func (l *Factory) juror(o *VotingOrder) (judgeConfig, error) {
	r, err := l.cast(o.Judge, prompt.Compares(o.Input))
	if err == nil && o.Input == eval.SeesImage {
		err = r.sight(o.Edge)
	}
	if err != nil {
		return r, fmt.Errorf("judge %s: %w", o.Judge, err)
	}
	return r, nil
}

// Title is what messages call the job.
func (v *Voting) Title() string { return "votes of " + cli.Visible(v.Order.Judge) }

func (v *Voting) asked() string { return v.Order.Judge }

func (v *Voting) fact() string { return "vote" }

func (v *Voting) on() []eval.Run { return append([]eval.Run{v.Anchor}, v.Models...) }

// voter is the judge, ready to be asked; with a nil chatter it only says what
// it would be asked.
func (v *Voting) voter(c eval.Chatter) (*judge.Voter, error) {
	return judge.NewVoter(judge.VoterOptions{
		Setup: v.setup, Chatter: c, Set: v.set, Input: v.Order.Input, Criteria: v.Order.Criteria, Hints: v.Factory.Conf.Hints(),
	})
}

// Runner is what asks for the votes that are due. The texts that they name are
// stored first.
func (v *Voting) Runner(ctx context.Context, e Effort) (*engine.Runner, error) {
	c, err := v.equip(ctx, e)
	if err != nil {
		return nil, fmt.Errorf("judge %s: %w", v.asked(), err)
	}
	voter, err := v.voter(c)
	if err != nil {
		return nil, err
	}
	if err := v.keepCriteria(ctx); err != nil {
		return nil, err
	}
	return engine.NewVotes(engine.Asking[eval.VoteQuestion]{
		Terms: v.Factory.terms(e, v.asked()), Job: v.job(), Price: v.Factory.price(v.asked()), Tally: v.Tally, Due: v.questions,
	}, voter, v.Factory.Store.Votes())
}

// job says what the votes are about.
func (v *Voting) job() eval.Job {
	j := eval.Job{Dataset: v.Order.Dataset, Asked: v.Order.Judge, Runs: []eval.RunID{v.Anchor.ID}, LeftOut: v.LeftOut()}
	for _, m := range v.Models {
		j.Runs = append(j.Runs, m.ID)
	}
	for i := range v.Polls {
		j.Contests = append(j.Contests, v.Polls[i].Contest)
	}
	return j
}

// Same reports whether two orders are about the same contests in the same
// way.
func (v *Voting) Same(o *Voting) bool {
	return v.Order.Shuffled == o.Order.Shuffled && slices.EqualFunc(v.Polls, o.Polls, func(p, q Tally) bool { return p.Contest == q.Contest })
}

// changed says that votes of a ballot were made with other settings, by the
// hash of these, and what can be done about it.
func (v *Voting) changed(ctx context.Context, p *Tally, was string) error {
	c := p.Contest
	var b strings.Builder
	fmt.Fprintf(&b, "votes of %s on runs %d and %d (%s, repeat %d) ", c.Judge, c.A, c.B, ballotWords(&c.Ballot), c.Repeat)
	b.WriteString(v.differs(was))
	free, err := v.freeRepeat(ctx, p)
	if err != nil {
		return err
	}
	fmt.Fprintf(&b, "\nVotes of two kinds are never mixed. Ask for them once more with --repeat %d, or give the judge as it is now another name in concord.toml: [models.NAME] with model = %q",
		free, v.setup.Name)
	return fmt.Errorf("%s", &b)
}

// freeRepeat is the first repeat that has no votes on these runs.
func (v *Voting) freeRepeat(ctx context.Context, p *Tally) (int, error) {
	all, err := v.Factory.Store.Votes().Contests(ctx)
	if err != nil {
		return 0, err
	}
	free := p.Contest
	for slices.ContainsFunc(all, func(c eval.ContestProgress) bool { return c.Contest == free }) {
		free.Repeat++
	}
	return free.Repeat, nil
}

// First is the contest that is asked first.
func (v *Voting) First() eval.Contest {
	for _, p := range v.Polls {
		if d := v.Due; len(d) > 0 && p.Contest.Repeat == d[0].repeat && (p.model == d[0].pair.First || p.model == d[0].pair.Second) {
			return p.Contest
		}
	}
	return v.Polls[0].Contest
}

// take finds out what stands and what is due.
func (v *Voting) take(ctx context.Context) error {
	v.missing = make(map[string]int)
	anchor, err := v.answers(ctx, v.Anchor.ID, NoAnchor, failedAnchor)
	if err != nil {
		return err
	}
	voter, err := v.voter(nil)
	if err != nil {
		return err
	}
	lacking := make([][]string, len(v.Models)) // why a sample cannot be asked, by model
	for i, m := range v.Models {
		own, err := v.answers(ctx, m.ID, NoAnswer, failedAnswer)
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
			p := Tally{model: m.ID, Contest: eval.Contest{A: min(m.ID, v.Anchor.ID), B: max(m.ID, v.Anchor.ID), Ballot: voter.Ballot(repeat)}}
			if err := v.count(ctx, &p, lacking[i]); err != nil {
				return err
			}
			v.Polls = append(v.Polls, p)
		}
	}
	return v.spent(ctx)
}

// answers say of every sample what is wrong with a run's answer, "" for one
// that there is.
func (v *Voting) answers(ctx context.Context, id eval.RunID, none, failed string) ([]string, error) {
	out := make([]string, v.data.Samples)
	for i := range out {
		out[i] = none
	}
	for p, err := range v.Factory.Store.Runs().Predictions(ctx, id, eval.Key{}) {
		if err != nil {
			return nil, err
		}
		if p.Pass != 0 || int(p.Sample) >= len(out) {
			continue
		}
		if out[p.Sample] = ""; p.Failure != nil {
			out[p.Sample] = failed
		}
	}
	return out, nil
}

// count sorts a contest's pairs into what stands, what is due and what cannot
// be asked.
func (v *Voting) count(ctx context.Context, p *Tally, lacking []string) error {
	standing, err := v.standing(ctx, p)
	if err != nil {
		return err
	}
	for i := range lacking {
		pair := eval.Pair{Sample: eval.Ordinal(i), First: p.model, Second: v.Anchor.ID}
		if !v.Order.Shuffled {
			v.sort(p, pair, standing, lacking[i])
			v.sort(p, pair.Swapped(), standing, lacking[i])
			continue
		}
		if v.flips(eval.Ordinal(i)) {
			pair = pair.Swapped()
		}
		v.sort(p, pair, standing, lacking[i])
	}
	return nil
}

// flips draws whether a sample's answers change places. It is the same for
// all models and repeats, so that they are compared alike.
func (v *Voting) flips(o eval.Ordinal) bool {
	h := fnv.New64a()
	_, _ = h.Write(binary.BigEndian.AppendUint32([]byte(v.Order.Dataset), uint32(o)))
	return rand.New(rand.NewPCG(v.Order.Seed, h.Sum64())).IntN(2) == 1
}

// standing reads what is stored of a contest. Votes that were made with other
// settings cannot be gone on with.
func (v *Voting) standing(ctx context.Context, p *Tally) (map[eval.Pair]stand, error) {
	hash, _ := judge.Hash(v.setup)
	out := make(map[eval.Pair]stand)
	for one, err := range v.Factory.Store.Votes().Of(ctx, p.Contest) {
		switch {
		case err != nil:
			return nil, err
		case one.Reads() && one.Setup != hash:
			return nil, v.changed(ctx, p, one.Setup)
		case one.Reads():
			out[one.Pair] = stand{vote: one.Vote, text: one.Text}
		case one.Failure.Kind == eval.FailureSample:
			if _, known := out[one.Pair]; !known {
				out[one.Pair] = stand{failed: true}
			}
		}
	}
	return out, nil
}

// sort counts one vote.
func (v *Voting) sort(p *Tally, pair eval.Pair, standing map[eval.Pair]stand, lacking string) {
	s, known := standing[pair]
	g := &v.of[pair.Sample]
	stale := known && !s.failed && v.Order.Criteria && s.text != g.revision
	if stale {
		v.Stale++
	}
	unparsed := known && !s.failed && s.vote == eval.VoteUnset
	again := stale && v.Order.Stale || s.failed && v.Order.Failed || unparsed && v.Order.Unparsed
	if lacking != "" && (!known || again) {
		v.missing[lacking]++ // what stands of it stands
		if again = false; !known {
			return
		}
	}
	v.Wanted++
	p.Wanted++
	if g.blind {
		v.blind++
	}
	switch {
	case !known || again:
		v.Due = append(v.Due, dueVote{pair, p.Contest.Repeat})
	case s.failed:
		v.Failed++
	case unparsed:
		v.Unparsed++
	default:
		v.Stored++
	}
}

// spent takes up what the votes that are stored took.
func (v *Voting) spent(ctx context.Context) error {
	all, err := v.Factory.Store.Votes().Contests(ctx)
	if err != nil {
		return err
	}
	for i := range all {
		if slices.ContainsFunc(v.Polls, func(p Tally) bool { return p.Contest == all[i].Contest }) {
			v.Usage.Add(all[i].Counts.Usage)
		}
	}
	return nil
}

// LeftOut is what is not asked, and what is asked without a picture.
func (v *Voting) LeftOut() []eval.LeftOut {
	out := leftOut(v.missing)
	if v.blind > 0 {
		out = append(out, eval.LeftOut{Reason: WithoutPicture, Facts: v.blind, Asked: true})
	}
	return out
}

// questions yields what is due, read as it stands when it is asked.
func (v *Voting) questions(ctx context.Context) iter.Seq2[eval.VoteQuestion, error] {
	return each(ctx, v.Due, v.question)
}

// question is all that a judge is shown about a pair. A picture that the
// project does not hold is none.
func (v *Voting) question(d dueVote) (eval.VoteQuestion, error) {
	st, name, at := v.Factory.Store, v.Order.Dataset, d.pair.Sample
	q := eval.VoteQuestion{Pair: d.pair, Repeat: d.repeat, Pictures: st.Datasets().Picture}
	var err error
	if q.Sample, err = st.Datasets().Sample(name, at); err != nil {
		return q, err
	}
	q.Sample.Pictures = slices.DeleteFunc(slices.Clone(q.Sample.Pictures), func(p eval.Picture) bool { return !held(p) })
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
		q.Criteria, q.Revision = criteria.Text(set.Criteria()), criteria.Hash(set.Criteria())
	}
	if seesCaption(v.Order.Input) {
		if q.Caption, err = v.Factory.caption(name, at, v.captioner); err != nil {
			return q, err
		}
	}
	if seesDetections(v.Order.Input) {
		q.Detections, err = st.Detections().Of(name, at)
	}
	return q, err
}

// keepCriteria stores the texts of the criteria that votes will name, all at
// once so that they share commits.
func (v *Voting) keepCriteria(ctx context.Context) error {
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
		text := criteria.Text(set.Criteria())
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

// Estimate is what is due, before it is asked: of what was asked already, the
// length of a reply is known.
func (v *Voting) Estimate() (eval.Estimate, error) {
	voter, err := v.voter(nil)
	if err != nil {
		return eval.Estimate{}, err
	}
	return v.weigh(&v.Tally, len(v.Due), voteTokens, func(i int) (eval.Sample, eval.Chat, error) {
		q, err := v.question(v.Due[i])
		if err != nil {
			return q.Sample, eval.Chat{}, err
		}
		chat, err := voter.Chat(q)
		return q.Sample, chat, err
	})
}

// summary is what became of the order.
func (v *Voting) summary(p eval.Progress, ended error) VoteSummary {
	s := VoteSummary{
		Dataset: v.Order.Dataset, Judge: v.Order.Judge, Anchor: voteSide{v.Anchor.ID, v.Anchor.Config.Model},
		Criteria: v.Order.Criteria, Input: v.Order.Input.String(), Order: "both", Repeats: v.Order.Repeats,
		Stale: v.Stale, WithoutPicture: v.blind, jobSummary: jobSummaryOf(p, ended, &v.Tally, v.missing), asksStale: v.Order.Stale,
	}
	if v.Order.Shuffled {
		s.Order = "shuffled"
	}
	for _, m := range v.Models {
		s.Models = append(s.Models, voteSide{m.ID, m.Config.Model})
	}
	return s
}

// print says what became of a voting order: one object for scripts, else a few
// lines.
func (v *Voting) print(p eval.Progress, ended error) error {
	s := v.summary(p, ended)
	if v.Factory.JSON {
		return v.Factory.WriteJSON(s)
	}
	_, err := fmt.Fprint(v.Factory.Out, s.text())
	return err
}
