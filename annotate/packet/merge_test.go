package packet

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"concord/annotate"
	"concord/eval"
)

// hand makes acts of one stream, a second apart from some time on.
type hand struct {
	acts []annotate.Act
	at   time.Time
}

func (h *hand) do(k annotate.ItemKey, kind annotate.ActKind, more ...func(*annotate.Act)) *hand {
	h.at = h.at.Add(time.Second)
	a := annotate.Act{Queue: "q", Annotator: "ann", N: uint32(len(h.acts) + 1), Item: k, Kind: kind, At: h.at}
	for _, m := range more {
		m(&a)
	}
	h.acts = append(h.acts, a)
	return h
}

func (h *hand) label(k annotate.ItemKey, c eval.Choice, more ...func(*annotate.Act)) *hand {
	return h.do(k, annotate.Labelled, append([]func(*annotate.Act){func(a *annotate.Act) { a.Reading, a.Guideline = picked(c), 1 }}, more...)...)
}

func (h *hand) vote(k annotate.ItemKey, v eval.Vote, swapped bool) *hand {
	return h.do(k, annotate.Labelled, func(a *annotate.Act) {
		a.Reading = annotate.Reading{Kind: annotate.Voted, Vote: v, Swapped: swapped}
	})
}

func (h *hand) note(k annotate.ItemKey, text string) *hand {
	return h.do(k, annotate.Noted, func(a *annotate.Act) { a.Text = text })
}

func (h *hand) undo(n uint32) *hand {
	return h.do(h.acts[n-1].Item, annotate.TookBack, func(a *annotate.Act) { a.Target = n })
}

// trip is a packet of three items, at home and away.
type trip struct {
	packet     Packet
	queue      annotate.Queue
	home, away hand
	others     map[annotate.ItemKey]annotate.Crowd
	known      map[annotate.ItemKey]bool
}

func newTrip() *trip {
	return &trip{
		packet: Packet{ID: "x", Queue: "q", Who: "ann", Guideline: 1, Keys: []annotate.ItemKey{at(30), at(31), at(32)}},
		queue:  annotate.Queue{Name: "q", Overlap: 1},
		home:   hand{at: when}, away: hand{at: when.Add(time.Hour)},
	}
}

// merge brings home what is away, and appends it.
func (tr *trip) merge(t *testing.T) Outcome {
	t.Helper()
	crowds := make(map[annotate.ItemKey]annotate.Crowd)
	for _, k := range tr.packet.Keys {
		var c annotate.Crowd
		if o, ok := tr.others[k]; ok {
			c.People, c.Classes = o.People, make(map[string]int)
			for class, n := range o.Classes {
				c.Classes[class] = n
			}
		}
		if l, ok := annotate.FoldActs(tr.home.acts).Labels[k]; ok {
			c.AddLabel(l.Reading)
		}
		crowds[k] = c
	}
	var items []annotate.QueueItem
	for i := range tr.packet.Keys {
		items = append(items, annotate.QueueItem{Index: i, Key: at(i)})
	}
	out := MergeActs(&tr.packet, HomeState{Queue: tr.queue, Acts: tr.home.acts, Crowds: crowds, Known: tr.known}, items, tr.away.acts)
	for i, a := range out.Acts {
		if a.N != uint32(len(tr.home.acts)+1) || a.Annotator != "ann" || a.Queue != "q" {
			t.Errorf("act %d is %d of %s", i, a.N, a.Annotator)
		}
		tr.home.acts = append(tr.home.acts, a)
	}
	return out
}

// words tells an outcome: counts, acts and what does not come home.
func words(o Outcome) string {
	s := fmt.Sprintf("%d: +%d ~%d =%d", o.Labels, o.Added, o.Revised, o.Unchanged)
	for _, a := range o.Acts {
		s += fmt.Sprintf(" %s.%d", a.Kind, a.Item.Sample)
	}
	for _, c := range o.Clashes {
		s += fmt.Sprintf(" clash.%d(%s)", c.Item.Sample, c.Here.Kind)
	}
	for _, c := range o.Late {
		s += fmt.Sprintf(" late.%d", c.Item.Sample)
	}
	return s
}

