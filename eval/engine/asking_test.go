package engine_test

import (
	"context"
	"errors"
	"iter"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"concord/eval"
	"concord/eval/engine"
)

// booth is a judge that votes by a function, and what is stored of its votes.
type booth struct {
	vote func(q eval.VoteQuestion, n int) (eval.Vote, error)

	mu     sync.Mutex
	calls  int
	asked  map[eval.Pair]int
	stored []eval.Preference
	broken error
}

func (b *booth) Name() string { return "gpt" }
func (b *booth) BallotOfRepeat(repeat int) eval.Ballot {
	return eval.Ballot{Judge: "gpt", Input: eval.SeesImage, Repeat: repeat}
}

func (b *booth) Vote(_ context.Context, q eval.VoteQuestion) (eval.Preference, error) {
	b.mu.Lock()
	if b.asked == nil {
		b.asked = map[eval.Pair]int{}
	}
	n := b.asked[q.Pair]
	b.asked[q.Pair]++
	b.calls++
	b.mu.Unlock()
	v, err := b.vote(q, n)
	return eval.Preference{Vote: v, Call: eval.Call{Usage: eval.Usage{Prompt: 10}}}, err
}

func (b *booth) RecordVote(_ context.Context, p eval.Preference) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.broken != nil {
		return b.broken
	}
	b.stored = append(b.stored, p)
	return nil
}

// pairs asks for pairs in both orders, but for those that have a fact.
func (b *booth) pairs(samples int) engine.SingleCalls[eval.VoteQuestion] {
	all := make([]eval.VoteQuestion, 0, 2*samples)
	for i := range samples {
		p := eval.Pair{Sample: eval.Ordinal(i), First: 1, Second: 2}
		all = append(all, eval.VoteQuestion{Pair: p}, eval.VoteQuestion{Pair: p.Swapped()})
	}
	a := engine.SingleCalls[eval.VoteQuestion]{Terms: engine.Terms{Concurrency: 4}, Price: eval.Price{Prompt: 1e6}}
	have := map[eval.Pair]bool{}
	for _, p := range b.stored {
		have[p.Pair] = true
		switch {
		case p.Failure != nil:
			a.Tally.Failed++
		case p.Vote == eval.VoteUnset:
			a.Tally.Unparsed++
		default:
			a.Tally.Stored++
		}
		a.Tally.Usage.Add(p.Usage)
	}
	a.Tally.Wanted = len(all)
	a.Due = func(context.Context) iter.Seq2[eval.VoteQuestion, error] {
		return func(yield func(eval.VoteQuestion, error) bool) {
			for _, q := range all {
				if !have[q.Pair] && !yield(q, nil) {
					return
				}
			}
		}
	}
	return a
}

