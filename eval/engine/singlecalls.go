package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"time"

	"concord/eval"
)

// SingleCalls is a job of single calls, each of which gives one fact of its own: a vote, a
// score, a caption, grades. Every question is a unit of work, so that order decides nothing.
//
// A reply that holds nothing is a fact like any other, and so is a failure of the sample. A
// failure that may pass is none: what was asked for stays pending, and is asked again by the
// next session. What records a fact returns once it is committed, beside the earlier ones.
type SingleCalls[Q any] struct {
	Terms
	Job   eval.Job // Work and Asked are filled in
	Price eval.Price
	Tally eval.Tally // what is stored already, less what Due asks again
	// Due yields what is to be asked in this session, each once. It is called
	// once, and read while facts are stored.
	Due func(ctx context.Context) iter.Seq2[Q, error]
}

// NewVoteRunner builds a runner that has a judge vote.
func NewVoteRunner(a SingleCalls[eval.VoteQuestion], v eval.Voter, record func(context.Context, eval.Preference) error) (*Runner, error) {
	if v == nil || record == nil {
		return nil, errors.New("ask for votes: voter and recorder are both needed")
	}
	return newSingleCallRunner(a, eval.Voting, "judge ", v.Name(), func(ctx context.Context, q eval.VoteQuestion) callReply {
		p, m := timeAndRecover(a.Now, func() (eval.Preference, error) { return v.Vote(ctx, q) })
		if p.Pair = q.Pair; p.Ballot == (eval.Ballot{}) { // the voter panicked
			p.Ballot = v.BallotOfRepeat(q.Repeat)
		}
		p.At, p.Latency, p.Failure = m.at, m.latency, m.failure
		if p.Failure != nil {
			p.Vote = eval.VoteUnset
		}
		return callReply{p.Usage, p.Vote != eval.VoteUnset, p.Failure, func(ctx context.Context) error {
			return eval.WrapError(record(ctx, p), "record vote of %s on sample %d of runs %d and %d", p.Judge, p.Sample, p.First, p.Second)
		}}
	})
}

// NewScoreRunner builds a runner that has a judge score open answers.
func NewScoreRunner(a SingleCalls[eval.ScoreQuestion], s eval.Scorer, record func(context.Context, eval.Score) error) (*Runner, error) {
	if s == nil || record == nil {
		return nil, errors.New("ask for scores: scorer and recorder are both needed")
	}
	return newSingleCallRunner(a, eval.Scoring, "judge ", s.Name(), func(ctx context.Context, q eval.ScoreQuestion) callReply {
		f, m := timeAndRecover(a.Now, func() (eval.Score, error) { return s.Score(ctx, q) })
		f.Key, f.Judge = q.Prediction.Key, s.Name()
		f.At, f.Latency, f.Failure = m.at, m.latency, m.failure
		if f.Failure != nil {
			f.Value = 0
		}
		return callReply{f.Usage, f.Value != 0, f.Failure, func(ctx context.Context) error {
			return eval.WrapError(record(ctx, f), "record score of %v by %s", f.Key, f.Judge)
		}}
	})
}

// NewReadingRunner builds one that has a judge read answers. One that does not parse counts as unparsed.
func NewReadingRunner(a SingleCalls[eval.JudgeQuestion], j eval.Judge, to eval.JudgmentRecorder) (*Runner, error) {
	return newSingleCallRunner(a, eval.Reading, "judge ", j.Name(), func(ctx context.Context, q eval.JudgeQuestion) callReply {
		f, m := timeAndRecover(a.Now, func() (eval.Judgment, error) { return j.Judge(ctx, q) })
		f.Key, f.Judge = q.Prediction.Key, j.Name()
		f.At, f.Latency, f.Failure = m.at, m.latency, m.failure
		if f.Failure != nil {
			f.Extraction = eval.Extraction{}
		}
		return callReply{f.Usage, f.Failure == nil && f.Extraction.Status != eval.Missing, f.Failure, func(ctx context.Context) error {
			return eval.WrapError(to.RecordJudgment(ctx, f, false), "record extraction of %v by %s", f.Key, f.Judge)
		}}
	})
}

