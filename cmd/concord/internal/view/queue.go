package view

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"concord/annotate"
	"concord/annotate/assign"
	"concord/annotate/blind"
	"concord/annotate/report"
	"concord/annotate/session"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/store"
	"concord/tui/annotation"
	"concord/tui/guideline"
	"concord/tui/labeloption"
)

// Queue hands a queue to the screen on which a person works through it.
type Queue struct {
	Store *store.Store
	Who   annotate.Annotator // of whom items are shown
	// sync waits until what somebody did in a queue is stored; a session that
	// is opened before would not know of it, and number its acts like those.
	Sync func(context.Context, annotate.QueueName, annotate.Annotator) error
	// Policy records what an item shows; nil where nobody is shown any.
	Policy *blind.Policies
	// Pool holds the claims of others who work at the same time; nil: there are none.
	Pool *assign.Pool
	// Rulings holds those of who adjudicates at the same time; nil: nobody else does.
	Rulings *assign.Pool
}

var _ annotation.Items = Queue{}

// Open gives what a session of an annotator in a queue starts from.
func (d Queue) Open(ctx context.Context, name annotate.QueueName, who annotate.Annotator) (session.Opening, error) {
	seat, err := d.takeClaim(name, who) // first: an earlier session of theirs says nothing more
	if err != nil {
		return session.Opening{}, err
	}
	o, err := d.readOpeningState(ctx, name, who)
	if o.Claim = seat; err != nil {
		seat.GiveUp()
	}
	return o, err
}

// readOpeningState reads it for somebody who has sat down.
func (d Queue) readOpeningState(ctx context.Context, name annotate.QueueName, who annotate.Annotator) (session.Opening, error) {
	if err := d.Sync(ctx, name, who); err != nil {
		return session.Opening{}, fmt.Errorf("open queue %s: earlier labels are not saved: %w", name, err)
	}
	q, items, err := d.ItemsSince(ctx, name, 0)
	if err != nil {
		return session.Opening{}, err
	}
	acts, err := d.Store.Acts().Acts(name, who)
	if err != nil {
		return session.Opening{}, err
	}
	others, err := d.CrowdsByItem(name, acts)
	if err != nil {
		return session.Opening{}, err
	}
	o := session.Opening{
		Queue: q, Annotator: who, Items: items, Acts: acts,
		Others: make(map[annotate.ItemKey]int, len(others)), Sides: make(map[annotate.ItemKey]int),
	}
	for k, c := range others {
		o.Others[k] = c.People
		if c.Sides != 0 {
			o.Sides[k] = c.Sides
		}
	}
	var golds []annotate.Gold
	if q.GoldItems > 0 {
		if golds, err = d.Store.Queues().GoldItems(name); err != nil {
			return session.Opening{}, err
		}
	}
	o.Hidden = session.NewHidden(golds, others)
	return o, nil
}

// takeClaim takes a seat at a queue among those who work in it now.
func (d Queue) takeClaim(name annotate.QueueName, who annotate.Annotator) (*assign.Claim, error) {
	if d.Pool == nil {
		return nil, nil
	}
	q, err := d.Store.Queues().Queue(name)
	if err != nil {
		return nil, err
	}
	return d.Pool.NewClaim(&q, who, d.NewQueueReader(&q))
}

// ClaimAdjudication takes a claim among those who adjudicate a queue now: an item is in
// front of one of them at a time, and those with a ruling come to nobody.
func (d Queue) ClaimAdjudication(_ context.Context, name annotate.QueueName, who annotate.Annotator) (*assign.Claim, error) {
	if d.Rulings == nil {
		return nil, nil
	}
	q, err := d.Store.Queues().Queue(name)
	if err != nil {
		return nil, err
	}
	q.Overlap, q.Extra = 1, 0
	return d.Rulings.NewClaim(&q, who, func() (assign.StoredQueue, error) {
		out := assign.StoredQueue{Crowds: make(map[annotate.ItemKey]annotate.Crowd)}
		people, err := d.Store.Acts().Annotators(name)
		for _, p := range people {
			acts, err := d.Store.Acts().Acts(name, p)
			if err != nil {
				return out, err
			}
			for k := range annotate.FoldActs(acts).Rulings {
				c := out.Crowds[k]
				c.People++
				out.Crowds[k] = c
			}
		}
		return out, err
	})
}

// NewQueueReader reads what a queue looks like before anybody sits down at it.
func (d Queue) NewQueueReader(q *annotate.Queue) func() (assign.StoredQueue, error) {
	return func() (st assign.StoredQueue, err error) {
		if q.GoldItems > 0 {
			if st.GoldItems, err = d.Store.Queues().GoldItems(q.Name); err != nil {
				return st, err
			}
		}
		if st.Away, err = d.Store.Packets().ItemsAway(q.Name); err != nil {
			return st, err
		}
		st.Crowds, err = d.Store.Acts().Crowds(q.Name)
		return st, err
	}
}

// CrowdsByItem are those who have labelled each item: everybody, but the one whose acts these are.
func (d Queue) CrowdsByItem(name annotate.QueueName, own []annotate.Act) (map[annotate.ItemKey]annotate.Crowd, error) {
	crowds, err := d.Store.Acts().Crowds(name)
	if err != nil {
		return nil, err
	}
	for k, l := range annotate.FoldActs(own).Labels {
		c := crowds[k]
		c.AddContribution(l.Contribution(), -1)
		crowds[k] = c
	}
	return crowds, nil
}