func startVotes(t *testing.T, b *booth, a engine.SingleCalls[eval.VoteQuestion]) *engine.Runner {
	t.Helper()
	r, err := engine.NewVoteRunner(a, b, b.RecordVote)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every pair gives one fact, whatever came of its call; what may pass is left
// to the next session, which asks nothing else.
func TestVotesAreFactsOfTheirOwn(t *testing.T) {
	b := &booth{vote: func(q eval.VoteQuestion, n int) (eval.Vote, error) {
		switch q.Pair.Sample {
		case 1:
			return eval.VoteUnset, nil
		case 2:
			return eval.Answer1, errors.New("content filter")
		case 3:
			if n < 2 {
				return eval.VoteUnset, &eval.Failure{Kind: eval.FailureTransient, Message: "busy"}
			}
		case 4:
			if n == 0 {
				return eval.VoteUnset, &eval.Failure{Kind: eval.FailureTransient, Message: "busy"}
			}
		case 5:
			panic("boom")
		}
		return eval.Answer1, nil
	}}
	a := b.pairs(8)
	a.Retry = engine.Retry{Max: 1, Base: time.Microsecond}
	r := startVotes(t, b, a)
	if p := r.Progress(); p.CallsLeft != 16 || p.Job.Work != eval.Voting || p.Job.Asked != "gpt" {
		t.Errorf("%+v", p)
	}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := r.Progress()
	want := eval.Tally{Wanted: 16, Stored: 8, Unparsed: 2, Failed: 4, PutOff: 2, Usage: p.Tally.Usage}
	if p.Tally != want || p.CallsLeft != 0 || p.State != eval.Done || len(b.stored) != 14 || p.InFlight != 0 {
		t.Errorf("%+v", p)
	}
	if cost, all := p.Cost, float64(10*(b.calls-2)); cost != all || !p.Priced { // a panic says nothing of its cost
		t.Errorf("cost %v of %v", cost, all)
	}
	for _, s := range b.stored {
		if s.Judge != "gpt" || s.Input != eval.SeesImage || s.At.IsZero() || s.Failure != nil && s.Vote != eval.VoteUnset {
			t.Errorf("%+v", s)
		}
	}
	before := b.calls
	r = startVotes(t, b, b.pairs(8))
	if p := r.Progress(); p.CallsLeft != 2 {
		t.Errorf("%+v", p)
	}
	if err := r.Run(t.Context()); err != nil || b.calls != before+2 {
		t.Errorf("%v, %d calls", err, b.calls-before)
	}
	if done, total := r.Progress().CountDoneOfAll(); done != 16 || total != 16 {
		t.Errorf("%d of %d", done, total)
	}
}

// What a workers does for questions it does for single calls too.
func TestVotesHaveTheCrew(t *testing.T) {
	always := func(eval.VoteQuestion, int) (eval.Vote, error) { return eval.Answer2, nil }
	t.Run("canary", func(t *testing.T) {
		b := &booth{vote: func(eval.VoteQuestion, int) (eval.Vote, error) {
			return eval.VoteUnset, &eval.Failure{Kind: eval.FailureConfiguration, Message: "wrong key"}
		}}
		r := startVotes(t, b, b.pairs(20))
		if err := r.Run(t.Context()); err == nil || b.calls != 1 || len(b.stored) != 0 || r.Progress().State != eval.Failed {
			t.Errorf("%v after %d calls", err, b.calls)
		}
	})
	t.Run("budget", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := &booth{vote: always}
			a := b.pairs(20)
			a.Budget, a.Concurrency = 50, 1
			r := startVotes(t, b, a)
			ended := make(chan error, 1)
			go func() { ended <- r.Run(t.Context()) }()
			synctest.Wait()
			if p := r.Progress(); p.State != eval.Paused || p.Tally.Stored != 5 || p.Why == "" {
				t.Errorf("%+v", p)
			}
			r.SetBudget(0)
			r.Resume()
			if err := <-ended; err != nil || r.Progress().Tally.Stored != 40 {
				t.Errorf("%v %+v", err, r.Progress())
			}
		})
	})
	t.Run("hold", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			from := time.Now()
			b := &booth{vote: func(eval.VoteQuestion, int) (eval.Vote, error) {
				if time.Since(from) < time.Hour {
					return eval.VoteUnset, &eval.Failure{Kind: eval.FailureTransient, Message: "down"}
				}
				return eval.Answer1, nil
			}}
			a := b.pairs(20)
			a.Retry = engine.Retry{Max: 100, Base: time.Second, Cap: time.Minute}
			r := startVotes(t, b, a)
			if err := r.Run(t.Context()); err != nil || r.Progress().Tally.Stored != 40 || b.calls > 40+60 {
				t.Errorf("%v, %d calls, %+v", err, b.calls, r.Progress())
			}
		})
	})
	t.Run("cancel", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		b := &booth{}
		b.vote = func(q eval.VoteQuestion, _ int) (eval.Vote, error) {
			if q.Pair.Sample == 5 {
				cancel()
			}
			return eval.Answer1, nil
		}
		r := startVotes(t, b, b.pairs(200))
		if err := r.Run(ctx); !errors.Is(err, context.Canceled) || len(b.stored) != b.calls || b.calls == 400 {
			t.Errorf("%v: %d stored of %d", err, len(b.stored), b.calls)
		}
	})
	t.Run("recorder", func(t *testing.T) {
		b := &booth{vote: always, broken: errors.New("disk full")}
		r := startVotes(t, b, b.pairs(20))
		if err := r.Run(t.Context()); !errors.Is(err, b.broken) || r.Progress().Tally.Stored != 0 {
			t.Errorf("%v %+v", err, r.Progress())
		}
	})
	t.Run("source", func(t *testing.T) {
		b, lost := &booth{vote: always}, errors.New("read page")
		a := b.pairs(20)
		due := a.Due
		a.Due = func(ctx context.Context) iter.Seq2[eval.VoteQuestion, error] {
			return func(yield func(eval.VoteQuestion, error) bool) {
				for q, err := range due(ctx) {
					if err != nil || q.Pair.Sample == 3 {
						yield(q, lost)
						return
					}
					if !yield(q, nil) {
						return
					}
				}
			}
		}
		if err := startVotes(t, b, a).Run(t.Context()); !errors.Is(err, lost) || len(b.stored) != b.calls || b.calls > 6 {
			t.Errorf("%v, %d stored", err, len(b.stored))
		}
	})
}