// NewCaptionRunner builds a runner that has a model describe pictures, which it gets from there. The
// job names the dataset. An empty description counts as unparsed.
func NewCaptionRunner(a SingleCalls[eval.Sample], c eval.Captioner, pictures func(eval.PictureHash) ([]byte, error), record func(context.Context, eval.Caption) error) (*Runner, error) {
	if c == nil || record == nil || a.Job.Dataset == "" {
		return nil, errors.New("ask for captions: captioner, recorder and dataset are all needed")
	}
	return newSingleCallRunner(a, eval.Captioning, "", c.Name(), func(ctx context.Context, s eval.Sample) callReply {
		f, m := timeAndRecover(a.Now, func() (eval.Caption, error) { return c.Caption(ctx, s, pictures) })
		f.Dataset, f.Sample, f.Model = a.Job.Dataset, s.Ordinal, c.Name()
		f.At, f.Latency, f.Failure = m.at, m.latency, m.failure
		if f.Failure != nil {
			f.Text = ""
		}
		return callReply{f.Usage, f.Text != "", f.Failure, func(ctx context.Context) error {
			return eval.WrapError(record(ctx, f), "record caption of sample %d by %s", f.Sample, f.Model)
		}}
	})
}

// NewGradeRunner builds a runner that has a judge grade responses. A reply that lacks
// a verdict on one of its criteria counts as unparsed.
func NewGradeRunner(a SingleCalls[eval.GradeQuestion], g eval.Grader, record func(context.Context, []eval.Grade) (added int, err error)) (*Runner, error) {
	if g == nil || record == nil {
		return nil, errors.New("ask for grades: grader and recorder are both needed")
	}
	return newSingleCallRunner(a, eval.Grading, "judge ", g.Name(), func(ctx context.Context, q eval.GradeQuestion) callReply {
		all, m := timeAndRecover(a.Now, func() ([]eval.Grade, error) { return g.Grade(ctx, q) })
		if len(all) != len(q.Criteria) { // the grader panicked
			all = make([]eval.Grade, len(q.Criteria))
			for i, c := range q.Criteria {
				all[i] = eval.Grade{Key: q.Prediction.Key, Judge: g.Name(), Criterion: c.Name, Hash: c.Hash, Repeat: q.Repeat}
			}
		}
		out := callReply{read: m.failure == nil, failure: m.failure}
		for i := range all {
			f := &all[i]
			f.At, f.Latency, f.Failure = m.at, m.latency, m.failure
			if f.Failure != nil {
				f.Graded = eval.Graded{}
			}
			out.usage.Add(f.Usage)
			out.read = out.read && f.Verdict != eval.VerdictUnset
		}
		out.record = func(ctx context.Context) error {
			_, err := record(ctx, all)
			return eval.WrapError(err, "record grades of %v by %s", q.Prediction.Key, g.Name())
		}
		return out
	})
}

func newSingleCallRunner[Q any](a SingleCalls[Q], w eval.Work, role, asked string, ask func(context.Context, Q) callReply) (*Runner, error) {
	if a.Due == nil {
		return nil, fmt.Errorf("ask %s%s: nothing says what is due", role, asked)
	}
	a.setDefaults()
	a.Job.Work, a.Job.Asked = w, asked
	t := newTracker(&a.Terms, eval.Progress{Job: a.Job, Tally: a.Tally}, newCostTracker(a.Price, true))
	t.left = func(_ *tracker, p *eval.Progress) int { return max(p.Tally.CountPending()-p.Tally.PutOff, 0) }
	s := &singleCallJob[Q]{questions: a.Due, ask: ask, tracker: t, to: newEndpointMonitor("ask "+role+asked, "", &a.Terms, t)}
	return &Runner{terms: a.Terms, job: s, tracker: t}, nil
}

