package blind

import (
	"concord/annotate"
	"concord/eval"
)

// View tells what one person may see of a sample and of the answers to it, by all
// models and in all passes.
type View struct {
	hidesTruth bool
	parts      []part
}

// part is a queue with its items about the sample.
type part struct {
	*queueView
	items      []annotate.ItemKey
	hidesTruth bool // one is open, or may come
}

func (v *View) add(p part) {
	v.parts, v.hidesTruth = append(v.parts, p), v.hidesTruth || p.hidesTruth
}

// Without is the view with one queue left aside: a session of that queue knows
// better than what is stored how it stands there.
func (v *View) Without(q annotate.QueueName) *View {
	out := &View{}
	for _, p := range v.parts {
		if p.Name != q {
			out.add(p)
		}
	}
	return out
}

// HidesTruth reports whether the truth about the sample would answer an item that
// the person has yet to answer: one is open, or a queue grows and may be given
// one. Then nothing may be shown that follows from the truth: no verdict, no
// pass that was chosen by it, and no count of passes, since a question is
// asked no further once a pass is wrong.
func (v *View) HidesTruth() bool { return v.hidesTruth }

// Visibility tells how much the person may see of a prediction about the sample.
// unread reports whether the named rules (name@version) read no choice out of
// it; it must say so too when it does not know those rules. While a pair is
// open, no answer of the sample's other pairs is shown either, though they were
// voted on: whose one answer of a pair is tells whose the other one is, and that
// one may stand in the open pair.
func (v *View) Visibility(k eval.Key, unread func(rules string) bool) Visibility {
	if !v.hidesTruth {
		return AllVisible
	}
	for i := range v.parts {
		p := &v.parts[i]
		answered := false
		for _, it := range p.items {
			if !about(it, k) {
				continue
			}
			if p.open(it) || it.Against != 0 && p.hidesTruth {
				return TextHidden
			}
			answered = true
		}
		if !answered && p.brings(k, unread) {
			return TextHidden
		}
	}
	return TruthHidden
}

// Shows reports whether the person may learn that a prediction exists. While the
// truth is hidden, those of pass 0 are shown, and those that they have labelled.
func (v *View) Shows(k eval.Key) bool {
	if !v.hidesTruth || k.Pass == 0 {
		return true
	}
	for i := range v.parts {
		if v.parts[i].labelled(k) {
			return true
		}
	}
	return false
}

// ShowsVotes reports whether the person may see what judges and other people
// voted on pairs of answers to the sample. While one of its pairs waits for
// their own vote they may not; nor while another item does, since a judge's
// reply tells what is right.
func (v *View) ShowsVotes() bool { return !v.hidesTruth }

// Labels are what people said of a prediction in the queues in which the
// person has answered it, in the order of queues and names, their own first.
// Votes on pairs are not among them.
func (v *View) Labels(k eval.Key) []annotate.Label {
	return v.labels(func(it annotate.ItemKey) bool { return it.Against == 0 && about(it, k) })
}

// Votes are what people voted on the sample's pairs that the person has voted
// on too, in the order of queues, pairs and names, their own first.
func (v *View) Votes() []annotate.PersonVote {
	var out []annotate.PersonVote
	for _, l := range v.labels(func(it annotate.ItemKey) bool { return it.Against != 0 }) {
		if one, ok := l.Vote(); ok {
			out = append(out, one)
		}
	}
	return out
}

// Rulings are what adjudicators settled of a prediction in the queues in which
// the person has answered it, in the order of queues and names, their own
// first.
func (v *View) Rulings(k eval.Key) []annotate.Ruling {
	var out []annotate.Ruling
	for i := range v.parts {
		p := &v.parts[i]
		for _, it := range p.items {
			if it.Against != 0 || !about(it, k) || !p.own.Answered(it) {
				continue
			}
			if own, ok := p.own.Rulings[it]; ok {
				out = append(out, own)
			}
			for _, other := range p.others {
				if r, ok := other.Rulings[it]; ok {
					out = append(out, r)
				}
			}
		}
	}
	return out
}

// Hears reports whether the person may see what others remarked on an item of a
// queue: they have answered it, or, of those who decide on remarks, they take no
// part in the queue; and no other item on its responses is open to them in a queue
// in which they take part.
func (v *View) Hears(queue annotate.QueueName, it annotate.ItemKey, decides bool) bool {
	heard := false
	for i := range v.parts {
		p := &v.parts[i]
		out := decides && len(p.own.Labels) == 0
		for _, other := range p.items {
			if !overlap(it, other) || out {
				continue
			}
			if p.open(other) {
				return false
			}
		}
		if p.Name == queue {
			heard = out || p.own.Answered(it)
		}
	}
	return heard
}

// overlap reports whether two items are about a response that both show.
func overlap(a, b annotate.ItemKey) bool {
	for _, k := range a.Responses() {
		if about(b, k) {
			return true
		}
	}
	return a == b
}

func (v *View) labels(wanted func(annotate.ItemKey) bool) []annotate.Label {
	var out []annotate.Label
	for i := range v.parts {
		p := &v.parts[i]
		for _, it := range p.items {
			if !wanted(it) || !p.own.Answered(it) {
				continue
			}
			if own, ok := p.own.Labels[it]; ok {
				out = append(out, own)
			}
			for _, other := range p.shown(it) {
				if l, ok := other.Labels[it]; ok {
					out = append(out, l)
				}
			}
		}
	}
	return out
}

func (p *part) labelled(k eval.Key) bool {
	for _, it := range p.items {
		if about(it, k) && p.own.Answered(it) {
			return true
		}
	}
	return false
}

// about reports whether the prediction is shown to whoever answers an item.
func about(it annotate.ItemKey, k eval.Key) bool {
	other, pair := it.Other()
	return it.Key == k || pair && other == k
}
