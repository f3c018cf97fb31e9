package curation

import (
	"context"
	"errors"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/journal"
	"concord/eval"
)

// Kind is what an expert did. The zero value is unset.
type Kind uint8

// The kinds of acts.
const (
	KindUnset Kind = iota
	Judged         // gave a Verdict
	Placed         // said which capability and axis the sample belongs to
	Skipped        // put the sample off
	Noted          // wrote a note; an empty one removes it
	TookBack       // undid the act Target; taking back such an act is redo
	Looked         // was shown what other experts say; nothing takes that back
	Ruled          // settled what experts differ on: a Verdict, and an Axis
)

var kindNames = []string{"", "verdict", "axis", "skip", "note", "undo", "reveal", "ruling"}

// String returns the name that exports use.
func (k Kind) String() string { return eval.NameOf(kindNames, k) }

// Act is one thing that an expert did to one sample of a dataset: a fact. Acts of one expert in
// one dataset are numbered from 1 without gaps, and that number orders them; clocks do not.
type Act struct {
	Dataset  eval.DatasetName
	Expert   annotate.Annotator
	N        uint32
	Sample   eval.Ordinal
	Kind     Kind
	Verdict  Verdict  // Judged, Ruled
	Axis     []string // Placed, Ruled: from coarse to fine; Ruled: nil leaves it to the experts
	Text     string   // Noted
	Target   uint32   // TookBack: the N of the act taken back
	Informed bool     // Judged, Placed, Ruled: after Looked; TookBack: brought a word back after it
	Imported bool     // read from a file, not typed here
	At       time.Time
	Spent    time.Duration // time that the sample was in front of them
}

// Stream is whose acts are numbered together.
type Stream struct {
	Dataset eval.DatasetName
	Expert  annotate.Annotator
}

// Journal is the one ordered writer of experts' acts.
type Journal = journal.Journal[Stream, Act]

// JournalState is where a journal stands, or one expert's part of it.
type JournalState = journal.State[Act]

// NewJournal starts a journal; Close ends it. A nil now is time.Now. Commit makes acts
// durable, in their order, all or none. Acts whose numbers do not follow those
// stored give annotate.ErrConflict, and wait to be redone by Board.RedoRefused.
func NewJournal(commit func(context.Context, []Act) error, now func() time.Time) *Journal {
	return journal.New(journal.ActTraits[Stream, Act]{
		Stream: func(a *Act) Stream { return Stream{a.Dataset, a.Expert} },
		Number: number, Append: commit,
		Final: func(err error) bool { return errors.Is(err, annotate.ErrConflict) },
	}, now)
}

func number(a *Act) uint32 { return a.N }

// RedoRefused does acts again that could not be stored since the expert had worked
// elsewhere meanwhile, which the board knows of by now: each as what it says,
// with a number of today. It returns the acts to store, and how many had nothing
// to say any more, or took back what was done before them.
func (b *Board) RedoRefused(refused []Act) (acts []Act, left int) {
	target, gone := findTakenBack(refused)
	for i := range refused {
		a := &refused[i]
		switch {
		case target[i] >= 0 || gone[i]:
			continue // among themselves
		case a.Informed && !b.state.Seen[a.Sample]:
			acts = append(acts, b.appendAct(Act{Kind: Looked, Sample: a.Sample}))
		}
		if done, ok := b.redoOne(a); ok {
			acts = append(acts, done)
		} else {
			left++
		}
	}
	return acts, left
}

// findTakenBack tells which of some acts each takes back, by its place among them, -1
// for none, and which stand no more for it. Numbers alone do not say: acts made
// on two boards may share one, and an act means the last of that number.
func findTakenBack(acts []Act) (target []int, gone []bool) {
	target, gone = make([]int, len(acts)), make([]bool, len(acts))
	last := make(map[uint32]int, len(acts))
	for i := range acts {
		target[i] = -1
		if at, ok := last[targetOf(&acts[i])]; ok {
			target[i] = at
		}
		last[acts[i].N] = i
	}
	for i := range slices.Backward(acts) {
		if target[i] >= 0 && !gone[i] {
			gone[target[i]] = true
		}
	}
	return target, gone
}

