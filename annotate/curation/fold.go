package curation

import (
	"fmt"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/journal"
	"concord/eval"
)

// ExpertWord is what stands of one expert's acts on one sample: derived, never stored.
type ExpertWord struct {
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
	Words, Rulings map[eval.Ordinal]ExpertWord
	Axes           map[eval.Ordinal][]string // also of samples without a verdict
	Notes          map[eval.Ordinal]string
	Skipped        map[eval.Ordinal]uint32 // put off and not judged since: the N of the last time
	Seen           map[eval.Ordinal]bool   // other experts' words were shown
	journal.History
}

// FoldActs derives the state from one expert's acts in one dataset, in order of N.
func FoldActs(acts []Act) State {
	st := State{
		Words: make(map[eval.Ordinal]ExpertWord), Rulings: make(map[eval.Ordinal]ExpertWord),
		Axes: make(map[eval.Ordinal][]string), Notes: make(map[eval.Ordinal]string),
		Skipped: make(map[eval.Ordinal]uint32), Seen: make(map[eval.Ordinal]bool),
	}
	gone := journal.FindTakenBack(acts, actNumber, targetOfAct)
	for i := range acts {
		if !gone[acts[i].N] {
			st.AddAct(&acts[i])
		}
		st.updateHistory(acts, &acts[i])
	}
	for i := range acts {
		if a := &acts[i]; a.Kind == TookBack && a.Informed {
			st.markInformed(acts, gone, a)
		}
	}
	return st
}

// markInformed makes the word on the sample of an undo, or a redo, that was given
// before it no blind one: it was brought back after others' words were shown.
func (s *State) markInformed(acts []Act, gone map[uint32]bool, undo *Act) {
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
	for kind, words := range map[Kind]map[eval.Ordinal]ExpertWord{Judged: s.Words, Ruled: s.Rulings} {
		if w, ok := words[of.Sample]; ok && of.Kind == kind {
			w.Informed = true
			words[of.Sample] = w
		}
	}
}

// targetOfAct is the act that an act takes back; 0 for none.
func targetOfAct(a *Act) uint32 { return eval.Either(a.Kind != TookBack, 0, a.Target) }

