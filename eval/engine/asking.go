package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"concord/eval"
)

// Asking is a job of single calls, each of which gives one fact of its own: a
// vote, a score, a caption. Every question is a unit of work, so that order
// decides nothing.
//
// A reply that holds nothing is a fact like any other, and so is a failure of
// the sample. A failure that may pass is none: what was asked for stays
// pending, and is asked again by the next session.
type Asking[Q any] struct {
	Terms
	Job   eval.Job // Work and Asked are filled in
	Price eval.Price
	Tally eval.Tally // what is stored already, less what Due asks again
	// Due yields what is to be asked in this session, each once. It is called
	// once, and read while facts are stored.
	Due func(ctx context.Context) iter.Seq2[Q, error]
}

// NewVotes builds a runner that has a judge vote.
func NewVotes(a Asking[eval.VoteQuestion], v eval.Voter, to eval.VoteRecorder) (*Runner, error) {
	if v == nil || to == nil {
		return nil, errors.New("ask for votes: voter and recorder are both needed")
	}
	return newAsking(a, eval.Voting, "judge ", v.Name(), func(ctx context.Context, q eval.VoteQuestion) reply {
		p, m := once(a.Now, func() (eval.Preference, error) { return v.Vote(ctx, q) })
		if p.Pair = q.Pair; p.Ballot == (eval.Ballot{}) { // the voter panicked
			p.Ballot = v.Ballot(q.Repeat)
		}
		p.At, p.Latency, p.Failure = m.at, m.latency, m.failure
		if p.Failure != nil {
			p.Vote = eval.VoteUnset
		}
		return reply{p.Usage, p.Vote != eval.VoteUnset, p.Failure, func(ctx context.Context) error {
			return wrap(to.RecordVote(ctx, p), "record vote of %s on sample %d of runs %d and %d", p.Judge, p.Sample, p.First, p.Second)
		}}
	})
}

// NewScores builds a runner that has a judge score open answers.
func NewScores(a Asking[eval.ScoreQuestion], s eval.Scorer, to eval.ScoreRecorder) (*Runner, error) {
	if s == nil || to == nil {
		return nil, errors.New("ask for scores: scorer and recorder are both needed")
	}
	return newAsking(a, eval.Scoring, "judge ", s.Name(), func(ctx context.Context, q eval.ScoreQuestion) reply {
		f, m := once(a.Now, func() (eval.Score, error) { return s.Score(ctx, q) })
		f.Key, f.Judge = q.Prediction.Key, s.Name()
		f.At, f.Latency, f.Failure = m.at, m.latency, m.failure
		if f.Failure != nil {
			f.Value = 0
		}
		return reply{f.Usage, f.Value != 0, f.Failure, func(ctx context.Context) error {
			return wrap(to.RecordScore(ctx, f), "record score of %v by %s", f.Key, f.Judge)
		}}
	})
}

// NewCaptions builds a runner that has a model describe pictures, which it
// gets from there. The job names the dataset. An empty description counts as
// unparsed.
func NewCaptions(a Asking[eval.Sample], c eval.Captioner, pictures func(eval.PictureHash) ([]byte, error), to eval.CaptionRecorder) (*Runner, error) {
	if c == nil || to == nil || a.Job.Dataset == "" {
		return nil, errors.New("ask for captions: captioner, recorder and dataset are all needed")
	}
	return newAsking(a, eval.Captioning, "", c.Name(), func(ctx context.Context, s eval.Sample) reply {
		f, m := once(a.Now, func() (eval.Caption, error) { return c.Caption(ctx, s, pictures) })
		f.Dataset, f.Sample, f.Model = a.Job.Dataset, s.Ordinal, c.Name()
		f.At, f.Latency, f.Failure = m.at, m.latency, m.failure
		if f.Failure != nil {
			f.Text = ""
		}
		return reply{f.Usage, f.Text != "", f.Failure, func(ctx context.Context) error {
			return wrap(to.RecordCaption(ctx, f), "record caption of sample %d by %s", f.Sample, f.Model)
		}}
	})
}

func newAsking[Q any](a Asking[Q], w eval.Work, role, asked string, ask func(context.Context, Q) reply) (*Runner, error) {
	if a.Due == nil {
		return nil, fmt.Errorf("ask %s%s: nothing says what is due", role, asked)
	}
	a.fill()
	a.Job.Work, a.Job.Asked = w, asked
	t := newTracker(&a.Terms, eval.Progress{Job: a.Job, Tally: a.Tally}, newPurse(a.Price, true))
	t.left = leftToAsk
	s := &singles[Q]{questions: a.Due, ask: ask, tracker: t, to: newLine("ask "+role+asked, "", &a.Terms, t)}
	return &Runner{terms: a.Terms, job: s, tracker: t}, nil
}

// moment is when and how a call ended.
type moment struct {
	at      time.Time
	latency time.Duration
	failure *eval.Failure
}

// once makes a call and keeps the time. A panic of what is called is the
// sample's failure.
func once[F any](now func() time.Time, call func() (F, error)) (f F, m moment) {
	if now == nil {
		now = time.Now
	}
	start := now()
	defer func() {
		if v := recover(); v != nil {
			m.failure = &eval.Failure{Kind: eval.FailureSample, Message: fmt.Sprintf("panicked: %v", v)}
		}
		m.at = now()
		m.latency = m.at.Sub(start)
	}()
	f, err := call()
	m.failure = eval.FailureOf(err)
	return f, m
}

func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf(format+": %w", append(args, err)...)
}
