package report

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"

	"concord/eval"
)

func keysOf(samples ...eval.Ordinal) List {
	return List{Keys: func(context.Context) iter.Seq2[eval.Key, error] {
		return func(yield func(eval.Key, error) bool) {
			for _, s := range samples {
				if !yield(eval.Key{Sample: s}, nil) {
					return
				}
			}
		}
	}}
}

func TestTogetherKeepsTheOrderOfSamples(t *testing.T) {
	check := func(want string, lists ...List) {
		t.Helper()
		var got []eval.Ordinal
		for k, err := range joinLists(lists...).Keys(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, k.Sample)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
	check("[]")
	check("[]", keysOf(), keysOf())
	check("[1 2 3 4 5 6]", keysOf(2, 4), keysOf(1, 3, 6), keysOf(5))
	check("[1 2]", keysOf(1, 2), keysOf())
}

func TestTogetherStops(t *testing.T) {
	for k, err := range joinLists(keysOf(1, 2, 3), keysOf(4, 5)).Keys(t.Context()) {
		if err != nil || k.Sample == 2 {
			break // the iterators below are ended, or this would leak
		}
	}
	failing := List{Keys: func(context.Context) iter.Seq2[eval.Key, error] {
		return func(yield func(eval.Key, error) bool) { yield(eval.Key{}, errors.New("broken")) }
	}}
	var last error
	for _, err := range joinLists(keysOf(1), failing).Keys(t.Context()) {
		last = err
	}
	if last == nil {
		t.Error("an error is lost")
	}
}

// What tells of experts in a part does so in the whole.
func TestTogetherTellsOfExperts(t *testing.T) {
	if !joinLists(List{}, List{Experts: true}).Experts || joinLists(List{}, List{}).Experts {
		t.Error("the list of all forgets that it tells of experts")
	}
}
