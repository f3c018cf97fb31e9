package curation

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
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
func (k Kind) String() string { return eval.EnumName(kindNames, k) }

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
		Number: actNumber, Append: commit,
		Final: func(err error) bool { return errors.Is(err, annotate.ErrConflict) },
	}, now)
}

func actNumber(a *Act) uint32 { return a.N }

// RedoRefused does acts again that could not be stored since the expert had worked elsewhere meanwhile,
// which the board knows of by now: each as what it says, with a number of today. It returns the acts to
// store, and how many had nothing to say any more, or took back what was done before them.
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
		if done, ok := b.redoAct(a); ok {
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
		if at, ok := last[targetOfAct(&acts[i])]; ok {
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

func (b *Board) redoAct(a *Act) (Act, bool) {
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

// Adjudicate settles a candidate that experts differ on; a nil axis leaves it where they have it. What the
// expert had ruled before is replaced. It reports false when nobody differs, or it says nothing new.
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

// Redo does again what Undo took back last. It returns the act to store and the one that stands again.
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

// Outcome is what becomes of a candidate. The zero value is open: fewer experts have spoken than must.
type Outcome uint8

// The outcomes.
const (
	Open Outcome = iota
	Accepted
	Dropped
	Contested // experts differ, and no side has more than half
)

// Outcomes is how many outcomes there are, for arrays indexed by Outcome.
const Outcomes = int(Contested) + 1

var outcomeNames = []string{"open", "accepted", "dropped", "contested"}

// String returns the name that reports use.
func (o Outcome) String() string { return eval.EnumName(outcomeNames, o) }

// Panel says how many experts decide.
type Panel struct {
	Experts int // that each sample asks for; below 1 is 1
}

func (p Panel) requiredExperts() int { return max(1, p.Experts) }

// Decision is what experts' words come to on a sample.
type Decision struct {
	Outcome Outcome
	Verdict Verdict  // that most of the deciding side give, the first of the enumeration when they tie
	Votes   int      // of the deciding side
	Of      int      // who spoke
	Split   bool     // not all give the same verdict
	Axis    []string // where it belongs; nil: nobody has said
	Loose   bool     // experts place it on different axes, none by more than half: Axis is the dataset's
	Ruled   bool     // an adjudicator settled it
}

// IsDisputed reports whether the experts differ and nobody has settled it.
func (d *Decision) IsDisputed() bool { return !d.Ruled && d.Of > 1 && (d.Split || d.Loose) }

// DecideSample gives what words come to: more than half of at least as many experts as
// the panel asks for accept a sample or drop it, for whatever reason each. A
// ruling, nil without one, prevails. axis is where the dataset has the sample.
func (p Panel) DecideSample(words []ExpertWord, ruling *ExpertWord, axis []string) Decision {
	d := Decision{Of: len(words)}
	sides := make([]bool, len(words))
	for i := range words {
		sides[i] = words[i].Verdict.Accepts()
		d.Split = d.Split || words[i].Verdict != words[0].Verdict
	}
	d.Axis, d.Loose = majorityAxis(words, axis)
	if ruling != nil {
		d.Ruled, d.Verdict, d.Outcome = true, ruling.Verdict, eval.Either(ruling.Verdict.Accepts(), Accepted, Dropped)
		d.Votes = eval.Count(sides, func(side bool) bool { return side == (d.Outcome == Accepted) })
		if ruling.Axis != nil {
			d.Axis, d.Loose = ruling.Axis, false
		}
		return d
	}
	if len(words) < p.requiredExperts() {
		return d
	}
	got, settled := annotate.ResolveWords(sides, nil, annotate.Majority)
	if !settled {
		d.Outcome = Contested
		return d
	}
	d.Outcome, d.Votes = eval.Either(got.Word, Accepted, Dropped), got.Votes
	d.Verdict = mostFrequentVerdict(words, got.Word)
	return d
}

func mostFrequentVerdict(words []ExpertWord, accepts bool) Verdict {
	var n [Verdicts]int
	for i := range words {
		if words[i].Verdict.Accepts() == accepts {
			n[words[i].Verdict]++
		}
	}
	return slices.MaxFunc(AllVerdicts(), func(a, b Verdict) int { return cmp.Compare(n[a], n[b]) })
}

// majorityAxis is the axis that more than half of the experts give, those who left
// the sample where it is among them.
func majorityAxis(words []ExpertWord, axis []string) (got []string, loose bool) {
	keys := eval.Map(words, func(w ExpertWord) string { return criteria.PathKey(w.axisOr(axis)) })
	won, settled := annotate.ResolveWords(keys, nil, annotate.Majority)
	switch {
	case len(words) == 0:
		return axis, false
	case !settled:
		return axis, true
	}
	return words[slices.Index(keys, won.Word)].axisOr(axis), false
}

// axisOr is where the word places a sample that the dataset has at own.
func (w *ExpertWord) axisOr(own []string) []string { return eval.Either(w.Axis != nil, w.Axis, own) }

// StandingRuling is the ruling that stands of several adjudicators' on one sample,
// the first when they settle it alike; nil where they differ, or none has.
func StandingRuling(rulings []ExpertWord) *ExpertWord {
	differs := func(r ExpertWord) bool {
		return r.Verdict.Accepts() != rulings[0].Verdict.Accepts() || !slices.Equal(r.Axis, rulings[0].Axis)
	}
	if len(rulings) == 0 || slices.ContainsFunc(rulings, differs) {
		return nil
	}
	return &rulings[0]
}

// Verdict is what an expert finds of a sample (MMStar, Sec. 4.1): whether it needs
// its image and demands advanced ability. Which ability it covers is its axis. Only
// the first accepts it. The zero value is unset.
type Verdict uint8

// The verdicts.
const (
	VerdictUnset Verdict = iota
	NeedsImage           // it cannot be answered without its picture, nor without advanced ability
	NeedsNone            // it can, by what one knows
	InQuestion           // question or options give the answer away
	Wrong                // the answer is wrong, or the question ambiguous
	Duplicate            // another sample asks the same
	Basic                // it needs its picture, and no advanced ability
)

// Verdicts is how many verdicts there are, for arrays indexed by Verdict.
const Verdicts = int(Basic) + 1

var verdictNames = []string{"", "needs_image", "answerable", "in_question", "wrong", "duplicate", "basic"}

// String returns the name that files and reports use.
func (v Verdict) String() string { return eval.EnumName(verdictNames, v) }

// Accepts reports whether the verdict takes the sample into the benchmark.
func (v Verdict) Accepts() bool { return v == NeedsImage }

// ParseVerdict reads what String writes.
func ParseVerdict(s string) (Verdict, error) {
	return eval.ParseEnum[Verdict](verdictNames, s, "verdict")
}

// AllVerdicts are the verdicts in the order in which they are shown.
func AllVerdicts() []Verdict {
	return []Verdict{NeedsImage, NeedsNone, InQuestion, Wrong, Duplicate, Basic}
}
