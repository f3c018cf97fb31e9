package curation

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/journal"
	"concord/eval"
)

// Word is what stands of one expert's acts on one sample: derived, never
// stored.
type Word struct {
	Expert   annotate.Annotator
	Verdict  Verdict
	Axis     []string // nil: they left it where the dataset has it
	Note     string
	Informed bool // given after other experts' words were shown
	Imported bool
	At       time.Time
	Spent    time.Duration
}

// State is what stands of one expert's acts in one dataset.
type State struct {
	Words   map[eval.Ordinal]Word
	Rulings map[eval.Ordinal]Word
	Axes    map[eval.Ordinal][]string // also of samples without a verdict
	Notes   map[eval.Ordinal]string
	Skipped map[eval.Ordinal]uint32 // put off and not judged since: the N of the last time
	Seen    map[eval.Ordinal]bool   // other experts' words were shown
	journal.History
}

// Fold derives the state from one expert's acts in one dataset, in order of N.
func Fold(acts []Act) State {
	st := State{
		Words: make(map[eval.Ordinal]Word), Rulings: make(map[eval.Ordinal]Word),
		Axes: make(map[eval.Ordinal][]string), Notes: make(map[eval.Ordinal]string),
		Skipped: make(map[eval.Ordinal]uint32), Seen: make(map[eval.Ordinal]bool),
	}
	gone := journal.TakenBack(acts, number, takes)
	for i := range acts {
		if !gone[acts[i].N] {
			st.apply(&acts[i])
		}
		st.remember(acts, &acts[i])
	}
	for i := range acts {
		if a := &acts[i]; a.Kind == TookBack && a.Informed {
			st.inform(acts, gone, a)
		}
	}
	return st
}

// inform makes the word on the sample of an undo, or a redo, that was given
// before it no blind one: it was brought back after others' words were shown.
func (s *State) inform(acts []Act, gone map[uint32]bool, undo *Act) {
	of := undo
	for of.Kind == TookBack {
		i := slices.IndexFunc(acts, func(a Act) bool { return a.N == of.Target && a.N < of.N })
		if i < 0 {
			return
		}
		of = &acts[i]
	}
	for i := range acts {
		if a := &acts[i]; a.Kind == of.Kind && a.Sample == of.Sample && !gone[a.N] && a.N > undo.N {
			return // it was given after the undo
		}
	}
	for kind, words := range map[Kind]map[eval.Ordinal]Word{Judged: s.Words, Ruled: s.Rulings} {
		if w, ok := words[of.Sample]; ok && of.Kind == kind {
			w.Informed = true
			words[of.Sample] = w
		}
	}
}

// takes is the act that an act takes back; 0 for none.
func takes(a *Act) uint32 {
	if a.Kind != TookBack {
		return 0
	}
	return a.Target
}

// apply lets an act that stands count.
func (s *State) apply(a *Act) {
	o := a.Sample
	switch a.Kind {
	case Judged:
		s.Words[o] = word(a)
		delete(s.Skipped, o)
	case Ruled:
		s.Rulings[o] = word(a)
	case Placed:
		s.Axes[o] = a.Axis
	case Noted:
		if a.Text == "" {
			delete(s.Notes, o)
		} else {
			s.Notes[o] = a.Text
		}
	case Skipped:
		if _, done := s.Words[o]; !done {
			s.Skipped[o] = a.N
		}
	case Looked:
		s.Seen[o] = true
	case TookBack, KindUnset:
	}
}

func word(a *Act) Word {
	return Word{
		Expert: a.Expert, Verdict: a.Verdict, Axis: a.Axis, Informed: a.Informed, Imported: a.Imported,
		At: a.At, Spent: a.Spent,
	}
}

// remember takes up an act in what can be taken back. What came from a file is
// no act of this kind.
func (s *State) remember(acts []Act, a *Act) {
	switch {
	case a.Imported || a.Kind == KindUnset || a.Kind == Looked:
	case a.Kind != TookBack:
		s.Did(a.N)
	case a.Target == 0 || a.Target >= a.N:
	case acts[a.Target-1].Kind == TookBack:
		s.Redid(a.Target, acts[a.Target-1].Target)
	default:
		s.Undid(a.N, a.Target)
	}
}

// Word is what the expert says of a sample, its axis and note with it; false
// while they have given no verdict.
func (s *State) Word(o eval.Ordinal) (Word, bool) {
	w, ok := s.Words[o]
	w.Axis, w.Note = s.Axes[o], s.Notes[o]
	return w, ok
}

// Ruling is how the expert settled a sample.
func (s *State) Ruling(o eval.Ordinal) (Word, bool) {
	w, ok := s.Rulings[o]
	w.Note = s.Notes[o]
	return w, ok
}

// Answered reports whether the expert has said what they make of a sample, as
// a verdict or a ruling.
func (s *State) Answered(o eval.Ordinal) bool {
	_, judged := s.Words[o]
	_, ruled := s.Rulings[o]
	return judged || ruled
}

// Take lets the expert's next act count, one that takes nothing back.
func (s *State) Take(a Act) { s.apply(&a) }

// Case is a candidate with what everybody says of it.
type Case struct {
	Item
	Words    []Word // in the order of experts
	Ruling   *Word  // nil: nobody has settled it, or adjudicators differ
	Decision Decision
}

