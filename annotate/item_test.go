package annotate

import (
	"testing"

	"concord/eval"
)

func TestItemKeys(t *testing.T) {
	one := eval.Key{Run: 1, Sample: 2, Pass: 3}
	pair := ItemKey{Key: one, Against: 4}
	other, ok := pair.SecondKey()
	if want := (eval.Key{Run: 4, Sample: 2, Pass: 3}); !ok || other != want {
		t.Errorf("the other of %s is %s, %v", pair, other, ok)
	}
	if _, ok := NewItemKey(one).SecondKey(); ok {
		t.Error("a prediction alone has another")
	}
	if NewItemKey(one).String() == pair.String() || NewItemKey(one).Compare(pair) >= 0 || NewItemKey(one).DrawHash(7) == pair.DrawHash(7) {
		t.Error("a pair is taken for its first prediction")
	}
}

// The draw is specified, so that others can repeat it: these are the first
// eight bytes of SHA-256 over seed, run, sample and pass.
func TestHashIsSpecified(t *testing.T) {
	check := func(seed uint64, k ItemKey, want uint64) {
		t.Helper()
		if got := k.DrawHash(seed); got != want {
			t.Errorf("hash of %d and %v: %#x, want %#x", seed, k, got, want)
		}
	}
	check(0, ItemKey{}, 0xc90232586b801f95)
	check(7, NewItemKey(eval.Key{Run: 1, Sample: 2, Pass: 3}), 0xd493a1e5feefb0dc)
}