// clerk scores and describes, and keeps what it did.
type clerk struct {
	mu       sync.Mutex
	scores   []eval.Score
	captions []eval.Caption
}

func (c *clerk) Name() string { return "gpt" }
func (c *clerk) Score(_ context.Context, q eval.ScoreQuestion) (eval.Score, error) {
	return eval.Score{Value: int(q.Prediction.Sample) % 6}, nil
}

func (c *clerk) Caption(_ context.Context, s eval.Sample, _ func(eval.PictureHash) ([]byte, error)) (eval.Caption, error) {
	return eval.Caption{Text: s.Question}, nil
}

func (c *clerk) RecordScore(_ context.Context, s eval.Score) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scores = append(c.scores, s)
	return nil
}

func (c *clerk) RecordCaption(_ context.Context, d eval.Caption) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.captions = append(c.captions, d)
	return nil
}

func TestScoresAndCaptionsAreSingleCalls(t *testing.T) {
	c := &clerk{}
	scores := engine.SingleCalls[eval.ScoreQuestion]{
		Terms: engine.Terms{Concurrency: 3}, Tally: eval.Tally{Wanted: 12},
		Due: func(context.Context) iter.Seq2[eval.ScoreQuestion, error] {
			return func(yield func(eval.ScoreQuestion, error) bool) {
				for i := range 12 {
					key := eval.Key{Run: 7, Sample: eval.Ordinal(i)}
					if !yield(eval.ScoreQuestion{Prediction: eval.Prediction{Key: key}}, nil) {
						return
					}
				}
			}
		},
	}
	r, err := engine.NewScoreRunner(scores, c, c.RecordScore)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := r.Progress()
	if p.Job.Work != eval.Scoring || p.Tally.Stored != 10 || p.Tally.Unparsed != 2 || len(c.scores) != 12 || c.scores[3].Run != 7 || c.scores[3].Judge != "gpt" {
		t.Errorf("%+v %+v", p, c.scores)
	}
	captions := engine.SingleCalls[eval.Sample]{
		Job: eval.Job{Dataset: "d"}, Tally: eval.Tally{Wanted: 2},
		Due: func(context.Context) iter.Seq2[eval.Sample, error] {
			return func(yield func(eval.Sample, error) bool) {
				_ = yield(eval.Sample{Ordinal: 3, Question: "a cat"}, nil) && yield(eval.Sample{Ordinal: 4}, nil)
			}
		},
	}
	if r, err = engine.NewCaptionRunner(captions, c, nil, c.RecordCaption); err != nil {
		t.Fatal(err)
	}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p := r.Progress(); p.Tally.Stored != 1 || p.Tally.Unparsed != 1 || c.captions[0].Dataset != "d" || c.captions[0].Sample != 3 || c.captions[0].Model != "gpt" {
		t.Errorf("%+v %+v", p, c.captions)
	}
}
