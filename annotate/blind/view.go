package blind

import (
	"fmt"
	"slices"

	"concord/annotate"
	"concord/eval"
)

// View tells what one person may see of a sample and of the answers to it, by all models and in all passes.
type View struct {
	hidesTruth bool
	parts      []queuePart
}

// queuePart is a queue with its items about the sample.
type queuePart struct {
	*queueView
	items      []annotate.ItemKey
	hidesTruth bool // one is open, or may come
}

func (v *View) addPart(p queuePart) {
	v.parts, v.hidesTruth = append(v.parts, p), v.hidesTruth || p.hidesTruth
}

// WithoutQueue gives the view with one queue left aside: a session of that queue knows
// better than what is stored how it stands there.
func (v *View) WithoutQueue(q annotate.QueueName) *View {
	out := &View{}
	for _, p := range v.parts {
		if p.Name != q {
			out.addPart(p)
		}
	}
	return out
}

// HidesTruth reports whether the truth about the sample would answer an item that the person has yet to
// answer: one is open, or a queue grows and may be given one. Then nothing may be shown that follows
// from the truth: no verdict, no pass that was chosen by it, and no count of passes, since a question
// is asked no further once a pass is wrong.
func (v *View) HidesTruth() bool { return v.hidesTruth }

// VisibilityOf tells how much the person may see of a prediction about the sample. unread reports
// whether the named rules (name@version) read no choice out of it; it must say so too when it does not
// know those rules. While a pair is open, no answer of the sample's other pairs is shown either, though
// they were voted on: whose one answer of a pair is tells whose the other one is, and that one may
// stand in the open pair.
func (v *View) VisibilityOf(k eval.Key, unread func(rules string) bool) Visibility {
	if !v.hidesTruth {
		return AllVisible
	}
	for i := range v.parts {
		p := &v.parts[i]
		answered := false
		for _, it := range p.items {
			if !concernsPrediction(it, k) {
				continue
			}
			if p.isOpen(it) || it.Against != 0 && p.hidesTruth {
				return TextHidden
			}
			answered = true
		}
		if !answered && p.mayReceive(k, unread) {
			return TextHidden
		}
	}
	return TruthHidden
}

// ShowsPrediction reports whether the person may learn that a prediction exists. While the
// truth is hidden, those of pass 0 are shown, and those that they have labelled.
func (v *View) ShowsPrediction(k eval.Key) bool {
	if !v.hidesTruth || k.Pass == 0 {
		return true
	}
	return slices.ContainsFunc(v.parts, func(p queuePart) bool {
		return slices.ContainsFunc(p.items, func(it annotate.ItemKey) bool { return concernsPrediction(it, k) && p.own.HasAnswered(it) })
	})
}

// ShowsVotes reports whether the person may see what judges and other people voted on pairs of answers
// to the sample. While one of its pairs waits for their own vote they may not; nor while another item
// does, since a judge's reply tells what is right.
func (v *View) ShowsVotes() bool { return !v.hidesTruth }

// VisibleLabels are what people said of a prediction in the queues in which the person has answered it, in the
// order of queues and names, their own first. Votes on pairs are not among them.
func (v *View) VisibleLabels(k eval.Key) []annotate.Label {
	return collectSaid(v, func(it annotate.ItemKey) bool { return it.Against == 0 && concernsPrediction(it, k) }, (*queuePart).visibleOthers,
		func(s *annotate.State) map[annotate.ItemKey]annotate.Label { return s.Labels })
}

// VisibleRulings are what adjudicators settled of a prediction in the queues in which the person has answered
// it, in the order of queues and names, their own first.
func (v *View) VisibleRulings(k eval.Key) []annotate.Ruling {
	return collectSaid(v, func(it annotate.ItemKey) bool { return it.Against == 0 && concernsPrediction(it, k) },
		func(p *queuePart, _ annotate.ItemKey) []annotate.State { return p.others },
		func(s *annotate.State) map[annotate.ItemKey]annotate.Ruling { return s.Rulings })
}