// AddAct lets an act count that stands and takes nothing back.
func (s *State) AddAct(a *Act) {
	o := a.Sample
	switch a.Kind {
	case Judged:
		s.Words[o] = newExpertWord(a)
		delete(s.Skipped, o)
	case Ruled:
		s.Rulings[o] = newExpertWord(a)
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

func newExpertWord(a *Act) ExpertWord {
	return ExpertWord{Expert: a.Expert, Verdict: a.Verdict, Axis: a.Axis, Informed: a.Informed, Imported: a.Imported, At: a.At, Spent: a.Spent}
}

// updateHistory takes up an act in what can be taken back. What came from a file is no act of this kind.
func (s *State) updateHistory(acts []Act, a *Act) {
	switch {
	case a.Imported || a.Kind == KindUnset || a.Kind == Looked:
	case a.Kind != TookBack:
		s.AddDone(a.N)
	case a.Target == 0 || a.Target >= a.N:
	case acts[a.Target-1].Kind == TookBack:
		s.AddRedone(a.Target, acts[a.Target-1].Target)
	default:
		s.AddUndone(a.N, a.Target)
	}
}

// WordOn is what the expert says of a sample, its axis and note with it; false before their verdict.
func (s *State) WordOn(o eval.Ordinal) (ExpertWord, bool) {
	w, ok := s.Words[o]
	w.Axis, w.Note = s.Axes[o], s.Notes[o]
	return w, ok
}

// RulingOn is how the expert settled a sample.
func (s *State) RulingOn(o eval.Ordinal) (ExpertWord, bool) {
	w, ok := s.Rulings[o]
	w.Note = s.Notes[o]
	return w, ok
}

// HasAnswered reports whether the expert has said what they make of a sample, as a verdict or a ruling.
func (s *State) HasAnswered(o eval.Ordinal) bool {
	_, judged := s.Words[o]
	_, ruled := s.Rulings[o]
	return judged || ruled
}

// Case is a candidate with what everybody says of it.
type Case struct {
	Item
	Words    []ExpertWord // in the order of experts
	Ruling   *ExpertWord  // nil: nobody has settled it, or adjudicators differ
	Decision Decision
}

// BuildCases builds the candidates with what everybody's acts come to, and who gave a verdict,
// by name. They are for reports and exports: an expert at work is shown a Board.
func BuildCases(items []Item, acts []Act, p Panel) ([]Case, []annotate.Annotator, error) {
	experts, by := groupByExpert(acts)
	slices.Sort(experts)
	states := make([]State, len(experts))
	for i, who := range experts {
		for n := range by[who] {
			if a := &by[who][n]; a.N != uint32(n+1) {
				return nil, nil, fmt.Errorf("act %d of %s: %w", n+1, who, annotate.ErrConflict)
			}
		}
		states[i] = FoldActs(by[who])
	}
	out := make([]Case, len(items))
	for i := range items {
		c := Case{Item: items[i]}
		var rulings []ExpertWord
		for n := range states {
			if w, ok := states[n].WordOn(c.Sample); ok {
				c.Words = append(c.Words, w)
			}
			if r, ok := states[n].RulingOn(c.Sample); ok {
				rulings = append(rulings, r)
			}
		}
		c.Ruling = StandingRuling(rulings)
		c.Decision = p.DecideSample(c.Words, c.Ruling, c.Axis)
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

// ActsForWord gives the acts by which an expert is to say w of a sample as a file
// states it; none when they say so already. They have no number yet.
func (s *State) ActsForWord(o eval.Ordinal, w ExpertWord, ruling bool) []Act {
	var out []Act
	add := func(a Act) {
		a.Expert, a.Sample, a.At, a.Imported, a.Spent = w.Expert, o, w.At, true, w.Spent
		out = append(out, a)
	}
	if ruling {
		if r, ok := s.Rulings[o]; !ok || r.Verdict != w.Verdict || criteria.PathKey(r.Axis) != criteria.PathKey(w.Axis) {
			add(Act{Kind: Ruled, Verdict: w.Verdict, Axis: w.Axis, Informed: w.Informed})
		}
	} else {
		if s.Words[o].Verdict != w.Verdict {
			add(Act{Kind: Judged, Verdict: w.Verdict, Informed: w.Informed})
		}
		if w.Axis != nil && criteria.PathKey(s.Axes[o]) != criteria.PathKey(w.Axis) {
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
	Path                 []string // from coarse to fine; empty: all
	Candidates, Accepted int
	Target               int // 0: none
	leaf                 bool
}

// IsLeaf reports whether no other group is below it.
func (g *Group) IsLeaf() bool { return g.leaf }

// CountMissing counts how many accepted samples the target lacks.
func (g *Group) CountMissing() int { return max(0, g.Target-g.Accepted) }

// Balance counts candidates over the taxonomy. The zero value counts nothing.
type Balance struct{ tree criteria.GroupTree[Group] }

func (b *Balance) findGroup(path []string) *Group {
	return b.tree.FindOrAdd(path, func(path []string) Group { return Group{Path: path} })
}

// AddPath makes a group known that may have no sample.
func (b *Balance) AddPath(path []string) {
	for n := range len(path) + 1 {
		b.findGroup(path[:n])
	}
}

// CountCandidate counts a candidate where it belongs.
func (b *Balance) CountCandidate(path []string, accepted bool) {
	for n := range len(path) + 1 {
		g := b.findGroup(path[:n])
		g.Candidates++
		if accepted {
			g.Accepted++
		}
	}
}

// ListGroups gives all groups with their targets, each before those below it, siblings as they became
// known; the first is the whole. A group without a target of its own has the sum of those below it.
func (b *Balance) ListGroups(targets []criteria.Quota) []Group {
	for _, t := range targets {
		b.AddPath(t.Path)
	}
	b.AddPath(nil)
	out := b.tree.List(func(g *Group) []string { return g.Path })
	for i := range out {
		g := &out[i]
		g.leaf = !slices.ContainsFunc(out, func(o Group) bool { return isBelow(&o, g) })
		for _, t := range targets {
			if isTargetOf(t, g) {
				g.Target = t.N
			}
		}
	}
	for i := range slices.Backward(out) {
		if out[i].Target > 0 {
			continue
		}
		for j := range out {
			if isBelow(&out[j], &out[i]) && len(out[j].Path) == len(out[i].Path)+1 {
				out[i].Target += out[j].Target
			}
		}
	}
	return out
}

func isTargetOf(t criteria.Quota, g *Group) bool {
	if len(t.Path) > 0 {
		return slices.Equal(t.Path, g.Path)
	}
	return len(g.Path) > 0 && (len(g.Path) == t.Level || t.Level == annotate.FinestLevel && g.leaf)
}

// isBelow reports whether a group is within another.
func isBelow(g, of *Group) bool {
	return len(g.Path) > len(of.Path) && slices.Equal(g.Path[:len(of.Path)], of.Path)
}
