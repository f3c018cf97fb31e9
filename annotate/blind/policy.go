package blind

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"concord/annotate"
	"concord/eval"
)

// Visibility tells how much of a prediction one person may see. The zero value is unset, and shows nothing.
type Visibility uint8

// The visibilities.
const (
	VisibilityUnset Visibility = iota
	AllVisible                 // everything
	TruthHidden                // no truth, and nothing that follows from it
	TextHidden                 // and no text, and nobody's reading of it
)

var visibilityNames = []string{"", "open", "sealed", "blind"}

// String returns the name of the visibility.
func (v Visibility) String() string { return eval.EnumName(visibilityNames, v) }

// ShowsText reports whether the text, and what was read out of it, is shown.
func (v Visibility) ShowsText() bool { return v == AllVisible || v == TruthHidden }

// QueueReader reads the queues and what they hold.
type QueueReader interface {
	List() ([]annotate.Queue, error)
	// ItemsOfSample gives what a queue asks about a sample, in whatever pass and by whatever model.
	ItemsOfSample(q annotate.QueueName, o eval.Ordinal) ([]annotate.ItemKey, error)
	// GoldItems gives the items of a queue whose answer is known.
	GoldItems(q annotate.QueueName) ([]annotate.Gold, error)
}

// ActReader reads what people did.
type ActReader interface {
	// LastNumbers gives the number of the last act of everybody who acted in a queue.
	LastNumbers(q annotate.QueueName) (map[annotate.Annotator]int, error)
	// Acts gives one person's acts in a queue, in order.
	Acts(q annotate.QueueName, who annotate.Annotator) ([]annotate.Act, error)
}

// Policies makes policies, and records what people are shown under them. It keeps what stands of each
// person's acts until they act again, since folding the acts anew for each policy takes long. It may be
// used by several goroutines.
type Policies struct {
	stored QueueReader
	acts   ActReader
	ledger Recorder

	mu       sync.Mutex
	hands    map[personActs]cachedState
	recorded map[annotate.Disclosure]bool
}

// personActs is one person's in one queue.
type personActs struct {
	queue annotate.QueueName
	who   annotate.Annotator
}

// cachedState is what stood after so many acts.
type cachedState struct {
	acts  int
	state annotate.State
}

// NewPolicies makes policies over what is stored, and a ledger of what is shown.
func NewPolicies(s QueueReader, a ActReader, l Recorder) *Policies {
	return &Policies{stored: s, acts: a, ledger: l, hands: make(map[personActs]cachedState), recorded: make(map[annotate.Disclosure]bool)}
}

// Policy decides what one person may see of a dataset, so that nobody is handed the answer to an item
// that they have yet to answer. A person who has labelled nothing in a queue has all of its items open;
// one without a name has labelled nothing. A policy is of the moment at which it was made.
type Policy struct {
	stored QueueReader
	queues []queueView
}

// queueView holds what a policy knows of a queue.
type queueView struct {
	annotate.Queue
	own    annotate.State
	others []annotate.State
	known  map[annotate.ItemKey]bool // items whose answer is known, which everybody labels
}

// NewPolicy makes the policy of one person for a dataset.
func (v *Policies) NewPolicy(who annotate.Annotator, d eval.DatasetName) (*Policy, error) {
	all, err := v.stored.List()
	if err != nil {
		return nil, fmt.Errorf("find out what %q may see: %w", who, err)
	}
	out := &Policy{stored: v.stored}
	for _, q := range all {
		if q.Rule.Dataset != d {
			continue
		}
		dr, err := v.newQueueView(q, who)
		if err != nil {
			return nil, fmt.Errorf("find out what %q may see: queue %s: %w", who, q.Name, err)
		}
		out.queues = append(out.queues, dr)
	}
	return out, nil
}

func (v *Policies) newQueueView(q annotate.Queue, who annotate.Annotator) (queueView, error) {
	done, err := v.acts.LastNumbers(q.Name)
	if err != nil {
		return queueView{}, err
	}
	out := queueView{Queue: q}
	if q.GoldItems > 0 {
		golds, err := v.stored.GoldItems(q.Name)
		if err != nil {
			return queueView{}, err
		}
		out.known = annotate.KnownItems(golds)
	}
	for _, p := range slices.Sorted(maps.Keys(done)) {
		st, err := v.readStateCached(q.Name, p, done[p])
		switch {
		case err != nil:
			return out, err
		case p == who && who != "":
			out.own = st
		default:
			out.others = append(out.others, st)
		}
	}
	return out, nil
}

// readStateCached gives what stands of somebody's acts, of which there are as many.
func (v *Policies) readStateCached(q annotate.QueueName, who annotate.Annotator, acts int) (annotate.State, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	have, ok := v.hands[personActs{q, who}]
	if ok && have.acts == acts {
		return have.state, nil
	}
	all, err := v.acts.Acts(q, who)
	if err != nil {
		return annotate.State{}, err
	}
	have = cachedState{acts: len(all), state: annotate.FoldActs(all)}
	v.hands[personActs{q, who}] = have
	return have.state, nil
}

// ViewSample applies the policy to one sample of the dataset.
func (p *Policy) ViewSample(o eval.Ordinal) (*View, error) {
	out := &View{}
	for i := range p.queues {
		q := &p.queues[i]
		items, err := p.stored.ItemsOfSample(q.Name, o)
		if err != nil {
			return nil, fmt.Errorf("find items of queue %s about sample %d: %w", q.Name, o, err)
		}
		out.addPart(queuePart{q, items, q.Growing || slices.ContainsFunc(items, q.isOpen)})
	}
	return out, nil
}

