package view

import (
	"context"
	"fmt"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/assign"
	"concord/annotate/blind"
	"concord/annotate/report"
	"concord/annotate/review"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/store"
	"concord/tui/secondlook"
)

// SecondLook reads what asks for a second look, and stores what is decided of it.
// It is for who keeps the project: what one person may see of it, Review says.
type SecondLook struct {
	Store *store.Store
	Pool  *assign.Pool // nil: nobody else is at work
	Sync  func(context.Context, annotate.QueueName, annotate.Annotator) error
	Now   func() time.Time
}

// QueueEntries lists the entries of one queue.
func (s SecondLook) QueueEntries(ctx context.Context, q *annotate.Queue) ([]review.Entry, error) {
	acts, err := s.readActs(ctx, q.Name)
	if err != nil {
		return nil, err
	}
	var known map[annotate.ItemKey]annotate.Reading
	if q.GoldItems > 0 {
		golds, err := s.Store.Queues().GoldItems(q.Name)
		if err != nil {
			return nil, err
		}
		known = eval.IndexBy(golds, func(g annotate.Gold) (annotate.ItemKey, annotate.Reading) { return g.Key, g.Reading })
	}
	return review.ListEntries(q, acts, known), nil
}

func (s SecondLook) readActs(ctx context.Context, name annotate.QueueName) (map[annotate.Annotator][]annotate.Act, error) {
	return report.ReadActs(ctx, facts.NewSource(s.Store), name)
}

