package packet

import (
	"cmp"
	"maps"
	"slices"

	"concord/annotate"
	"concord/eval"
)

// HomeState is what a packet comes home to, as it stands.
type HomeState struct {
	Queue  annotate.Queue
	Acts   []annotate.Act // of the packet's person in the queue, in order
	Crowds map[annotate.ItemKey]annotate.Crowd
	Known  map[annotate.ItemKey]bool // items whose answer is known, which everybody labels
}

// Clash is what of a packet does not come home: the person has said otherwise
// at home, or others have given all the labels that the item takes.
type Clash struct {
	Item annotate.ItemKey // at home
	Home *annotate.Act    // what stands there; nil: nothing, the item is taken
	Here annotate.Act     // what the packet says
}

// Outcome is what a packet comes to at home.
type Outcome struct {
	Acts      []annotate.Act // to be appended, in order
	Labels    int            // that stand in the packet
	Added     int            // of these, new
	Revised   int            // in the place of one that the packet brought before
	Unchanged int            // at home already
	Clashes   []Clash        // contradictions: labels, notes and flags
	Late      []Clash
	Unread    int // labels made under a guideline that was written in the packet: they say none
}

// MergeActs finds out what acts bring home what stands in a packet. Its acts are
// those of its person there, and items what its queue holds, by index.
//
// What is at home already is found by the act itself, to the millisecond, so that merging twice adds
// nothing, whatever happened at home since. What the packet brought before and its person has changed
// or taken back there is changed or taken back at home; what they said at home stays.
func MergeActs(p *Packet, home HomeState, items []annotate.QueueItem, acts []annotate.Act) Outcome {
	m := merger{packet: p, home: home, crowds: home.Crowds, at: groupByItem(home.Acts), file: groupByItem(acts)}
	for i := range items {
		m.mergeItem(p.Keys[i], m.file[items[i].Key], m.at[p.Keys[i]])
	}
	slices.SortStableFunc(m.bring, func(a, b broughtAct) int { return cmp.Compare(a.n, b.n) })
	for _, b := range m.bring {
		a := b.act
		a.Queue, a.Annotator, a.N = p.Queue, p.Who, uint32(len(home.Acts)+len(m.out.Acts)+1)
		m.out.Acts = append(m.out.Acts, a)
	}
	return m.out
}

// broughtAct is an act for home, and the number of the packet's act behind it.
type broughtAct struct {
	n   uint32
	act annotate.Act
}

type merger struct {
	packet   *Packet
	home     HomeState
	crowds   map[annotate.ItemKey]annotate.Crowd
	at, file map[annotate.ItemKey]itemActs
	bring    []broughtAct
	out      Outcome
}

// itemActs is what somebody did to one item, in order, and what of it stands.
type itemActs struct {
	acts []annotate.Act
	gone map[uint32]bool
}

func groupByItem(acts []annotate.Act) map[annotate.ItemKey]itemActs {
	gone := annotate.FindTakenBack(acts)
	out := make(map[annotate.ItemKey]itemActs)
	for _, a := range acts {
		c := out[a.Item]
		c.acts, c.gone = append(c.acts, a), gone
		out[a.Item] = c
	}
	return out
}

// actKinds is one thing that can be said of an item: a later act of its kinds replaces an earlier one.
type actKinds []annotate.ActKind

// The parts of which a packet brings home what stands.
var (
	labels  = actKinds{annotate.Labelled}
	notes   = actKinds{annotate.Noted}
	flags   = actKinds{annotate.Flagged, annotate.Unflagged}
	skips   = actKinds{annotate.Skipped}
	looks   = actKinds{annotate.Looked}
	remarks = actKinds{annotate.Commented, annotate.Excluded}
)

// standingAct is the act of a part that stands; nil when none does.
func (c *itemActs) standingAct(p actKinds) *annotate.Act {
	for i := range slices.Backward(c.acts) {
		if a := &c.acts[i]; slices.Contains(p, a.Kind) && !c.gone[a.N] {
			return a
		}
	}
	return nil
}

// findSameAct gives the act that is the same as one of another chain; nil when there is
// none. A label that came too late is the same label.
func (c *itemActs) findSameAct(a *annotate.Act) *annotate.Act {
	return eval.Find(c.acts, func(own *annotate.Act) bool {
		return effectiveKind(own) == effectiveKind(a) && own.At.Equal(a.At) && isSameReading(&own.Reading, &a.Reading) &&
			own.Reason == a.Reason && own.Confidence == a.Confidence && own.Text == a.Text
	})
}

func effectiveKind(a *annotate.Act) annotate.ActKind {
	return eval.Either(a.Kind == annotate.TooLate, annotate.Labelled, a.Kind)
}

// isSameReading reports whether two readings say the same, in whichever order a pair was shown.
func isSameReading(a, b *annotate.Reading) bool {
	vote := func(r *annotate.Reading) any { return eval.Either(r.Swapped, r.Vote.Swapped(), r.Vote) }
	return a.Kind == b.Kind && a.Choice == b.Choice && a.Score == b.Score && vote(a) == vote(b)
}