// Cases are the candidates with what everybody's acts come to, and who gave a
// verdict, by name. They are for reports and exports: an expert at work is
// shown a Board.
func Cases(items []Item, acts []Act, p Panel) ([]Case, []annotate.Annotator, error) {
	experts, by := byExpert(acts)
	slices.Sort(experts)
	states := make([]State, len(experts))
	for i, who := range experts {
		for n := range by[who] {
			if a := &by[who][n]; a.N != uint32(n+1) {
				return nil, nil, fmt.Errorf("act %d of %s: %w", n+1, who, annotate.ErrConflict)
			}
		}
		states[i] = Fold(by[who])
	}
	out := make([]Case, len(items))
	for i := range items {
		c := Case{Item: items[i]}
		var rulings []Word
		for n := range states {
			if w, ok := states[n].Word(c.Sample); ok {
				c.Words = append(c.Words, w)
			}
			if r, ok := states[n].Ruling(c.Sample); ok {
				rulings = append(rulings, r)
			}
		}
		c.Ruling = RulingOf(rulings)
		c.Decision = p.Decide(c.Words, c.Ruling, c.Axis)
		out[i] = c
	}
	spoke := make([]annotate.Annotator, 0, len(experts))
	for i, who := range experts {
		if len(states[i].Words) > 0 {
			spoke = append(spoke, who)
		}
	}
	return out, spoke, nil
}

// Say gives the acts by which an expert is to say w of a sample as a file
// states it; none when they say so already. They have no number yet.
func (s *State) Say(o eval.Ordinal, w Word, ruling bool) []Act {
	var out []Act
	add := func(a Act) {
		a.Expert, a.Sample, a.At, a.Imported, a.Spent = w.Expert, o, w.At, true, w.Spent
		out = append(out, a)
	}
	if ruling {
		if r, ok := s.Rulings[o]; !ok || r.Verdict != w.Verdict || key(r.Axis) != key(w.Axis) {
			add(Act{Kind: Ruled, Verdict: w.Verdict, Axis: w.Axis, Informed: w.Informed})
		}
	} else {
		if s.Words[o].Verdict != w.Verdict {
			add(Act{Kind: Judged, Verdict: w.Verdict, Informed: w.Informed})
		}
		if w.Axis != nil && key(s.Axes[o]) != key(w.Axis) {
			add(Act{Kind: Placed, Axis: w.Axis, Informed: w.Informed})
		}
	}
	if w.Note != "" && s.Notes[o] != w.Note {
		add(Act{Kind: Noted, Text: w.Note})
	}
	return out
}

// Group is how far one group of the taxonomy is: an axis, or a capability with
// all of its axes, or the whole. Samples stand where experts place them.
type Group struct {
	Path       []string // from coarse to fine; empty: all
	Candidates int
	Accepted   int
	Target     int // 0: none
	leaf       bool
}

// Leaf reports whether no other group is below it.
func (g *Group) Leaf() bool { return g.leaf }

// Missing is how many accepted samples the target lacks.
func (g *Group) Missing() int { return max(0, g.Target-g.Accepted) }

// Balance counts candidates over the taxonomy. The zero value counts nothing.
type Balance struct {
	groups map[string]*Group
	order  []string
}

// key tells paths apart.
func key(path []string) string {
	out := ""
	for _, p := range path {
		out += p + "\x00"
	}
	return out
}

func (b *Balance) group(path []string) *Group {
	if b.groups == nil {
		b.groups = make(map[string]*Group)
	}
	k := key(path)
	g := b.groups[k]
	if g == nil {
		g = &Group{Path: slices.Clone(path)}
		b.groups[k] = g
		b.order = append(b.order, k)
	}
	return g
}

// Know makes a group known that may have no sample.
func (b *Balance) Know(path []string) {
	for n := range len(path) + 1 {
		b.group(path[:n])
	}
}

// Add counts a candidate where it belongs.
func (b *Balance) Add(path []string, accepted bool) {
	for n := range len(path) + 1 {
		g := b.group(path[:n])
		g.Candidates++
		if accepted {
			g.Accepted++
		}
	}
}

// Groups gives all groups with their targets, each before those below it,
// siblings in the order in which they became known; the first is the whole. A
// group without a target of its own has the sum of those below it.
func (b *Balance) Groups(targets []criteria.Quota) []Group {
	for _, t := range targets {
		b.Know(t.Path)
	}
	b.Know(nil)
	for _, g := range b.groups {
		g.Target, g.leaf = 0, !slices.ContainsFunc(b.order, func(k string) bool { return below(b.groups[k], g) })
	}
	for _, t := range targets {
		for _, g := range b.groups {
			if reaches(t, g) {
				g.Target = t.N
			}
		}
	}
	out := b.sorted()
	for i := range slices.Backward(out) {
		if out[i].Target > 0 {
			continue
		}
		for j := range out {
			if below(&out[j], &out[i]) && len(out[j].Path) == len(out[i].Path)+1 {
				out[i].Target += out[j].Target
			}
		}
	}
	return out
}

// reaches reports whether a target is one of a group.
func reaches(t criteria.Quota, g *Group) bool {
	if len(t.Path) > 0 {
		return slices.Equal(t.Path, g.Path)
	}
	return len(g.Path) > 0 && (len(g.Path) == t.Level || t.Level == annotate.FinestLevel && g.leaf)
}

// below reports whether a group is within another.
func below(g, of *Group) bool {
	return len(g.Path) > len(of.Path) && slices.Equal(g.Path[:len(of.Path)], of.Path)
}

func (b *Balance) sorted() []Group {
	place := make(map[string]int, len(b.order))
	for i, k := range b.order {
		place[k] = i
	}
	out := make([]Group, 0, len(b.order))
	for _, k := range b.order {
		out = append(out, *b.groups[k])
	}
	slices.SortStableFunc(out, func(x, y Group) int {
		for n := range min(len(x.Path), len(y.Path)) {
			if x.Path[n] != y.Path[n] {
				return cmp.Compare(place[key(x.Path[:n+1])], place[key(y.Path[:n+1])])
			}
		}
		return cmp.Compare(len(x.Path), len(y.Path))
	})
	return out
}