// callTiming is when and how a call ended.
type callTiming struct {
	at      time.Time
	latency time.Duration
	failure *eval.Failure
}

// timeAndRecover makes a call and keeps the time. A panic of what is called is the sample's failure.
func timeAndRecover[F any](now func() time.Time, call func() (F, error)) (f F, m callTiming) {
	now = eval.Either(now != nil, now, time.Now)
	start := now()
	defer func() {
		if v := recover(); v != nil {
			m.failure = &eval.Failure{Kind: eval.FailureSample, Message: fmt.Sprintf("panicked: %v", v)}
		}
		m.at = now()
		m.latency = m.at.Sub(start)
	}()
	f, err := call()
	m.failure = eval.FailureOfError(err)
	return f, m
}

var (
	_ job  = (*singleCallJob[int])(nil)
	_ unit = (*singleCall[int])(nil)
)

type callReply struct {
	usage   eval.Usage
	read    bool // it holds what was asked for
	failure *eval.Failure
	record  func(context.Context) error // makes it durable
}

// singleCallJob is a job whose units are single calls.
type singleCallJob[Q any] struct {
	questions func(context.Context) iter.Seq2[Q, error]
	ask       func(context.Context, Q) callReply
	to        *endpointMonitor
	tracker   *tracker
}

func (s *singleCallJob[Q]) dueUnits(ctx context.Context) iter.Seq2[unit, error] {
	return func(yield func(unit, error) bool) {
		for q, err := range s.questions(ctx) {
			if err != nil {
				yield(nil, fmt.Errorf("read what to ask: %w", err))
				return
			}
			if !yield(&singleCall[Q]{singleCallJob: s, question: q}, nil) {
				return
			}
		}
	}
}

type singleCall[Q any] struct {
	*singleCallJob[Q]
	question Q
	made     bool
}

func (s *singleCall[Q]) countStored() (stored, total int, closed bool) { return 0, 1, s.made }

func (s *singleCall[Q]) nextCall() (call, bool) {
	return call{to: s.to, try: func(ctx context.Context, _ int) outcome {
		r := s.ask(ctx, s.question)
		return outcome{usage: r.usage, failure: r.failure, settle: func(ctx context.Context) error { return s.recordReply(ctx, r) }}
	}}, !s.made
}

// recordReply makes a reply durable, and then counts it. Of a failure that may pass only the cost is kept.
func (s *singleCall[Q]) recordReply(ctx context.Context, r callReply) error {
	s.made = true
	if r.failure != nil && r.failure.Kind != eval.FailureSample {
		s.tracker.countLostUsage("", r.usage)
		s.tracker.change(func(p *eval.Progress) { p.Tally.PutOff++ })
		return nil
	}
	if err := r.record(ctx); err != nil {
		return err
	}
	s.tracker.countReply(r)
	return nil
}

// countReply counts a committed fact of a single call.
func (t *tracker) countReply(r callReply) {
	t.change(func(p *eval.Progress) {
		switch {
		case r.failure != nil:
			p.Tally.Failed++
		case r.read:
			p.Tally.Stored++
		default:
			p.Tally.Unparsed++
		}
		p.Tally.Usage.Add(r.usage)
		t.rate.addEvent(t.now())
	})
}

// Terms are what holds for the calls of every kind of work alike. Nothing in them changes a fact.
type Terms struct {
	Concurrency int     // units of work at once; 0 is 1
	Budget      float64 // the work pauses when Progress.Cost reaches it; 0: never
	Retry       Retry
	Hold        Hold
	Grace       time.Duration    // for calls in flight after a cancel; 0 is DefaultGrace
	Unresolved  time.Duration    // for how long a host's name may not resolve before the work ends; 0: for ever
	Now         func() time.Time // nil is time.Now
}