func TestMerge(t *testing.T) {
	check := func(name string, make func(*trip), want ...string) {
		t.Helper()
		tr := newTrip()
		make(tr)
		for i, w := range want {
			if got := words(tr.merge(t)); got != w {
				t.Errorf("%s, time %d: got %q, want %q", name, i+1, got, w)
			}
		}
	}
	check("nothing was done", func(*trip) {}, "0: +0 ~0 =0")
	check("all that there is", func(tr *trip) {
		tr.away.do(at(1), annotate.Skipped).label(at(0), "A").note(at(0), "n").do(at(0), annotate.Flagged).do(at(2), annotate.Skipped).
			label(at(1), "B").do(at(1), annotate.Looked)
	}, "2: +2 ~0 =0 label.30 note.30 flag.30 skip.32 label.31 reveal.31", "2: +0 ~0 =2")
	check("undone and done again", func(tr *trip) {
		tr.away.label(at(0), "A").undo(1).label(at(0), "B").note(at(1), "n").undo(4)
	}, "1: +1 ~0 =0 label.30", "1: +0 ~0 =1")
	check("said alike and otherwise at home", func(tr *trip) {
		tr.away.label(at(0), "A").label(at(1), "A").note(at(1), "x").do(at(1), annotate.Skipped).note(at(2), "same")
		tr.home.label(at(30), "A").label(at(31), "B").note(at(31), "y").note(at(32), "same")
	}, "2: +0 ~0 =1 clash.31(label) clash.31(note)", "2: +0 ~0 =1 clash.31(label) clash.31(note)")
	check("others were quicker", func(tr *trip) {
		tr.away.label(at(0), "A").label(at(1), "A").label(at(2), "A")
		tr.others = map[annotate.ItemKey]annotate.Crowd{at(30): crowd("A"), at(31): crowd("A", "B")}
		tr.known = map[annotate.ItemKey]bool{at(31): true}
	}, "3: +2 ~0 =0 late.30 label.31 label.32 late.30", "3: +0 ~0 =2 late.30")
	check("one more where they differ", func(tr *trip) {
		tr.queue.Overlap, tr.queue.Extra = 2, 1
		tr.away.label(at(0), "A").label(at(1), "A")
		tr.others = map[annotate.ItemKey]annotate.Crowd{at(30): crowd("A", "A"), at(31): crowd("A", "B")}
	}, "2: +1 ~0 =0 late.30 label.31 late.30")
	check("acts from before came along", func(tr *trip) {
		tr.home.note(at(30), "n").do(at(31), annotate.Flagged)
		for i, k := range []annotate.ItemKey{at(0), at(1)} {
			a := tr.home.acts[i]
			a.Item = k
			tr.away.acts = append(tr.away.acts, a)
		}
		tr.away.undo(2).note(at(0), "m")
	}, "0: +0 ~0 =0 undo.31 note.30", "0: +0 ~0 =0")
	check("a pair in the other order", func(tr *trip) {
		tr.away.vote(at(0), eval.Answer1, true).vote(at(1), eval.Answer1, true)
		tr.home.vote(at(30), eval.Answer2, false).vote(at(31), eval.Answer1, false)
	}, "2: +0 ~0 =1 clash.31(label)")
}

// A packet may come home more than once, and so may an older copy of it.
func TestMergeAgain(t *testing.T) {
	tr := newTrip()
	check := func(want string) {
		t.Helper()
		if got := words(tr.merge(t)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	tr.away.label(at(0), "A").note(at(0), "n").label(at(1), "A")
	check("2: +2 ~0 =0 label.30 note.30 label.31")
	old := slices.Clone(tr.away.acts)
	tr.away.label(at(0), "B").label(at(2), "C").undo(3).note(at(0), "m")
	check("2: +1 ~1 =0 label.30 label.32 undo.31 note.30")
	check("2: +0 ~0 =2")
	newer := tr.away.acts
	tr.away.acts = old
	check("2: +0 ~0 =2")
	tr.away.acts = newer
	// What is said at home since stays.
	tr.home.label(at(30), "C").note(at(30), "").label(at(31), "A").do(at(32), annotate.Flagged)
	check("2: +0 ~0 =2")
	tr.away.label(at(0), "A")
	check("2: +0 ~0 =1 clash.30(label)")
	if l := annotate.FoldActs(tr.home.acts).Labels[at(30)]; l.Reading.Choice != "C" {
		t.Errorf("%+v", l)
	}
}

func TestLabelsComeHomeAsTheyWereMade(t *testing.T) {
	tr := newTrip()
	full := func(a *annotate.Act) {
		a.Reason, a.Confidence, a.Informed, a.Imported, a.Spent, a.Reading.Several = "r", 0.5, true, true, time.Minute, nil
	}
	tr.away.label(at(0), "A", full).label(at(1), "A", func(a *annotate.Act) { a.Guideline = 2 })
	want := tr.away.acts[0]
	want.Item = at(30)
	out := tr.merge(t)
	if got := fmt.Sprintf("%+v", out.Acts[0]); got != fmt.Sprintf("%+v", want) {
		t.Errorf("got\n%s\nwant\n%+v", got, want)
	}
	if out.Unread != 1 || out.Acts[1].Guideline != 0 {
		t.Errorf("a guideline that was written away: %+v", out)
	}
	// A place that is free again is taken by what came too late before.
	tr = newTrip()
	tr.away.label(at(0), "A")
	tr.others = map[annotate.ItemKey]annotate.Crowd{at(30): crowd("B")}
	tr.merge(t)
	tr.others = nil
	if got := words(tr.merge(t)); got != "1: +1 ~0 =0 label.30" {
		t.Error(got)
	}
}

func TestFits(t *testing.T) {
	p := newTrip().packet
	items := make([]annotate.QueueItem, 3)
	check := func(file Packet, items []annotate.QueueItem, ok bool) {
		t.Helper()
		if err := p.CheckSamePacket(&file, items); (err == nil) != ok {
			t.Error(err)
		}
	}
	check(p, items, true)
	check(Packet{ID: "x", Queue: "r", Who: "ann"}, items, false)
	check(Packet{ID: "x", Queue: "q", Who: "bob"}, items, false)
	check(p, items[:2], false)
}
