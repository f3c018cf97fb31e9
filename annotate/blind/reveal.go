package blind

import (
	"fmt"

	"concord/annotate"
	"concord/eval"
)

// MachineReading is the answer that one extractor read out of a prediction.
type MachineReading struct {
	Extractor  string // "rules:NAME", or the judge's name
	Judge      bool
	Extraction eval.Extraction
	Score      int    // that a judge gave an open answer; 0 for none
	Raw        string // a judge's reply, word for word
	Agrees     bool   // with the person's own reading; set by Reveal
	Matched    string // the part of the response that the choice was read out of; "" where that is not known
	From       int    // the byte of the response at which it stands
}

// Revealed holds what an annotator may learn of an item after having answered it. Withheld tells that the truth is kept back, because another item about
// the same sample is still to be answered, or may still come.
type Revealed struct {
	Item     annotate.ItemKey
	Model    string      // "" is withheld: the answer stands in an item of another queue that is still open
	Truth    eval.Choice // as shown in the item's pass; "" without one
	Withheld bool
	Own      annotate.Reading
	Readings []MachineReading
}

// Reveal loads what the machine made of an item for a person whose acts stand
// as in st, and compares it with their reading. It gives ErrBlind, and loads
// nothing, before they have labelled the item.
func Reveal(st annotate.State, k annotate.ItemKey, load func() (Revealed, error)) (Revealed, error) {
	own, ok := st.Labels[k]
	if !ok {
		return Revealed{}, fmt.Errorf("reveal item %s: %w", k, annotate.ErrBlind)
	}
	r, err := load()
	if err != nil {
		return Revealed{}, fmt.Errorf("reveal item %s: %w", k, err)
	}
	r.Item, r.Own = k, own.Reading
	readings := make([]MachineReading, len(r.Readings))
	for i, m := range r.Readings {
		m.Agrees = m.agreesWith(&own.Reading)
		readings[i] = m
	}
	r.Readings = readings
	return r, nil
}

// agreesWith reports whether a person read the same: the option, or the score.
func (m *MachineReading) agreesWith(own *annotate.Reading) bool {
	if own.Kind == annotate.Scored || m.Score > 0 {
		return m.Score == own.Score
	}
	return m.Extraction.AlignmentClass() == own.AlignmentClass()
}

// RevealedPair holds what an annotator may learn of a pair after having voted on it:
// which model gave which answer, and what judges said. Withheld tells that all
// of it is kept back, because another item about the same sample is still to be
// answered, or may still come: a model's name would tell whose answer stands
// there too.
type RevealedPair struct {
	Item     annotate.ItemKey
	Model    string // of the item's run
	Against  string // of the other one
	Withheld bool
	Own      annotate.Reading
	Judges   []eval.Preference // that stand, in either order of the answers
}

// VoteAsSeen is the vote of a judge as a person who saw the pair in their own
// order would have said it, and whether the judge saw it in that order too.
func (u *RevealedPair) VoteAsSeen(p *eval.Preference) (v eval.Vote, same bool) {
	first := u.Item.Run
	if u.Own.Swapped {
		first = u.Item.Against
	}
	if p.First == first {
		return p.Vote, true
	}
	return p.Vote.Swapped(), false
}
