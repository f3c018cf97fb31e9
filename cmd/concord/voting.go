package main

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
	"concord/eval"
	"concord/eval/engine"
	"concord/eval/judge"
	"concord/eval/prompt"
)

// votingOrder is what a judge is to vote on, as somebody asks for it: every
// model's answers against the anchor's.
type votingOrder struct {
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

// check names what does not go together.
func (o *votingOrder) check() error {
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

// voting is an order made out: whose answers are compared, what stands
// already, and what is still to be asked.
//
//	votingOrder --lab.voting--> voting --runner--> engine.Runner --> live or follow
type voting struct {
	role
	order  votingOrder
	data   eval.Dataset
	anchor eval.Run
	models []eval.Run
	polls  []poll // by repeat, then by model
	grounds
	tally
}

// voting makes an order out. Nothing is asked, and nothing is stored.
func (l *lab) voting(ctx context.Context, o *votingOrder) (*voting, error) {
	if err := o.check(); err != nil {
		return nil, asUsage(err)
	}
	s, err := l.survey(ctx, o.Dataset)
	if err != nil {
		return nil, err
	}
	v := &voting{order: *o, data: s.dataset}
	if v.anchor, err = l.answering(o.Dataset, o.Anchor, o.Runs); err != nil {
		return nil, err
	}
	for _, m := range slices.Compact(slices.Sorted(slices.Values(o.Models))) {
		run, err := l.answering(o.Dataset, m, o.Runs)
		if err != nil {
			return nil, err
		}
		v.models = append(v.models, run)
	}
	for _, id := range o.Runs {
		if id != v.anchor.ID && !slices.ContainsFunc(v.models, func(r eval.Run) bool { return r.ID == id }) {
			return nil, asUsage(fmt.Errorf("run %d is of none of the compared models on dataset %s", id, o.Dataset))
		}
	}
	if v.role, err = l.juror(o); err != nil {
		return nil, err
	}
	if v.grounds, err = l.grounds(ctx, o, v.data.Samples); err != nil {
		return nil, err
	}
	return v, v.take(ctx)
}

// answering is the run whose answers a model's are, of those of its own that
// are named or else of all.
func (l *lab) answering(d eval.DatasetName, model string, ids []eval.RunID) (eval.Run, error) {
	all, err := l.st.Runs().List()
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
		return eval.Run{}, asUsage(fmt.Errorf("model %s has %d runs on dataset %s (%d and %d among them): name one with --run",
			model, len(found), d, found[0].ID, found[1].ID))
	case len(models) == 0:
		return eval.Run{}, fmt.Errorf("dataset %s has no answers yet (see: concord eval --help, concord import predictions --help): %w", d, eval.ErrNotFound)
	}
	return eval.Run{}, fmt.Errorf("no run of model %s on dataset %s (models with answers: %s): %w", model, d, few(slices.Compact(models)), eval.ErrNotFound)
}

// juror is the judge as the configuration has it today.
func (l *lab) juror(o *votingOrder) (role, error) {
	r, err := l.cast(o.Judge, prompt.Compares(o.Input))
	if err == nil && o.Input == eval.SeesImage {
		err = r.sight(o.Edge)
	}
	if err != nil {
		return r, fmt.Errorf("judge %s: %w", o.Judge, err)
	}
	return r, nil
}

// title is what messages call the job.
func (v *voting) title() string { return "votes of " + visible(v.order.Judge) }

func (v *voting) asked() string { return v.order.Judge }

func (v *voting) fact() string { return "vote" }

func (v *voting) on() []eval.Run { return append([]eval.Run{v.anchor}, v.models...) }

// voter is the judge, ready to be asked; with a nil chatter it only says what
// it would be asked.
func (v *voting) voter(c eval.Chatter) (*judge.Voter, error) {
	return judge.NewVoter(judge.VoterOptions{
		Setup: v.setup, Chatter: c, Set: v.set, Input: v.order.Input, Criteria: v.order.Criteria, Hints: v.lab.conf.Hints(),
	})
}

// runner is what asks for the votes that are due. The texts that they name are
// stored first.
func (v *voting) runner(ctx context.Context, e effort) (*engine.Runner, error) {
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
		Terms: v.lab.terms(e, v.asked()), Job: v.job(), Price: v.lab.price(v.asked()), Tally: v.Tally, Due: v.questions,
	}, voter, v.lab.st.Votes())
}

// job says what the votes are about.
func (v *voting) job() eval.Job {
	j := eval.Job{Dataset: v.order.Dataset, Asked: v.order.Judge, Runs: []eval.RunID{v.anchor.ID}, LeftOut: v.leftOut()}
	for _, m := range v.models {
		j.Runs = append(j.Runs, m.ID)
	}
	for i := range v.polls {
		j.Contests = append(j.Contests, v.polls[i].contest)
	}
	return j
}

