package store

import (
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"concord/eval"
	"concord/store/record"
)

// preferred is a judge's vote on a pair, as if it had replied so.
func preferred(sample eval.Ordinal, first, second eval.RunID, v eval.Vote) eval.Preference {
	return eval.Preference{
		Pair:   eval.Pair{Sample: sample, First: first, Second: second},
		Ballot: eval.Ballot{Judge: "gpt", Input: eval.SeesImage}, Vote: v, Raw: v.String(), Call: eval.Call{At: clock(), Usage: eval.Usage{Prompt: 1}},
	}
}

func TestVotes(t *testing.T) {
	s := openTest(t, Options{})
	addDataset(t, s, "d", samples(3))
	a, b, c := addRun(t, s, "a"), addRun(t, s, "b"), addRun(t, s, "c")
	ctx, votes := t.Context(), s.Votes()
	put := func(want int, all ...eval.Preference) {
		t.Helper()
		same(t, got[int](t)(votes.Put(ctx, all)), want)
	}
	first := []eval.Preference{
		preferred(1, b.ID, a.ID, eval.Answer2), // out of order, as files may be
		preferred(0, a.ID, b.ID, eval.Answer1),
		preferred(0, b.ID, a.ID, eval.VoteUnset),
		preferred(0, a.ID, c.ID, eval.SituationOne),
	}
	put(4, first...)
	put(0, first...)
	again := preferred(0, b.ID, a.ID, eval.Answer1)
	failed := preferred(2, a.ID, b.ID, eval.VoteUnset)
	failed.Failure = &eval.Failure{Kind: eval.FailureTransient, Message: "busy"}
	put(2, again, failed)
	put(1, failed) // a second failed call is another fact

	contest := eval.Comparison{A: a.ID, B: b.ID, Ballot: again.Ballot}
	same(t, all(t, votes.OfComparison(ctx, contest)), []eval.Preference{first[1], first[2], again, first[0], failed, failed})
	for o, want := range [][]eval.Preference{{first[1], again}, {first[0]}, {failed}, nil} {
		same(t, got[[]eval.Preference](t)(votes.OnSample(ctx, contest, eval.Ordinal(o))), want)
	}
	counts := eval.VoteCounts{Failures: 1, Usage: eval.Usage{Prompt: 6}}
	counts.Votes[eval.Answer1], counts.Votes[eval.Answer2] = 2, 1
	other := eval.VoteCounts{Usage: eval.Usage{Prompt: 1}}
	other.Votes[eval.SituationOne] = 1
	same(t, got[[]eval.ComparisonProgress](t)(votes.Comparisons(ctx)), []eval.ComparisonProgress{
		{Comparison: contest, Counts: counts},
		{Comparison: eval.Comparison{A: a.ID, B: c.ID, Ballot: again.Ballot}, Counts: other},
	})

	// Other ballots are other comparisons; names are never each other's beginning.
	long := preferred(0, a.ID, b.ID, eval.Answer2)
	long.Judge, long.Criteria, long.Repeat = "gpt-4", true, 1
	put(1, long)
	same(t, len(all(t, votes.OfComparison(ctx, contest))), 6)
	same(t, all(t, votes.OfComparison(ctx, long.Comparison())), []eval.Preference{long})
}

func TestVotesRefused(t *testing.T) {
	s := openTest(t, Options{})
	addDataset(t, s, "d", samples(1))
	run := addRun(t, s, "a")
	other := got[eval.Run](t)(s.Runs().CreateRun(t.Context(), eval.Config{Dataset: "e", Model: "a"}))
	for _, c := range []struct {
		vote eval.Preference
		want error
	}{
		{preferred(0, run.ID, run.ID, eval.Answer1), ErrInvalid},
		{preferred(0, run.ID, other.ID, eval.Answer1), ErrInvalid},
		{preferred(0, run.ID, 9, eval.Answer1), eval.ErrNotFound},
		{preferred(0, run.ID, other.ID, eval.Vote(eval.Votes)), ErrInvalid},
		{eval.Preference{Pair: eval.Pair{First: 1, Second: 2}}, ErrInvalid},
	} {
		wantErr(t, second(s.Votes().Put(t.Context(), []eval.Preference{c.vote})), c.want)
	}
	same(t, len(got[[]eval.ComparisonProgress](t)(s.Votes().Comparisons(t.Context()))), 0)
}

func TestRecordVote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := openAt(t, path, Options{})
	addDataset(t, s, "d", samples(40))
	a, b := addRun(t, s, "a"), addRun(t, s, "b")
	ctx := t.Context()
	down := preferred(0, b.ID, a.ID, eval.VoteUnset)
	down.Failure = &eval.Failure{Kind: eval.FailureTransient, Message: "busy"}
	vote := preferred(0, b.ID, a.ID, eval.Answer2)
	vote.Earlier = []string{"the second"}
	for _, p := range []eval.Preference{down, vote, vote, down} { // none is left out
		must(t, s.Votes().RecordVote(ctx, p))
	}
	contest := vote.Comparison()
	same(t, all(t, s.Votes().OfComparison(ctx, contest)), []eval.Preference{down, vote, vote, down})
	counts := eval.VoteCounts{Usage: eval.Usage{Prompt: 4}}
	counts.Votes[eval.Answer2] = 1
	same(t, got[[]eval.ComparisonProgress](t)(s.Votes().Comparisons(ctx)), []eval.ComparisonProgress{{Comparison: contest, Counts: counts}})

	// Many at once share transactions, and one that is refused disturbs nobody.
	var group sync.WaitGroup
	for i := range 40 {
		group.Go(func() {
			for _, pair := range []eval.Pair{{First: a.ID, Second: b.ID}, {First: b.ID, Second: a.ID}} {
				if err := s.Votes().RecordVote(ctx, preferred(eval.Ordinal(i), pair.First, pair.Second, eval.Answer1)); err != nil {
					t.Error(err)
				}
			}
			if err := s.Votes().RecordVote(ctx, preferred(0, a.ID, 9, eval.Answer1)); !errors.Is(err, eval.ErrNotFound) {
				t.Errorf("a vote on no run gives %v", err)
			}
		})
	}
	group.Wait()
	wantErr(t, s.Votes().RecordVote(ctx, preferred(0, a.ID, a.ID, eval.Answer1)), ErrInvalid)
	must(t, s.Close())

	s = openAt(t, path, Options{})
	same(t, len(all(t, s.Votes().OfComparison(ctx, contest))), 84)
	counts = eval.VoteCounts{Usage: eval.Usage{Prompt: 84}}
	counts.Votes[eval.Answer1] = 80
	same(t, got[[]eval.ComparisonProgress](t)(s.Votes().Comparisons(ctx)), []eval.ComparisonProgress{{Comparison: contest, Counts: counts}})
}

func TestThirdSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := openAt(t, path, Options{})
	addDataset(t, s, "d", samples(1))
	a, b := addRun(t, s, "a"), addRun(t, s, "b")
	must(t, s.Close())
	older(t, path, 2, record.TableVotes, record.TableComparisons)
	wantErr(t, second(Open(path, Options{ReadOnly: true})), ErrOlderSchema)
	s = openAt(t, path, Options{})
	same(t, got[int](t)(s.Votes().Put(t.Context(), []eval.Preference{preferred(0, a.ID, b.ID, eval.Answer1)})), 1)
}
