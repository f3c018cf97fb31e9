package sample

import (
	"testing"

	"concord/annotate"
)

func TestInsertGold(t *testing.T) {
	check := func(n, drawnGolds, others int, share float64, wantAdded int) {
		t.Helper()
		var items []annotate.QueueItem
		var golds []annotate.Gold
		for i := range n {
			items = append(items, annotate.QueueItem{Index: i, Key: keyOf(i), Inclusion: 0.5})
			if i < drawnGolds {
				golds = append(golds, annotate.Gold{Key: keyOf(i), Reading: pick("A")})
			}
		}
		for i := range others {
			golds = append(golds, annotate.Gold{Key: keyOf(n + i), Reading: pick("A")})
		}
		out, in := InsertGold(items, golds, share, 3)
		if len(out) != n+wantAdded || len(in) != drawnGolds+wantAdded {
			t.Fatalf("%d of %d: %d items, %d golds, want %d more", others, n, len(out), len(in), wantAdded)
		}
		at := 0
		gaps := make(map[int]bool)
		last := -1
		for i, it := range out {
			switch {
			case it.Index != i:
				t.Errorf("item %d has index %d", i, it.Index)
			case it.Inclusion == 0:
				gaps[i-last] = true
				last = i
			case it.Key != keyOf(at):
				t.Fatalf("item %d: %s, want %s: the others keep their order", i, it.Key, keyOf(at))
			default:
				at++
			}
		}
		if wantAdded > 8 && len(gaps) < 4 {
			t.Errorf("they come at even distances: %v", gaps)
		}
		for i := range 4 { // any quarter holds about its share
			known := 0
			for _, it := range out[i*len(out)/4 : (i+1)*len(out)/4] {
				if it.Inclusion == 0 {
					known++
				}
			}
			if drift := known - wantAdded/4; drift < -2 || drift > 2 {
				t.Errorf("quarter %d holds %d of %d", i, known, wantAdded)
			}
		}
	}
	check(90, 0, 50, 0.1, 10)
	check(90, 9, 50, 0.1, 0) // 9 of 90 are known already
	check(90, 3, 50, 0.1, 7)
	check(90, 0, 4, 0.1, 4) // there are no more
	check(900, 0, 500, 0.2, 225)
	check(0, 0, 5, 0.1, 0)
	check(10, 0, 0, 0.1, 0)
}
