package curation

import (
	"slices"
	"time"

	"concord/eval"
)

// act appends one act and lets it count.
func (b *Board) act(a Act) Act {
	a.Dataset, a.Expert = b.dataset, b.expert
	a.N, a.At = uint32(len(b.acts)+1), b.now().UTC().Truncate(time.Millisecond)
	b.acts, b.kept = append(b.acts, a), nil
	if a.Kind == TookBack {
		b.state = Fold(b.acts)
		return a
	}
	b.state.apply(&a)
	b.state.remember(b.acts, &a)
	return a
}

// Judge gives a candidate a verdict; one that it has is replaced. It reports
// false, and does nothing, when the verdict says nothing new, or the sample is
// no candidate.
func (b *Board) Judge(o eval.Ordinal, v Verdict, spent time.Duration) (Act, bool) {
	if _, ok := b.places[o]; !ok || v == VerdictUnset || b.state.Words[o].Verdict == v {
		return Act{}, false
	}
	return b.act(Act{Kind: Judged, Sample: o, Verdict: v, Informed: b.state.Seen[o], Spent: spent}), true
}

// Place says which axis a candidate belongs to. It reports false when it is
// there already.
func (b *Board) Place(o eval.Ordinal, axis []string) (Act, bool) {
	if _, ok := b.places[o]; !ok || len(axis) == 0 || slices.Equal(b.Axis(o), axis) {
		return Act{}, false
	}
	b.axes.add(slices.Clone(axis))
	return b.act(Act{Kind: Placed, Sample: o, Axis: slices.Clone(axis), Informed: b.state.Seen[o]}), true
}

// Skip puts a candidate off. Of one that is answered nothing is put off.
func (b *Board) Skip(o eval.Ordinal, spent time.Duration) (Act, bool) {
	if _, ok := b.places[o]; !ok || b.state.Answered(o) {
		return Act{}, false
	}
	return b.act(Act{Kind: Skipped, Sample: o, Spent: spent}), true
}

// Note writes the note of a candidate; an empty text removes it.
func (b *Board) Note(o eval.Ordinal, text string) (Act, bool) {
	if _, ok := b.places[o]; !ok || b.state.Notes[o] == text {
		return Act{}, false
	}
	return b.act(Act{Kind: Noted, Sample: o, Text: text}), true
}

// Rule settles a candidate that experts differ on; a nil axis leaves it where
// they have it. What the expert had ruled before is replaced. It reports false
// when nobody differs, or it says nothing new.
func (b *Board) Rule(o eval.Ordinal, v Verdict, axis []string, spent time.Duration) (Act, bool) {
	old, ruled := b.state.Rulings[o]
	switch {
	case v == VerdictUnset || !ruled && !b.Disputed(o):
		return Act{}, false
	case ruled && old.Verdict == v && slices.Equal(old.Axis, axis):
		return Act{}, false
	}
	return b.act(Act{Kind: Ruled, Sample: o, Verdict: v, Axis: slices.Clone(axis), Informed: b.state.Seen[o], Spent: spent}), true
}

// CanUndo reports whether there is an act to take back.
func (b *Board) CanUndo() bool {
	_, ok := b.state.history.ToUndo()
	return ok
}

// CanRedo reports whether the last thing done was to take something back.
func (b *Board) CanRedo() bool {
	_, ok := b.state.history.ToRedo()
	return ok
}

// Undo takes back the last act that stands, however long ago it was done. It
// returns the act to store and the one that it takes back.
func (b *Board) Undo() (act, of Act, ok bool) {
	n, ok := b.state.history.ToUndo()
	if !ok {
		return Act{}, Act{}, false
	}
	of = b.acts[n-1]
	return b.act(Act{Kind: TookBack, Sample: of.Sample, Target: n}), of, true
}

// Redo does again what Undo took back last. It returns the act to store and
// the one that stands again.
func (b *Board) Redo() (act, of Act, ok bool) {
	n, ok := b.state.history.ToRedo()
	if !ok {
		return Act{}, Act{}, false
	}
	of = b.acts[b.acts[n-1].Target-1]
	return b.act(Act{Kind: TookBack, Sample: of.Sample, Target: n}), of, true
}

// Order are the candidates that ask for the expert, those put off last, the
// longest ago first.
func (b *Board) Order() []eval.Ordinal {
	var todo, off []eval.Ordinal
	for i := range b.items {
		switch o := b.items[i].Sample; b.Standing(o) {
		case ToDo:
			todo = append(todo, o)
		case PutOff:
			off = append(off, o)
		case Mine, NotNeeded:
		}
	}
	slices.SortFunc(off, func(x, y eval.Ordinal) int { return int(b.state.Skipped[x]) - int(b.state.Skipped[y]) })
	return append(todo, off...)
}
