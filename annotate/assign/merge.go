package assign

import (
	"fmt"

	"concord/annotate"
)

// Merged holds somebody's labels in a queue as they stood before what they did
// elsewhere was stored, and as they stand since.
type Merged struct {
	Before, After map[annotate.ItemKey]annotate.Label
}

// Merge stores what somebody did elsewhere, by calling do, while others are at
// work. They have no claim at the queue meanwhile, since their acts are numbered
// one after the other: it gives ErrWorking while they have one. load is as for
// Claim.
func (p *Pool) Merge(q *annotate.Queue, who annotate.Annotator, load func() (Stored, error), do func() (Merged, error)) error {
	state := p.state(q)
	err := state.await(who, load, p)
	if err != nil {
		return fmt.Errorf("queue %s as %s: %w", q.Name, who, err)
	}
	var came Merged
	stored := false
	defer func() { // also when it panics: else they would be kept away for good
		if state.welcome(who, came, stored); stored {
			p.news(true)
		}
	}()
	came, err = do()
	stored = err == nil
	return err
}

// await keeps somebody from claiming items.
func (q *queue) await(who annotate.Annotator, load func() (Stored, error), p *Pool) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.load(load, p.kept, p.from); err != nil {
		return err
	}
	switch {
	case q.claims[who] != nil:
		return ErrWorking
	case q.arrives[who]:
		return ErrMerging
	}
	q.arrives[who] = true
	return nil
}

// welcome counts what came, if it did, and lets them claim items again.
func (q *queue) welcome(who annotate.Annotator, came Merged, stored bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.arrives, who)
	if !stored {
		return
	}
	counted, worked := q.past[who]
	if !worked { // else what they said may have been refused after they had left
		counted = marksOf(came.Before)
	}
	for k, m := range counted {
		q.count(k, m, -1)
	}
	past := marksOf(came.After)
	for k, m := range past {
		q.count(k, m, 1)
	}
	q.past[who] = past
	q.version.Add(1)
}

func marksOf(labels map[annotate.ItemKey]annotate.Label) map[annotate.ItemKey]annotate.Contribution {
	out := make(map[annotate.ItemKey]annotate.Contribution, len(labels))
	for k, l := range labels {
		out[k] = l.Contribution()
	}
	return out
}