// setDefaults fills in what was left out.
func (t *Terms) setDefaults() {
	t.Concurrency = max(t.Concurrency, 1)
	t.Hold.setDefaults(t.Concurrency)
	t.Grace = eval.Either(t.Grace > 0, t.Grace, DefaultGrace)
	t.Now = eval.Either(t.Now != nil, t.Now, time.Now)
}

// DefaultGrace is how long calls in flight may take to finish once a run is cancelled.
const DefaultGrace = 5 * time.Second

// Retry says how often and when a call that failed transiently is tried again. The zero value tries once.
type Retry struct {
	Max      int            // further calls after the first
	Base     time.Duration  // wait before the first retry; doubles with each
	Cap      time.Duration  // longest wait; 0 is no limit
	Patience time.Duration  // longest wait that an endpoint may ask for; 0 is DefaultPatience
	Rand     func() float64 // in [0, 1), for jitter; nil is math/rand
}

// DefaultPatience is for how long an endpoint may ask not to be called again.
// A call that it wants to hear of later still counts as failed.
const DefaultPatience = 10 * time.Minute

// Hold says when an endpoint counts as silent, and how often it is tried
// again. While it is silent no other call is made to it.
type Hold struct {
	After int           // transient failures in a row; 0: see below
	Base  time.Duration // wait before it is tried again, doubling with each try; 0 is DefaultHold
	Cap   time.Duration // longest wait; 0 is DefaultHoldCap

	first int // After, of an endpoint that has not answered yet
}

// What After is when it is not set. A burst of failures takes down all calls
// that are under way, and their first retries, without being an outage; before
// its first answer an endpoint gets one call at a time, and few are enough.
const (
	holdRounds = 2 // of as many calls as there are at once
	holdLeast  = 8
	holdFirst  = 4
)

// How long the tries of a silent endpoint are apart. One that answered within
// the last minute, or has just been called for the first time, is most likely
// there and drops many calls: it is tried twice a second at first.
const (
	DefaultHold    = 30 * time.Second
	DefaultHoldCap = 10 * time.Minute
	holdLately     = time.Minute
	holdQuick      = 400 * time.Millisecond
	holdQuickTries = 24
)

// restLively is how long a call waits for which an endpoint asked a longer rest, while others get through.
const restLively = 10 * time.Second

// DrawDelay is how long to wait before retry n (from 0): between half and the whole of Base doubled n
// times, at most Cap. Half is jitter, so that calls that failed together do not come back together.
func (y Retry) DrawDelay(n int) time.Duration {
	d := y.Base
	for ; n > 0 && d < 1<<40 && (y.Cap == 0 || d < y.Cap); n-- {
		d *= 2
	}
	if y.Cap > 0 {
		d = min(d, y.Cap)
	}
	random := eval.Either(y.Rand != nil, y.Rand, rand.Float64)
	return d/2 + time.Duration(random()*float64(d/2))
}

// delayOrGiveUp gives how long to wait after attempt n failed so; false when it was the last one. lively
// says that other calls get through: then the endpoint is not asked to be heard of an hour later.
func (y Retry) delayOrGiveUp(n int, f *eval.Failure, lively bool) (time.Duration, bool) {
	patience := eval.Either(y.Patience > 0, y.Patience, DefaultPatience)
	if n >= y.Max || f.After > patience && !lively {
		return 0, false
	}
	return max(y.DrawDelay(n), min(f.After, patience)), true
}

func (h *Hold) setDefaults(concurrency int) {
	h.first = h.After
	if h.After <= 0 {
		h.After, h.first = max(holdLeast, holdRounds*concurrency), holdFirst
	}
	h.Base = cmp.Or(max(h.Base, 0), DefaultHold)
	h.Cap = max(cmp.Or(max(h.Cap, 0), DefaultHoldCap), h.Base)
}
