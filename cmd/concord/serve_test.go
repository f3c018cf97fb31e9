package main

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"concord/annotate"
)

// Two people label the same queue through SSH while a run writes: at overlap 1
// and 2 no item gets more labels than it wants, nobody sees one twice, and a
// line that drops loses nothing that was saved and frees its item.
func TestTwoPeopleLabelThroughSSH(t *testing.T) {
	t.Parallel()
	team := serveTeam(t, 30, 2)
	team.person("ann", annotate.RoleAnnotator)
	team.person("bob", annotate.RoleAnnotator)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	paceWriters(ctx, team.st, team.next, 300)
	for place, c := range []struct{ bobs, most, sum int }{{22, 1, 30}, {30, 2, 38}} {
		q := annotate.QueueName(fmt.Sprintf("q%d", place+1))
		ann, bob := team.come("ann", 80, 24), team.come("bob", 80, 24)
		if !ann.open(place) || !bob.open(place) {
			t.FailNow()
		}
		for i := range 8 {
			_, one := ann.label("1")
			_, other := bob.label("2")
			if !one || !other {
				t.Fatalf("label %d of %s", i, q)
			}
		}
		team.saved(q, "ann", 8)
		_ = ann.client.Close() // the line drops
		for i := 8; i < c.bobs-1; i++ {
			if _, ok := bob.label("2"); !ok {
				t.Fatalf("label %d of %s", i, q)
			}
		}
		bob.last("2") // which may have been ann's
		team.saved(q, "bob", c.bobs)
		for _, m := range []*mate{ann, bob} {
			slices.Sort(m.seen)
			if n := len(m.seen); n != len(slices.Compact(m.seen)) {
				t.Errorf("%s saw an item of %s twice", m.name, q)
			}
		}
		bob.leave()
		most, sum := 0, 0
		for _, n := range team.labels(q) {
			most, sum = max(most, n), sum+n
		}
		if most != c.most || sum != c.sum {
			t.Errorf("%s: %d labels, at most %d of an item, want %d and %d", q, sum, most, c.sum, c.most)
		}
	}
}

// saved waits until so many acts of somebody's are stored.
func (t *teamRig) saved(q annotate.QueueName, who annotate.Annotator, n int) {
	t.tb.Helper()
	for range 2000 {
		acts, err := t.st.Acts().Acts(q, who)
		t.must(err)
		if len(acts) == n {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.tb.Fatalf("%s of %s: never %d acts", who, q, n)
}