func (m *merger) mergeItem(k annotate.ItemKey, there, here itemActs) {
	if len(there.acts) == 0 {
		return
	}
	for _, p := range []actKinds{labels, notes, flags, remarks} {
		m.withdrawTakenBack(k, p, &there, &here)
	}
	m.bringAct(k, there.standingAct(looks), here.standingAct(looks), &here) // that the machine's reading was shown
	labelled := m.bringLabel(k, &there, &here)
	m.bringRemark(k, notes, &there, &here)
	m.bringRemark(k, flags, &there, &here)
	for i := range there.acts { // each stands beside the others
		if a := &there.acts[i]; slices.Contains(remarks, a.Kind) && !there.gone[a.N] {
			m.bringAct(k, a, nil, &here)
		}
	}
	if !labelled && here.standingAct(labels) == nil {
		m.bringAct(k, there.standingAct(skips), here.standingAct(skips), &here)
	}
}

// withdrawTakenBack takes back at home what came from the packet and was taken back there since.
func (m *merger) withdrawTakenBack(k annotate.ItemKey, p actKinds, there, here *itemActs) {
	for i := range here.acts {
		a := &here.acts[i]
		was := there.findSameAct(a)
		if !slices.Contains(p, a.Kind) || here.gone[a.N] || was == nil || !there.gone[was.N] {
			continue
		}
		undo := there.lastUndo(was)
		if here.findSameAct(undo) != nil {
			continue // it stands again: that was said at home
		}
		m.addActToBring(undo.N, annotate.Act{Item: k, Kind: annotate.TookBack, Target: a.N, At: undo.At})
		if a.Kind == annotate.Labelled && here.standingAct(labels) == a {
			c := m.crowds[k]
			c.RemoveLabel(a.Reading)
			m.crowds[k] = c
		}
		here.gone = maps.Clone(here.gone) // it is that of other items, too
		here.gone[a.N] = true
	}
}

// lastUndo is the last act that took one back.
func (c *itemActs) lastUndo(of *annotate.Act) *annotate.Act {
	for i := range slices.Backward(c.acts) {
		if a := &c.acts[i]; a.Kind == annotate.TookBack && a.Target == of.N {
			return a
		}
	}
	return of
}

// bringLabel brings home the label that stands in the packet, and reports whether there is one.
func (m *merger) bringLabel(k annotate.ItemKey, there, here *itemActs) bool {
	a, now := there.standingAct(labels), here.standingAct(labels)
	if a == nil {
		return false
	}
	m.out.Labels++
	before := here.findSameAct(a)
	switch {
	case before != nil && before.Kind == annotate.Labelled:
		m.out.Unchanged++
		return true
	case now != nil && there.findSameAct(now) == nil && isSameReading(&now.Reading, &a.Reading):
		m.out.Unchanged++
		return true
	case now != nil && there.findSameAct(now) == nil:
		m.out.Clashes = append(m.out.Clashes, Clash{k, now, *a})
		return true
	}
	crowd := m.crowds[k]
	if now == nil && crowd.People >= m.home.Queue.PeopleAsked(k, crowd.Differs(), m.home.Known[k]) {
		m.out.Late = append(m.out.Late, Clash{Item: k, Here: *a})
		if before == nil { // what was said is kept, and counts for nothing
			late := m.newHomeLabel(k, a)
			late.Kind = annotate.TooLate
			m.addActToBring(there.actNumberOfReading(a), late)
		}
		return true
	}
	if now != nil {
		crowd.RemoveLabel(now.Reading)
		m.out.Revised++
	} else {
		m.out.Added++
	}
	crowd.AddLabel(a.Reading)
	m.crowds[k] = crowd
	m.addActToBring(there.actNumberOfReading(a), m.newHomeLabel(k, a))
	return true
}

// actNumberOfReading is the number of the act by which the reading of a label was given: one
// that has other grounds since is as blind as it was.
func (c *itemActs) actNumberOfReading(a *annotate.Act) uint32 {
	for a.Target != 0 {
		i := slices.IndexFunc(c.acts, func(o annotate.Act) bool { return o.N == a.Target })
		if i < 0 || c.acts[i].N >= a.N {
			break
		}
		a = &c.acts[i]
	}
	return a.N
}

// newHomeLabel gives a label for home. A guideline's version written in the packet is none at home.
func (m *merger) newHomeLabel(k annotate.ItemKey, a *annotate.Act) annotate.Act {
	out := *a
	out.Item, out.Target = k, 0
	if out.Guideline > m.packet.Guideline {
		out.Guideline = 0
		m.out.Unread++
	}
	return out
}

// bringRemark brings home a note or a flag, unless the person said otherwise at home.
func (m *merger) bringRemark(k annotate.ItemKey, p actKinds, there, here *itemActs) {
	a, now := there.standingAct(p), here.standingAct(p)
	switch {
	case a == nil || here.findSameAct(a) != nil:
	case now == nil || there.findSameAct(now) != nil:
		if now != nil || a.Text != "" || a.Kind == annotate.Flagged { // what takes away nothing is nothing
			m.bringAct(k, a, nil, here)
		}
	case now.Kind != a.Kind || now.Text != a.Text:
		m.out.Clashes = append(m.out.Clashes, Clash{k, now, *a})
	}
}

// bringAct brings home an act of which none stands there yet.
func (m *merger) bringAct(k annotate.ItemKey, a, now *annotate.Act, here *itemActs) {
	if a == nil || now != nil || here.findSameAct(a) != nil {
		return
	}
	out := *a
	out.Item = k
	m.addActToBring(a.N, out)
}

func (m *merger) addActToBring(n uint32, a annotate.Act) { m.bring = append(m.bring, broughtAct{n, a}) }
