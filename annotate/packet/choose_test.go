package packet

import (
	"slices"
	"testing"
	"time"

	"concord/annotate"
	"concord/eval"
)

func at(sample int) annotate.ItemKey {
	return annotate.NewItemKey(eval.Key{Run: 7, Sample: eval.Ordinal(sample)})
}

func picked(c eval.Choice) annotate.Reading {
	return annotate.Reading{Kind: annotate.PickedOption, Choice: c}
}

func crowd(all ...eval.Choice) (c annotate.Crowd) {
	for _, one := range all {
		c.AddLabel(picked(one))
	}
	return c
}

func TestChoose(t *testing.T) {
	check := func(name string, most int, change func(*Pool), want ...int) {
		t.Helper()
		p := Pool{Queue: annotate.Queue{Overlap: 1}, Who: "ann"}
		for i := range 4 {
			p.Items = append(p.Items, annotate.QueueItem{Index: i, Key: at(i), Inclusion: 0.5, Group: "g"})
		}
		change(&p)
		var got []int
		for _, it := range p.ChooseItems(most) {
			got = append(got, int(it.Key.Sample))
			if it.Inclusion != 0 || it.Group != "" {
				t.Errorf("%s: how %s was drawn is told", name, it.Key)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	labelled := func(samples ...int) annotate.State {
		s := annotate.State{Labels: make(map[annotate.ItemKey]annotate.Label)}
		for _, n := range samples {
			s.Labels[at(n)] = annotate.Label{}
		}
		return s
	}
	with := func(who annotate.Annotator, samples ...int) (out []annotate.Lease) {
		for _, n := range samples {
			out = append(out, annotate.Lease{Item: at(n), Who: who, Until: time.Now()})
		}
		return out
	}
	check("all", 0, func(*Pool) {}, 0, 1, 2, 3)
	check("the next two", 2, func(p *Pool) { p.Own = labelled(0) }, 1, 2)
	check("taken", 0, func(p *Pool) { p.Others = map[annotate.ItemKey]annotate.Crowd{at(2): crowd("A")} }, 0, 1, 3)
	check("away with another", 0, func(p *Pool) { p.Held = with("bob", 1) }, 0, 2, 3)
	check("away with the same person", 0, func(p *Pool) { p.Queue.Overlap, p.Held = 9, with("ann", 1) }, 0, 2, 3)
	check("overlap 2", 0, func(p *Pool) {
		p.Queue.Overlap = 2
		p.Held = append(with("bob", 0, 1, 2, 2), with("cy", 1)...)
		p.Others = map[annotate.ItemKey]annotate.Crowd{at(2): crowd("A")}
	}, 0, 3)
	check("who has it away and labelled it counts once", 0, func(p *Pool) {
		p.Queue.Overlap, p.Held = 2, with("bob", 2)
		p.Others = map[annotate.ItemKey]annotate.Crowd{at(2): crowd("A")}
		p.States = map[annotate.Annotator]annotate.State{"bob": labelled(2)}
	}, 0, 1, 2, 3)
	check("one more where they differ", 0, func(p *Pool) {
		p.Queue.Overlap, p.Queue.Extra = 2, 1
		p.Others = map[annotate.ItemKey]annotate.Crowd{at(1): crowd("A", "B"), at(2): crowd("A", "A")}
	}, 0, 1, 3)
	check("everybody labels what is known", 0, func(p *Pool) {
		p.Known = map[annotate.ItemKey]bool{at(2): true}
		p.Others = map[annotate.ItemKey]annotate.Crowd{at(2): crowd("A", "A", "B"), at(1): crowd("A")}
	}, 0, 2, 3)
}

func TestState(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	check := func(p Packet, want State) {
		t.Helper()
		p.Until = now.Add(time.Hour)
		if got := p.StateAt(now); got != want || p.KeepsItems(now) != (want == Away) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	check(Packet{}, Away)
	check(Packet{Merged: now}, Merged)
	check(Packet{Recalled: now}, Recalled)
	check(Packet{Recalled: now, Merged: now.Add(time.Second)}, Merged)
	check(Packet{Recalled: now.Add(time.Second), Merged: now}, Recalled)
	if got := (&Packet{Until: now.Add(-1)}).StateAt(now); got != Late {
		t.Error(got)
	}
}