// same reports whether two orders are about the same contests in the same
// way.
func (v *voting) same(o *voting) bool {
	return v.order.Shuffled == o.order.Shuffled && slices.EqualFunc(v.polls, o.polls, func(p, q poll) bool { return p.contest == q.contest })
}

// changed says that votes of a ballot were made with other settings, by the
// hash of these, and what can be done about it.
func (v *voting) changed(ctx context.Context, p *poll, was string) error {
	c := p.contest
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
func (v *voting) freeRepeat(ctx context.Context, p *poll) (int, error) {
	all, err := v.lab.st.Votes().Contests(ctx)
	if err != nil {
		return 0, err
	}
	free := p.contest
	for slices.ContainsFunc(all, func(c eval.ContestProgress) bool { return c.Contest == free }) {
		free.Repeat++
	}
	return free.Repeat, nil
}

// first is the contest that is asked first.
func (v *voting) first() eval.Contest {
	for _, p := range v.polls {
		if d := v.due; len(d) > 0 && p.contest.Repeat == d[0].repeat && (p.model == d[0].pair.First || p.model == d[0].pair.Second) {
			return p.contest
		}
	}
	return v.polls[0].contest
}

// take finds out what stands and what is due.
func (v *voting) take(ctx context.Context) error {
	v.missing = make(map[string]int)
	anchor, err := v.answers(ctx, v.anchor.ID, noAnchor, failedAnchor)
	if err != nil {
		return err
	}
	voter, err := v.voter(nil)
	if err != nil {
		return err
	}
	lacking := make([][]string, len(v.models)) // why a sample cannot be asked, by model
	for i, m := range v.models {
		own, err := v.answers(ctx, m.ID, noAnswer, failedAnswer)
		if err != nil {
			return err
		}
		for o := range own {
			own[o] = cmp.Or(anchor[o], own[o], v.of[o].missing)
		}
		lacking[i] = own
	}
	repeats := slices.Compact(slices.Sorted(slices.Values(v.order.Repeats)))
	if len(repeats) == 0 {
		repeats = []int{0}
	}
	v.order.Repeats = repeats
	for _, repeat := range repeats {
		for i, m := range v.models {
			p := poll{model: m.ID, contest: eval.Contest{A: min(m.ID, v.anchor.ID), B: max(m.ID, v.anchor.ID), Ballot: voter.Ballot(repeat)}}
			if err := v.count(ctx, &p, lacking[i]); err != nil {
				return err
			}
			v.polls = append(v.polls, p)
		}
	}
	return v.spent(ctx)
}

// answers say of every sample what is wrong with a run's answer, "" for one
// that there is.
func (v *voting) answers(ctx context.Context, id eval.RunID, none, failed string) ([]string, error) {
	out := make([]string, v.data.Samples)
	for i := range out {
		out[i] = none
	}
	for p, err := range v.lab.st.Runs().Predictions(ctx, id, eval.Key{}) {
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
func (v *voting) count(ctx context.Context, p *poll, lacking []string) error {
	standing, err := v.standing(ctx, p)
	if err != nil {
		return err
	}
	for i := range lacking {
		pair := eval.Pair{Sample: eval.Ordinal(i), First: p.model, Second: v.anchor.ID}
		if !v.order.Shuffled {
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
func (v *voting) flips(o eval.Ordinal) bool {
	h := fnv.New64a()
	_, _ = h.Write(binary.BigEndian.AppendUint32([]byte(v.order.Dataset), uint32(o)))
	return rand.New(rand.NewPCG(v.order.Seed, h.Sum64())).IntN(2) == 1
}

// standing reads what is stored of a contest. Votes that were made with other
// settings cannot be gone on with.
func (v *voting) standing(ctx context.Context, p *poll) (map[eval.Pair]stand, error) {
	hash, _ := judge.Hash(v.setup)
	out := make(map[eval.Pair]stand)
	for one, err := range v.lab.st.Votes().Of(ctx, p.contest) {
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
func (v *voting) sort(p *poll, pair eval.Pair, standing map[eval.Pair]stand, lacking string) {
	s, known := standing[pair]
	g := &v.of[pair.Sample]
	stale := known && !s.failed && v.order.Criteria && s.text != g.revision
	if stale {
		v.stale++
	}
	unparsed := known && !s.failed && s.vote == eval.VoteUnset
	again := stale && v.order.Stale || s.failed && v.order.Failed || unparsed && v.order.Unparsed
	if lacking != "" && (!known || again) {
		v.missing[lacking]++ // what stands of it stands
		if again = false; !known {
			return
		}
	}
	v.Wanted++
	p.wanted++
	if g.blind {
		v.blind++
	}
	switch {
	case !known || again:
		v.due = append(v.due, dueVote{pair, p.contest.Repeat})
	case s.failed:
		v.Failed++
	case unparsed:
		v.Unparsed++
	default:
		v.Stored++
	}
}

// spent takes up what the votes that are stored took.
func (v *voting) spent(ctx context.Context) error {
	all, err := v.lab.st.Votes().Contests(ctx)
	if err != nil {
		return err
	}
	for i := range all {
		if slices.ContainsFunc(v.polls, func(p poll) bool { return p.contest == all[i].Contest }) {
			v.Usage.Add(all[i].Counts.Usage)
		}
	}
	return nil
}

// leftOut is what is not asked, and what is asked without a picture.
func (v *voting) leftOut() []eval.LeftOut {
	out := leftOut(v.missing)
	if v.blind > 0 {
		out = append(out, eval.LeftOut{Reason: withoutPicture, Facts: v.blind, Asked: true})
	}
	return out
}

// questions yields what is due, read as it stands when it is asked.
func (v *voting) questions(ctx context.Context) iter.Seq2[eval.VoteQuestion, error] {
	return each(ctx, v.due, v.question)
}

// question is all that a judge is shown about a pair. A picture that the
// project does not hold is none.
func (v *voting) question(d dueVote) (eval.VoteQuestion, error) {
	st, name, at := v.lab.st, v.order.Dataset, d.pair.Sample
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
	if v.order.Criteria {
		q.Criteria, q.Revision = criteria.Text(set.Criteria()), criteria.Hash(set.Criteria())
	}
	if seesCaption(v.order.Input) {
		if q.Caption, err = v.lab.caption(name, at, v.captioner); err != nil {
			return q, err
		}
	}
	if seesDetections(v.order.Input) {
		q.Detections, err = st.Detections().Of(name, at)
	}
	return q, err
}

// keepCriteria stores the texts of the criteria that votes will name, all at
// once so that they share commits.
func (v *voting) keepCriteria(ctx context.Context) error {
	if !v.order.Criteria || len(v.due) == 0 {
		return nil
	}
	var failed []error
	var mu sync.Mutex
	var wg sync.WaitGroup
	for set, err := range v.lab.st.Criteria().All(ctx, v.order.Dataset) {
		if err != nil {
			failed = append(failed, err)
			break
		}
		text := criteria.Text(set.Criteria())
		if text == "" {
			continue
		}
		wg.Go(func() {
			if _, err := v.lab.st.Texts().Put(ctx, text); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed = append(failed, fmt.Errorf("keep criteria of sample %d: %w", set.Sample, err))
			}
		})
	}
	wg.Wait()
	return errors.Join(failed...)
}

// estimate is what is due, before it is asked: of what was asked already, the
// length of a reply is known.
func (v *voting) estimate() (eval.Estimate, error) {
	voter, err := v.voter(nil)
	if err != nil {
		return eval.Estimate{}, err
	}
	return v.weigh(&v.Tally, len(v.due), voteTokens, func(i int) (eval.Sample, eval.Chat, error) {
		q, err := v.question(v.due[i])
		if err != nil {
			return q.Sample, eval.Chat{}, err
		}
		chat, err := voter.Chat(q)
		return q.Sample, chat, err
	})
}

// summary is what became of the order.
func (v *voting) summary(p eval.Progress, ended error) voteSummary {
	s := voteSummary{
		Dataset: v.order.Dataset, Judge: v.order.Judge, Anchor: voteSide{v.anchor.ID, v.anchor.Config.Model},
		Criteria: v.order.Criteria, Input: v.order.Input.String(), Order: "both", Repeats: v.order.Repeats,
		Stale: v.stale, WithoutPicture: v.blind, errandSummary: errandSummaryOf(p, ended, &v.Tally, v.missing), asksStale: v.order.Stale,
	}
	if v.order.Shuffled {
		s.Order = "shuffled"
	}
	for _, m := range v.models {
		s.Models = append(s.Models, voteSide{m.ID, m.Config.Model})
	}
	return s
}

// print says what became of a voting order: one object for scripts, else a few
// lines.
func (v *voting) print(p eval.Progress, ended error) error {
	s := v.summary(p, ended)
	if v.lab.json {
		return v.lab.writeJSON(s)
	}
	_, err := fmt.Fprint(v.lab.out, s.text())
	return err
}
