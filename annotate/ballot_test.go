package annotate

import (
	"reflect"
	"testing"

	"concord/eval"
)

var onPair = ItemKey{Key: eval.Key{Run: 1, Sample: 7}, Against: 2}

func vote(n uint32, v eval.Vote, swapped bool) Act {
	return Act{
		Queue: "q", Annotator: "ann", N: n, Item: onPair, Kind: Labelled,
		Reading: Reading{Verdict: Voted, Vote: v, Swapped: swapped, Criteria: "c"},
	}
}

func TestBallotsSayWhatStandsAsShown(t *testing.T) {
	acts := []Act{
		vote(1, eval.Answer1, true), vote(2, eval.SituationTwo, true),
		{Queue: "q", Annotator: "ann", N: 3, Kind: TookBack, Item: onPair, Target: 2},
		{Queue: "q", Annotator: "ann", N: 4, Kind: Labelled, Item: keyOf(1), Reading: pick("A")},
		{Queue: "q", Annotator: "ann", N: 5, Kind: Flagged, Item: onPair},
	}
	items := []QueueItem{{Key: keyOf(1)}, {Key: onPair}, {Key: keyOf(2)}}
	want := []PersonVote{{
		Queue: "q", Annotator: "ann", Pair: eval.Pair{Sample: 7, First: 2, Second: 1},
		Vote: eval.Answer1, Criteria: "c", Flagged: true,
	}}
	if got := Ballots(Fold(acts), items); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestAPairIsBlind(t *testing.T) {
	s := eval.Sample{ID: "s", Kind: eval.KindOpen, Question: "q", Answer: "A", Reference: "r", Type: eval.OpenEnded}
	g := Guide{Type: eval.Compound, Criteria: "1. x", Revision: "h"}
	two := []eval.Prediction{{Text: "a"}, {Text: "b", Finish: "length"}}
	it := Blind(&Queue{Name: "q", Criteria: true}, QueueItem{Key: onPair}, s, g, two...)
	if it.Type != eval.Compound || it.Criteria != "1. x" || it.Revision != "h" || it.Prediction != "a" || it.Against != "b" || !it.AgainstCut || it.Reference != "" {
		t.Errorf("%+v", it)
	}
	if it = Blind(&Queue{Name: "q"}, QueueItem{Key: onPair}, s, g, two...); it.Criteria != "" || it.Revision != "" || it.Type != eval.Compound {
		t.Errorf("without criteria: %+v", it)
	}
	if it = Blind(&Queue{Name: "q", Criteria: true}, QueueItem{Key: keyOf(7)}, s, g, two[:1]...); it.Criteria != "" {
		t.Errorf("criteria beside a prediction: %+v", it)
	}
}

// Nobody sees what others or judges voted on a sample of which they have a
// pair before them, nor reads its answers elsewhere.
func TestVotesAreHiddenBeforeOnesOwn(t *testing.T) {
	p := deck(0, func(q *Queue) { q.Rule.From, q.Overlap = FromPairs, 2 })
	p.items["q"] = []QueueItem{{Key: onPair}, {Key: ItemKey{Key: eval.Key{Run: 3, Sample: 7}, Against: 2}}}
	bob := vote(1, eval.Answer2, false)
	bob.Annotator = "bob"
	p.acts[hand{"q", "bob"}] = []Act{bob}
	check := func(who Annotator, shows bool, votes int, sights ...Sight) {
		t.Helper()
		v := look(t, p, who, 7)
		if v.ShowsVotes() != shows || len(v.Votes()) != votes {
			t.Errorf("%s: votes shown %v, %d of them", who, v.ShowsVotes(), len(v.Votes()))
		}
		for run, want := range sights {
			k := eval.Key{Run: eval.RunID(run + 1), Sample: 7}
			if got := v.Sight(k, read); got != want {
				t.Errorf("%s sees %s as %s, want %s", who, k, got, want)
			}
			if len(v.Labels(k)) != 0 {
				t.Errorf("%s: votes among the labels of %s", who, k)
			}
		}
	}
	check("ann", false, 0, SightBlind, SightBlind, SightBlind)
	check("bob", false, 1, SightBlind, SightBlind, SightBlind) // by the first answer of the pair voted on, the anchor's would be known
	second := bob
	second.N, second.Item = 2, p.items["q"][1].Key
	p.acts[hand{"q", "bob"}] = append(p.acts[hand{"q", "bob"}], second)
	check("bob", true, 2, SightOpen, SightOpen, SightOpen)
	p.acts[hand{"q", "ann"}] = []Act{vote(1, eval.Answer1, true)}
	check("ann", false, 2, SightBlind, SightBlind, SightBlind)
}
