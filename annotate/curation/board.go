package curation

import (
	"fmt"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

// Item is a candidate as a board knows it.
type Item struct {
	Sample eval.Ordinal
	Axis   []string // the dataset's: its taxonomy path
}

// Opening is what a board starts from.
type Opening struct {
	Dataset eval.DatasetName
	Expert  annotate.Annotator
	Items   []Item
	Acts    []Act // everybody's, each expert's in order
	Panel   Panel
	Targets []criteria.Quota // how many accepted samples groups are to have
	Now     func() time.Time // nil is time.Now
}

// Board is one expert at work on the candidates of a dataset: what they said, what they can
// take back, and how far all are together. It does no I/O; the acts that its methods return go
// into a Journal in the order in which they were returned, and count here at once.
//
//	key -> Board -Act-> Journal -> storage
//
// It has the words of the others and refuses to show them before the expert's
// own (annotate.ErrBlind). It is not safe for use by several goroutines.
type Board struct {
	dataset eval.DatasetName
	expert  annotate.Annotator
	panel   Panel
	targets []criteria.Quota
	now     func() time.Time

	items  []Item
	places map[eval.Ordinal]int // in items
	others otherExperts
	axes   axes // that this expert placed samples on, or others

	acts  []Act
	state State
	kept  []Group // the balance, nil after an act
}

// NewBoard opens a board. It refuses acts of an expert that are not their acts 1, 2, 3 and so on.
func NewBoard(o Opening) (*Board, error) {
	b := &Board{
		dataset: o.Dataset, expert: o.Expert, panel: o.Panel, targets: o.Targets, now: eval.Either(o.Now != nil, o.Now, time.Now), items: o.Items,
		places: make(map[eval.Ordinal]int, len(o.Items)),
		others: otherExperts{words: make(map[eval.Ordinal][]ExpertWord), rulings: make(map[eval.Ordinal][]ExpertWord)},
	}
	for i := range o.Items {
		b.places[o.Items[i].Sample] = i
	}
	experts, acts := groupByExpert(o.Acts)
	for _, who := range experts {
		for i := range acts[who] {
			if a := &acts[who][i]; a.Dataset != o.Dataset || a.N != uint32(i+1) {
				return nil, fmt.Errorf("open curation of %s: act %d of %s: %w", o.Dataset, i+1, who, annotate.ErrConflict)
			}
		}
		if who == o.Expert {
			b.acts = acts[who]
			continue
		}
		b.others.addActs(acts[who])
		for i := range acts[who] { // in an order that is always the same
			b.axes.addAxis(acts[who][i].Axis)
		}
	}
	b.state = FoldActs(b.acts)
	return b, nil
}

// groupByExpert sorts acts by who did them, experts in the order of their first.
func groupByExpert(all []Act) ([]annotate.Annotator, map[annotate.Annotator][]Act) {
	var order []annotate.Annotator
	acts := make(map[annotate.Annotator][]Act)
	for i := range all {
		who := all[i].Expert
		if _, known := acts[who]; !known {
			order = append(order, who)
		}
		acts[who] = append(acts[who], all[i])
	}
	return order, acts
}

// Dataset is what is curated.
func (b *Board) Dataset() eval.DatasetName { return b.dataset }

// Panel is how many experts decide.
func (b *Board) Panel() Panel { return b.panel }

// Stream is whose acts these are.
func (b *Board) Stream() Stream { return Stream{b.dataset, b.expert} }

// Items are the candidates in their order. They must not be changed.
func (b *Board) Items() []Item { return b.items }

// State gives what stands of the expert's acts. It must not be changed.
func (b *Board) State() *State { return &b.state }

// CandidateStanding is how a candidate stands for the expert.
type CandidateStanding uint8

// The standings. The zero value is to do.
const (
	ToDo      CandidateStanding = iota
	PutOff                      // skipped
	Mine                        // answered
	NotNeeded                   // as many others as are asked for have spoken
)

// StandingOf tells what a candidate asks of the expert.
func (b *Board) StandingOf(o eval.Ordinal) CandidateStanding {
	_, skipped := b.state.Skipped[o]
	switch {
	case b.state.HasAnswered(o):
		return Mine
	case len(b.others.words[o]) >= b.panel.requiredExperts():
		return NotNeeded
	case skipped:
		return PutOff
	}
	return ToDo
}

// AxisOf is where the expert has a candidate: their own word, else the dataset's; nil when neither says.
func (b *Board) AxisOf(o eval.Ordinal) []string {
	if axis, ok := b.state.Axes[o]; ok {
		return axis
	}
	if i, ok := b.places[o]; ok {
		return b.items[i].Axis
	}
	return nil
}

// decideCandidate gives what everybody's words come to, whoever may see it.
func (b *Board) decideCandidate(o eval.Ordinal) Decision {
	words, rulings := b.others.words[o], b.others.rulings[o]
	if w, ok := b.state.WordOn(o); ok {
		words = append(slices.Clip(words), w)
	}
	if r, ok := b.state.RulingOn(o); ok {
		rulings = append(slices.Clip(rulings), r)
	}
	var axis []string
	if i, ok := b.places[o]; ok {
		axis = b.items[i].Axis
	}
	return b.panel.DecideSample(words, StandingRuling(rulings), axis)
}

// DecisionOn is what everybody's words come to on a candidate. It tells something of the
// others' words, so it is annotate.ErrBlind before the expert's own.
func (b *Board) DecisionOn(o eval.Ordinal) (Decision, error) {
	if !b.state.HasAnswered(o) {
		return Decision{}, annotate.ErrBlind
	}
	return b.decideCandidate(o), nil
}

// IsDisputed reports whether a candidate waits to be settled: experts differ on
// it, as many as are asked for. It says not how.
func (b *Board) IsDisputed(o eval.Ordinal) bool {
	d := b.decideCandidate(o)
	return d.Of >= b.panel.requiredExperts() && d.IsDisputed()
}

// Disputes are how many candidates experts differ on.
type Disputes struct {
	Open     int // that wait to be settled
	Tied     int // of those, on which no side has more than half
	Resolved int // by a ruling
}

// CountDisputes counts the candidates that wait to be settled, and those that are.
func (b *Board) CountDisputes() Disputes {
	var out Disputes
	for i := range b.items {
		switch d := b.decideCandidate(b.items[i].Sample); {
		case d.Ruled:
			out.Resolved++
		case d.Of >= b.panel.requiredExperts() && d.IsDisputed():
			if out.Open++; d.Outcome == Contested {
				out.Tied++
			}
		}
	}
	return out
}

// CountWords counts on how many samples each expert has a word.
func (b *Board) CountWords() map[annotate.Annotator]int {
	out := map[annotate.Annotator]int{b.expert: len(b.state.Words)}
	for _, words := range b.others.words {
		for i := range words {
			out[words[i].Expert]++
		}
	}
	return out
}

// OtherWords are the words of other experts on a candidate, and their rulings. A verdict that
// is given afterwards is no blind one, so look is to be stored before they are shown; its N is
// 0 when an earlier one is. It is annotate.ErrBlind before the expert's own answer.
func (b *Board) OtherWords(o eval.Ordinal) (words, rulings []ExpertWord, look Act, err error) {
	if !b.state.HasAnswered(o) {
		return nil, nil, Act{}, annotate.ErrBlind
	}
	if !b.state.Seen[o] && b.others.hasWord(o) {
		look = b.appendAct(Act{Kind: Looked, Sample: o})
	}
	return b.others.words[o], b.others.rulings[o], look, nil
}

// MayShowWords reports whether what all say of a candidate may be shown elsewhere, where
// no look is stored: the expert has answered it, and a look at the others' words
// is stored, or there are none. Whoever is not needed may still answer.
func (b *Board) MayShowWords(o eval.Ordinal) bool {
	return b.state.HasAnswered(o) && (b.state.Seen[o] || !b.others.hasWord(o))
}

// VisibleBalance is how far every axis is, with candidates on which experts have
// decided as many as are asked for, and those of the expert's own. What the
// others say of one that still waits for the expert is not in it.
func (b *Board) VisibleBalance() []Group {
	if b.kept == nil {
		b.kept = b.computeBalance()
	}
	return b.kept
}

func (b *Board) computeBalance() []Group {
	var out Balance
	for i := range b.items {
		out.AddPath(b.items[i].Axis)
	}
	for _, axis := range b.axes {
		out.AddPath(axis)
	}
	for i := range b.items {
		o := b.items[i].Sample
		if s := b.StandingOf(o); s == ToDo || s == PutOff {
			out.CountCandidate(b.AxisOf(o), false)
			continue
		}
		d := b.decideCandidate(o)
		out.CountCandidate(d.Axis, d.Outcome == Accepted)
	}
	return out.ListGroups(b.targets)
}

// Axes are the axes to choose from: the finest groups of the taxonomy, of the
// targets, and those that experts have made.
func (b *Board) Axes() [][]string {
	leaves := eval.Select(b.VisibleBalance(), func(g Group) bool { return g.IsLeaf() && len(g.Path) > 0 })
	return eval.Map(leaves, func(g Group) []string { return g.Path })
}

// otherExperts holds what the other experts of a panel say of each candidate.
type otherExperts struct {
	words, rulings map[eval.Ordinal][]ExpertWord
}

// addActs adds the words and rulings that follow from one expert's acts.
func (w *otherExperts) addActs(acts []Act) {
	st := FoldActs(acts)
	for o := range st.Words {
		word, _ := st.WordOn(o)
		w.words[o] = append(w.words[o], word)
	}
	for o := range st.Rulings {
		ruling, _ := st.RulingOn(o)
		w.rulings[o] = append(w.rulings[o], ruling)
	}
}

// hasWord reports whether another expert has a word or a ruling on a candidate.
func (w *otherExperts) hasWord(o eval.Ordinal) bool { return len(w.words[o])+len(w.rulings[o]) > 0 }

// axes lists axes without repeats, in the order in which they were added.
type axes [][]string

// addAxis appends an axis; nil and those that are listed already add nothing.
func (a *axes) addAxis(axis []string) {
	if axis != nil && !slices.ContainsFunc(*a, func(p []string) bool { return slices.Equal(p, axis) }) {
		*a = append(*a, axis)
	}
}