// ItemsSince gives the queue as it is now and its items from an index on.
func (d Queue) ItemsSince(ctx context.Context, name annotate.QueueName, from int) (annotate.Queue, []annotate.QueueItem, error) {
	q, err := d.Store.Queues().Queue(name)
	if err != nil || from >= q.Items {
		return q, nil, err
	}
	if from > 0 { // a queue that grows does so by a few items at a time
		items := make([]annotate.QueueItem, 0, q.Items-from)
		for i := from; i < q.Items; i++ {
			it, err := d.Store.Queues().QueueItem(name, i)
			if err != nil {
				return q, nil, err
			}
			items = append(items, hideHowDrawn(it))
		}
		return q, items, nil
	}
	all, err := eval.Collect(d.Store.Queues().QueueItems(ctx, name))
	return q, eval.Map(all, hideHowDrawn), err
}

// hideHowDrawn gives an item without how it was drawn: of one that was added because its
// answer is known that would tell so.
func hideHowDrawn(it annotate.QueueItem) annotate.QueueItem {
	return annotate.QueueItem{Index: it.Index, Key: it.Key}
}

// Item is what a person may see of an item. An open response comes with the
// reference answer, which is recorded as shown to whom the view is of.
func (d Queue) Item(ctx context.Context, name annotate.QueueName, index int) (annotate.Item, error) {
	it, err := d.Store.Queues().Item(ctx, name, index)
	if err != nil || it.Reference == "" || d.Policy == nil {
		return it, err
	}
	q, err := d.Store.Queues().Queue(name)
	if err != nil {
		return it, err
	}
	return it, d.Policy.RecordShown(ctx, d.Who, "queue "+string(name), []annotate.Disclosure{annotate.NewSampleDisclosure(q.Rule.Dataset, it.Key.Sample, annotate.ReferenceContent)})
}

// Guidelines are the guidelines of queues as the app shows and writes them, by what queue guideline does.
type Guidelines struct {
	Queue
	Tell func(guideline.Written) // the other sessions
}

// History gives all versions, and what the queue asks of people.
func (g Guidelines) History(ctx context.Context, name annotate.QueueName) (out guideline.History, err error) {
	q, err := g.Store.Queues().Queue(name)
	if err != nil {
		return out, err
	}
	if out.Versions, err = g.Store.Queues().Guidelines(name); err != nil {
		return out, err
	}
	out.Pairs = q.Rule.From == annotate.FromPairs
	if len(out.Versions) == 0 && !out.Pairs && q.Items > 0 {
		item, err := g.Item(ctx, name, 0)
		if err != nil {
			return out, err
		}
		out.Scores = labeloption.IsScored(&item)
	}
	return out, nil
}

// Draft gives what a person has written of the next version.
func (g Guidelines) Draft(_ context.Context, name annotate.QueueName, who annotate.Annotator) (string, error) {
	return g.Store.Drafts().GuidelineDraft(name, who)
}

// KeepDraft keeps what a person has written of the next version.
func (g Guidelines) KeepDraft(ctx context.Context, name annotate.QueueName, who annotate.Annotator, text string) error {
	return g.Store.Drafts().SaveGuidelineDraft(ctx, name, who, text, time.Now())
}

// StoreVersion puts a version in force, for who is at work now, too.
func (g Guidelines) StoreVersion(ctx context.Context, name annotate.QueueName, next annotate.Guideline) error {
	if err := g.Store.Queues().SetGuideline(ctx, name, next); err != nil {
		return err
	}
	g.Tell(guideline.Written{Queue: name, Guideline: next, Elsewhere: true})
	return nil
}

// Contested hands the responses of a queue on which people differ about a criterion to
// its adjudicator, each with these criteria alone: those of when it was opened.
type Contested struct {
	Queue
	differ sync.Map // name of a queue -> contestedCriteria
}

// contestedCriteria are the names of the criteria on which people differ, by response.
type contestedCriteria map[annotate.ItemKey]map[string]bool

// Open gives what a session of an adjudicator starts from.
func (d *Contested) Open(ctx context.Context, name annotate.QueueName, who annotate.Annotator) (session.Opening, error) {
	o, err := d.readOpeningState(ctx, name, who)
	if err != nil {
		return o, err
	}
	all, err := report.ReadStandingLabels(ctx, facts.NewSource(d.Store), name)
	if err != nil {
		return o, err
	}
	differ := make(contestedCriteria)
	o.Items = slices.DeleteFunc(o.Items, func(it annotate.QueueItem) bool {
		differ[it.Key] = annotate.FindContestedCriteria(all.ByItem[it.Key])
		return all.Excluded[it.Key] || len(differ[it.Key]) == 0
	})
	d.differ.Store(name, differ)
	o.Adjudicating = true
	o.Rulings, err = d.ClaimAdjudication(ctx, name, who)
	return o, err
}

// ItemsSince gives the queue as it is now: what people say meanwhile is there when it is opened again.
func (d *Contested) ItemsSince(_ context.Context, name annotate.QueueName, _ int) (annotate.Queue, []annotate.QueueItem, error) {
	q, err := d.Store.Queues().Queue(name)
	return q, nil, err
}

// Item is a response with the criteria on which people differ.
func (d *Contested) Item(ctx context.Context, name annotate.QueueName, index int) (annotate.Item, error) {
	it, err := d.Queue.Item(ctx, name, index)
	if err != nil {
		return it, err
	}
	if opened, ok := d.differ.Load(name); ok {
		differ := opened.(contestedCriteria)[it.Key]
		it.Rubric = slices.DeleteFunc(it.Rubric, func(c annotate.Criterion) bool { return !differ[c.Name] })
	}
	return it, nil
}