// ListEntries lists those of one queue or, without a name, of all queues, with the
// changes that were requested to the criteria of their datasets.
func (s SecondLook) ListEntries(ctx context.Context, name annotate.QueueName) (out []review.Entry, err error) {
	queues, err := s.Store.Queues().List()
	if name != "" {
		var one annotate.Queue
		one, err = s.Store.Queues().Queue(name)
		queues = []annotate.Queue{one}
	}
	if err != nil {
		return nil, err
	}
	for i := range queues {
		more, err := s.QueueEntries(ctx, &queues[i])
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	datasets, err := s.Store.Datasets().List()
	for _, d := range datasets {
		if name != "" && d.Name != queues[0].Rule.Dataset {
			continue
		}
		for set, err := range s.Store.Criteria().All(ctx, d.Name) {
			if err != nil {
				return nil, fmt.Errorf("read criteria of %s: %w", d.Name, err)
			}
			out = append(out, review.ListChangeRequests(&set)...)
		}
	}
	return out, err
}

// StoreDecisions stores what a person decided: their next acts in each queue. A session of theirs in the
// queue ends: two would number their acts alike. An item that is excluded already is not excluded again.
func (s SecondLook) StoreDecisions(ctx context.Context, who annotate.Annotator, acts []annotate.Act) (done []annotate.Act, err error) {
	byQueue := make(map[annotate.QueueName][]annotate.Act)
	var order []annotate.QueueName
	for _, a := range acts {
		if byQueue[a.Queue] == nil {
			order = append(order, a.Queue)
		}
		byQueue[a.Queue] = append(byQueue[a.Queue], a)
	}
	for _, name := range order {
		more, err := s.storeDecisionsInQueue(ctx, name, who, byQueue[name])
		if err != nil {
			return done, fmt.Errorf("store what was decided in queue %s: %w", name, err)
		}
		done = append(done, more...)
	}
	return done, nil
}

func (s SecondLook) storeDecisionsInQueue(ctx context.Context, name annotate.QueueName, who annotate.Annotator, acts []annotate.Act) ([]annotate.Act, error) {
	q, err := s.Store.Queues().Queue(name)
	if err != nil {
		return nil, err
	}
	if s.Pool != nil {
		claim, err := s.Pool.NewClaim(&q, who, Queue{Store: s.Store}.NewQueueReader(&q))
		if err != nil {
			return nil, err
		}
		defer claim.GiveUp()
		if err := s.Sync(ctx, name, who); err != nil {
			return nil, fmt.Errorf("what was done before is not saved: %w", err)
		}
	}
	all, err := s.readActs(ctx, name)
	if err != nil {
		return nil, err
	}
	excluded := eval.IndexBy(annotate.ListExclusions(annotate.FoldStates(all)), func(x annotate.Exclusion) (annotate.ItemKey, bool) {
		return x.Item, true
	})
	n := uint32(len(all[who]))
	var out []annotate.Act
	for _, a := range acts {
		if a.Kind == annotate.Excluded && excluded[a.Item] {
			continue
		}
		excluded[a.Item] = excluded[a.Item] || a.Kind == annotate.Excluded
		n++
		a.Annotator, a.N, a.At = who, n, s.Now()
		out = append(out, a)
	}
	return out, s.Store.Acts().Append(ctx, slices.Clone(out))
}

// Review shows one person what asks for a second look, as far as their policy lets it through.
type Review struct {
	SecondLook
	Policy  *blind.Policies
	Decides bool // they decide on what others raised
	Writes  bool // they write and review criteria
}

// ListVisibleEntries lists what the person may see, and records that they are shown it.
func (r Review) ListVisibleEntries(ctx context.Context, who annotate.Annotator) (out secondlook.List, err error) {
	all, err := r.ListEntries(ctx, "")
	if err != nil {
		return out, err
	}
	policies := make(map[eval.DatasetName]*cachedPolicy)
	var told []annotate.Disclosure
	for i := range all {
		e := &all[i]
		if policies[e.Dataset] == nil {
			p, err := r.Policy.NewPolicy(who, e.Dataset)
			if err != nil {
				return out, err
			}
			policies[e.Dataset] = &cachedPolicy{p, make(map[eval.Ordinal]*blind.View)}
		}
		switch shown, err := r.mayShowEntry(policies[e.Dataset], e, who); {
		case err != nil:
			return out, err
		case !shown && r.Decides && e.Queue != "": // others know nothing of what only some decide on
			out.Hidden++
			continue
		case !shown:
			continue
		}
		row := secondlook.Row{Entry: *e}
		s, err := r.Store.Datasets().Sample(e.Dataset, e.Item.Sample)
		if err != nil {
			return out, err
		}
		row.Sample = s.ID
		if e.Queue != "" {
			at, err := r.Store.Queues().IndexOfItem(e.Queue, e.Item)
			if err != nil {
				return out, err
			}
			row.Number = at + 1
			if !e.IsOwn(who) || e.Closed != nil && e.Closed.By.Who != who {
				told = append(told, e.Item.NewDisclosures(e.Dataset, annotate.OthersContent)...)
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out, r.Policy.RecordShown(ctx, who, "second look", told)
}

// cachedPolicy is a policy that remembers what it shows of a sample: hundreds of entries may share one.
type cachedPolicy struct {
	*blind.Policy
	views map[eval.Ordinal]*blind.View
}

// ViewSampleOnce applies the policy to one sample of the dataset.
func (p *cachedPolicy) ViewSampleOnce(o eval.Ordinal) (v *blind.View, err error) {
	if v = p.views[o]; v == nil {
		if v, err = p.ViewSample(o); err == nil {
			p.views[o] = v
		}
	}
	return v, err
}

// mayShowEntry reports whether a person may see an entry.
func (r Review) mayShowEntry(p *cachedPolicy, e *review.Entry, who annotate.Annotator) (bool, error) {
	switch e.Matter {
	case annotate.ChangesMatter:
		hidden, err := p.CriteriaHiddenBy(e.Item.Sample)
		return r.Writes && hidden == "", err
	case annotate.DisagreementMatter, annotate.GoldMatter:
		if !r.Decides {
			return false, nil
		}
	case annotate.FlagMatter, annotate.NoteMatter, annotate.CommentMatter, annotate.ExclusionMatter, annotate.MatterUnset:
	}
	v, err := p.ViewSampleOnce(e.Item.Sample)
	if err != nil {
		return false, err
	}
	if v.ShowsRemarks(e.Queue, e.Item, r.Decides) {
		return true, nil
	}
	if c := e.Closed; c != nil && c.By.Who != who {
		hidden := *c
		hidden.Text = ""
		e.Closed = &hidden
	}
	return e.IsOwn(who), nil
}
