package store

import (
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/packet"
	"concord/eval"
)

func TestPackets(t *testing.T) {
	now := clock()
	s := openTest(t, Options{Now: func() time.Time { return now }})
	ctx := t.Context()
	addDataset(t, s, "d", samples(4))
	run := addRun(t, s, "m")
	addQueue(t, s, "q", run.ID, 4)
	out := func(id string, who annotate.Annotator, days int, os ...int) packet.Packet {
		p := packet.Packet{ID: id, Queue: "q", Who: who, By: "own", Made: now, Until: now.AddDate(0, 0, days), Items: len(os)}
		for _, o := range os {
			p.Keys = append(p.Keys, item(run.ID, o, 0))
		}
		must(t, s.Packets().Put(ctx, p))
		return p
	}
	first, second := out("b", "ann", 14, 0, 1), out("a", "bob", 1, 1, 2)
	wantErr(t, s.Packets().Put(ctx, first), annotate.ErrConflict)
	lease := func(p packet.Packet, o int) annotate.Lease {
		return annotate.Lease{Item: item(run.ID, o, 0), Who: p.Who, Until: p.Until}
	}
	away := func(want ...annotate.Lease) {
		t.Helper()
		same(t, got[[]annotate.Lease](t)(s.Packets().ItemsAway("q")), want)
	}
	away(lease(first, 0), lease(second, 1), lease(first, 1), lease(second, 2))
	same(t, len(got[[]annotate.Lease](t)(s.Packets().ItemsAway("p"))), 0)
	same(t, got[[]packet.Packet](t)(s.Packets().List()), []packet.Packet{second, first})
	now = now.AddDate(0, 0, 2)
	away(lease(first, 0), lease(first, 1))

	// All or none: of two acts the second is of no item of the queue.
	acts := []annotate.Act{label("q", "ann", 1, item(run.ID, 0, 0), "A"), label("q", "ann", 2, item(run.ID, 9, 0), "A")}
	wantErr(t, s.Packets().MergePacket(ctx, "b", acts, 1, "own", now), eval.ErrNotFound)
	away(lease(first, 0), lease(first, 1))
	same(t, len(got[[]annotate.Act](t)(s.Acts().Acts("q", "ann"))), 0)
	must(t, s.Packets().MergePacket(ctx, "b", acts[:1], 1, "own", now))
	away()
	first.Merged, first.MergedBy, first.Labels = now, "own", 1
	same(t, got[packet.Packet](t)(s.Packets().Packet("b")), first)
	same(t, got[[]annotate.Act](t)(s.Acts().Acts("q", "ann")), acts[:1])

	now = clock()
	third := out("c", "cy", 14, 3)
	away(lease(second, 1), lease(second, 2), lease(third, 3))
	must(t, s.Packets().RecallPacket(ctx, "c", "own", now))
	must(t, s.Packets().DropPacket(ctx, "a"))
	away()
	wantErr(t, s.Packets().RecallPacket(ctx, "a", "own", now), eval.ErrNotFound)
	if _, ok, err := s.Packets().OwnPacket(); ok || err != nil {
		t.Error(ok, err)
	}
	must(t, s.Packets().Put(ctx, packet.Packet{ID: "here", Queue: "q", Who: "ann", Here: true}))
	here, ok, err := s.Packets().OwnPacket()
	must(t, err)
	same(t, []any{here.ID, ok}, []any{"here", true})
}