// isOpen reports whether the person is still to answer an item: one that as many others have labelled as it
// wants is not, unless they have been at it already. A person who has labelled nothing in the queue is no
// annotator of it yet, and has everything open but what they have ruled on as its adjudicator.
func (q *queueView) isOpen(it annotate.ItemKey) bool {
	if q.own.HasAnswered(it) {
		return false
	}
	if len(q.own.Labels) == 0 {
		return true
	}
	n, differ, first := 0, false, ""
	for i := range q.others {
		l, ok := q.others[i].Labels[it]
		if !ok {
			continue
		}
		if n++; l.Decoy {
			continue
		}
		if first == "" {
			first = l.Reading.AnswerName()
		}
		differ = differ || l.Reading.AnswerName() != first
	}
	return n < q.PeopleAsked(it, differ, q.known[it])
}

// visibleOthers are the others whose word on an item the person may hear: of an item that everybody
// labels no more than of any other one, or their number would tell that its answer is known.
func (q *queueView) visibleOthers(it annotate.ItemKey) []annotate.State {
	if !q.known[it] {
		return q.others
	}
	var out []annotate.State
	for i := range q.others {
		if _, ok := q.others[i].Labels[it]; ok && len(out) < q.WantedLabelsIfAgreed()-1 {
			out = append(out, q.others[i])
		}
	}
	return out
}

// CountUnanswered counts how many of a queue's items the person has yet to answer.
func (v *Policies) CountUnanswered(who annotate.Annotator, q annotate.Queue, items iter.Seq2[annotate.QueueItem, error]) (int, error) {
	d, err := v.newQueueView(q, who)
	if err != nil {
		return 0, fmt.Errorf("count what %q has left of queue %s: %w", who, q.Name, err)
	}
	n := 0
	err = eval.ForEachRead(items, func(it annotate.QueueItem) {
		if d.isOpen(it.Key) {
			n++
		}
	})
	return n, eval.WrapError(err, "count what %q has left of queue %s", who, q.Name)
}

// mayReceive reports whether the queue grows and will be given the prediction; in doubt it reports true.
func (q *queueView) mayReceive(k eval.Key, unread func(rules string) bool) bool {
	r := &q.Rule
	switch {
	case !q.Growing, !r.ConcernsRun(k.Run), r.Rate > 0 && !r.DrawsByRate(annotate.NewItemKey(k)):
		return false
	case r.From == annotate.FromUnparsable:
		return unread(r.Rules)
	}
	return true
}

// hidesCriteria reports whether a queue keeps criteria from the person: one of pairs that shows none, in
// which they have voted. Who has not voted is no annotator of it yet, and may write the criteria.
func (q *queueView) hidesCriteria() bool {
	return q.Rule.From == annotate.FromPairs && !q.Criteria && len(q.own.Labels) > 0
}

// HidesCriteria reports whether any sample's criteria are kept from the person.
func (p *Policy) HidesCriteria() bool {
	return slices.ContainsFunc(p.queues, func(q queueView) bool { return q.hidesCriteria() })
}

// CriteriaHiddenBy names the queue that keeps a sample's criteria from the person
// until they have voted on its pairs; "" when none does. Votes without criteria
// are compared with votes with them, so they have to be given without.
func (p *Policy) CriteriaHiddenBy(o eval.Ordinal) (annotate.QueueName, error) {
	for i := range p.queues {
		q := &p.queues[i]
		if !q.hidesCriteria() {
			continue
		}
		items, err := p.stored.ItemsOfSample(q.Name, o)
		if err != nil {
			return "", fmt.Errorf("find pairs of queue %s on sample %d: %w", q.Name, o, err)
		}
		if slices.ContainsFunc(items, q.isOpen) {
			return q.Name, nil
		}
	}
	return "", nil
}

// Recorder keeps what people were shown. It is given what it has already, too.
type Recorder interface {
	Record(ctx context.Context, all []annotate.Disclosure) error
}

// remembered is how many disclosures are kept in memory, so that what was recorded is not written again.
const remembered = 1 << 17

// RecordShown records that a person is about to be shown something, and must be called before it is:
// what gives an error is not to be shown. Who has no name is recorded as annotate.Unnamed.
func (v *Policies) RecordShown(ctx context.Context, who annotate.Annotator, screen string, all []annotate.Disclosure) error {
	who = cmp.Or(who, annotate.Unnamed)
	var news []annotate.Disclosure
	v.mu.Lock()
	for _, d := range all {
		d.Person, d.Screen = who, screen
		if !v.recorded[withoutPlaceAndTime(d)] {
			news = append(news, d)
		}
	}
	v.mu.Unlock()
	if len(news) == 0 {
		return nil
	}
	if err := v.ledger.Record(ctx, news); err != nil {
		return fmt.Errorf("record what %s is shown: %w", who, err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.recorded)+len(news) > remembered {
		clear(v.recorded)
	}
	for _, d := range news {
		if who != annotate.Unnamed { // until they have a name, what they see may become anybody's
			v.recorded[withoutPlaceAndTime(d)] = true
		}
	}
	return nil
}

// withoutPlaceAndTime gives a disclosure without where and when.
func withoutPlaceAndTime(d annotate.Disclosure) annotate.Disclosure {
	return annotate.Disclosure{Person: d.Person, Dataset: d.Dataset, Key: d.Key, Content: d.Content}
}