func (b *Board) redoOne(a *Act) (Act, bool) {
	o := a.Sample
	switch a.Kind {
	case Judged:
		return b.GiveVerdict(o, a.Verdict, a.Spent)
	case Placed:
		return b.SetAxis(o, a.Axis)
	case Skipped:
		return b.SkipCandidate(o, a.Spent)
	case Noted:
		return b.SetNote(o, a.Text)
	case Ruled:
		return b.Adjudicate(o, a.Verdict, a.Axis, a.Spent)
	case Looked:
		if _, ok := b.places[o]; ok && !b.state.Seen[o] {
			return b.appendAct(Act{Kind: Looked, Sample: o}), true
		}
	case KindUnset, TookBack:
	}
	return Act{}, false
}

// appendAct appends one act and lets it count.
func (b *Board) appendAct(a Act) Act {
	a.Dataset, a.Expert = b.dataset, b.expert
	a.N, a.At = uint32(len(b.acts)+1), b.now().UTC().Truncate(time.Millisecond)
	b.acts, b.kept = append(b.acts, a), nil
	if a.Kind == TookBack {
		b.state = FoldActs(b.acts)
		return a
	}
	b.state.AddAct(&a)
	b.state.updateHistory(b.acts, &a)
	return a
}

// GiveVerdict gives a candidate a verdict; one that it has is replaced. It reports false, and
// does nothing, when the verdict says nothing new, or the sample is no candidate.
func (b *Board) GiveVerdict(o eval.Ordinal, v Verdict, spent time.Duration) (Act, bool) {
	if _, ok := b.places[o]; !ok || v == VerdictUnset || b.state.Words[o].Verdict == v {
		return Act{}, false
	}
	return b.appendAct(Act{Kind: Judged, Sample: o, Verdict: v, Informed: b.state.Seen[o], Spent: spent}), true
}

// SetAxis says which axis a candidate belongs to. It reports false when it is there already.
func (b *Board) SetAxis(o eval.Ordinal, axis []string) (Act, bool) {
	if _, ok := b.places[o]; !ok || len(axis) == 0 || slices.Equal(b.AxisOf(o), axis) {
		return Act{}, false
	}
	b.axes.addAxis(slices.Clone(axis))
	return b.appendAct(Act{Kind: Placed, Sample: o, Axis: slices.Clone(axis), Informed: b.state.Seen[o]}), true
}

// SkipCandidate puts a candidate off. Of one that is answered nothing is put off.
func (b *Board) SkipCandidate(o eval.Ordinal, spent time.Duration) (Act, bool) {
	if _, ok := b.places[o]; !ok || b.state.HasAnswered(o) {
		return Act{}, false
	}
	return b.appendAct(Act{Kind: Skipped, Sample: o, Spent: spent}), true
}

// SetNote writes the note of a candidate; an empty text removes it.
func (b *Board) SetNote(o eval.Ordinal, text string) (Act, bool) {
	if _, ok := b.places[o]; !ok || b.state.Notes[o] == text {
		return Act{}, false
	}
	return b.appendAct(Act{Kind: Noted, Sample: o, Text: text}), true
}

// Adjudicate settles a candidate that experts differ on; a nil axis leaves it where
// they have it. What the expert had ruled before is replaced. It reports false
// when nobody differs, or it says nothing new.
func (b *Board) Adjudicate(o eval.Ordinal, v Verdict, axis []string, spent time.Duration) (Act, bool) {
	old, ruled := b.state.Rulings[o]
	switch {
	case v == VerdictUnset || !ruled && !b.IsDisputed(o):
		return Act{}, false
	case ruled && old.Verdict == v && slices.Equal(old.Axis, axis):
		return Act{}, false
	}
	return b.appendAct(Act{Kind: Ruled, Sample: o, Verdict: v, Axis: slices.Clone(axis), Informed: b.state.Seen[o], Spent: spent}), true
}

// Undo takes back the last act that stands, however long ago it was done. It
// returns the act to store and the one that it takes back.
func (b *Board) Undo() (act, of Act, ok bool) {
	n, ok := b.state.NextUndo()
	return b.takeBack(n, ok)
}

// Redo does again what Undo took back last. It returns the act to store and
// the one that stands again.
func (b *Board) Redo() (act, of Act, ok bool) {
	n, ok := b.state.NextRedo()
	return b.takeBack(n, ok)
}

func (b *Board) takeBack(n uint32, ok bool) (act, of Act, _ bool) {
	if !ok {
		return act, of, false
	}
	if of = b.acts[n-1]; of.Kind == TookBack { // of redo: what was undone
		of = b.acts[of.Target-1]
	}
	return b.appendAct(Act{Kind: TookBack, Sample: of.Sample, Target: n}), of, true
}
