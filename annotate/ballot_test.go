package annotate

import (
	"reflect"
	"testing"

	"concord/eval"
)

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
	if got := CollectVotes(FoldActs(acts), items); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestAPairIsBlind(t *testing.T) {
	s := eval.Sample{ID: "s", Kind: eval.KindOpen, Question: "q", Answer: "A", Reference: "r", Type: eval.OpenEnded}
	g := Guide{Type: eval.Compound, Criteria: "1. x", Revision: "h"}
	two := []eval.Prediction{{Text: "a"}, {Text: "b", Finish: "length"}}
	it := NewBlindItem(&Queue{Name: "q", Criteria: true}, QueueItem{Key: onPair}, s, g, two...)
	if it.Type != eval.Compound || it.Criteria != "1. x" || it.Revision != "h" || it.Prediction != "a" || it.Against != "b" || !it.AgainstCut || it.Reference != "" {
		t.Errorf("%+v", it)
	}
	if it = NewBlindItem(&Queue{Name: "q"}, QueueItem{Key: onPair}, s, g, two...); it.Criteria != "" || it.Revision != "" || it.Type != eval.Compound {
		t.Errorf("without criteria: %+v", it)
	}
	if it = NewBlindItem(&Queue{Name: "q", Criteria: true}, QueueItem{Key: keyOf(7)}, s, g, two[:1]...); it.Criteria != "" {
		t.Errorf("criteria beside a prediction: %+v", it)
	}
}