// ShowsRemarks reports whether the person may see what others remarked on an item of a queue: they have
// answered it, or, of those who decide on remarks, they take no part in the queue; and no other item on
// its responses is open to them in a queue in which they take part.
func (v *View) ShowsRemarks(queue annotate.QueueName, it annotate.ItemKey, decides bool) bool {
	heard := false
	for i := range v.parts {
		p := &v.parts[i]
		out := decides && len(p.own.Labels) == 0
		for _, other := range p.items {
			isShown := func(k eval.Key) bool { return concernsPrediction(other, k) }
			if out || it != other && !slices.ContainsFunc(it.ResponseKeys(), isShown) {
				continue
			}
			if p.isOpen(other) {
				return false
			}
		}
		if p.Name == queue {
			heard = out || p.own.HasAnswered(it)
		}
	}
	return heard
}

// collectSaid collects what people say of the items that are wanted and that the person
// has answered, their own first.
func collectSaid[S any](v *View, wanted func(annotate.ItemKey) bool, others func(*queuePart, annotate.ItemKey) []annotate.State, said func(*annotate.State) map[annotate.ItemKey]S) []S {
	var out []S
	for i := range v.parts {
		p := &v.parts[i]
		for _, it := range p.items {
			if !wanted(it) || !p.own.HasAnswered(it) {
				continue
			}
			for _, st := range append([]annotate.State{p.own}, others(p, it)...) {
				if one, ok := said(&st)[it]; ok {
					out = append(out, one)
				}
			}
		}
	}
	return out
}

// concernsPrediction reports whether the prediction is shown to whoever answers an item.
func concernsPrediction(it annotate.ItemKey, k eval.Key) bool {
	other, pair := it.SecondKey()
	return it.Key == k || pair && other == k
}

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

// Revealed holds what an annotator may learn of an item after having answered it. Withheld tells that the
// truth is kept back, because another item about the same sample is still to be answered, or may still come.
type Revealed struct {
	Item     annotate.ItemKey
	Model    string      // "" is withheld: the answer stands in an item of another queue that is still open
	Truth    eval.Choice // as shown in the item's pass; "" without one
	Withheld bool
	Own      annotate.Reading
	Readings []MachineReading
}

// LoadAfterAnswer loads what the machine made of an item for a person whose acts stand as in st, and compares it
// with their reading. It gives ErrBlind, and loads nothing, before they have labelled the item.
func LoadAfterAnswer(st annotate.State, k annotate.ItemKey, load func() (Revealed, error)) (Revealed, error) {
	own, ok := st.Labels[k]
	if !ok {
		return Revealed{}, fmt.Errorf("reveal item %s: %w", k, annotate.ErrBlind)
	}
	r, err := load()
	if err != nil {
		return Revealed{}, fmt.Errorf("reveal item %s: %w", k, err)
	}
	r.Item, r.Own = k, own.Reading
	r.Readings = eval.Map(r.Readings, func(m MachineReading) MachineReading {
		m.Agrees = m.agreesWith(&own.Reading)
		return m
	})
	return r, nil
}

// agreesWith reports whether a person read the same: the option, or the score.
func (m *MachineReading) agreesWith(own *annotate.Reading) bool {
	if own.Kind == annotate.Scored || m.Score > 0 {
		return m.Score == own.Score
	}
	return m.Extraction.AlignmentClass() == own.AlignmentClass()
}

// RevealedPair holds what an annotator may learn of a pair after having voted on it: which model gave
// which answer, and what judges said. Withheld tells that all of it is kept back, because another item
// about the same sample is still to be answered, or may still come: a model's name would tell whose
// answer stands there too.
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
	first := eval.Either(u.Own.Swapped, u.Item.Against, u.Item.Run)
	if p.First == first {
		return p.Vote, true
	}
	return p.Vote.Swapped(), false
}
