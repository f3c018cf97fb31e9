package annotate

import "fmt"

// Merged is what of somebody's labels in a queue stood before what they did
// elsewhere was stored, and what stands since.
type Merged struct{ Before, After map[ItemKey]Label }

// Merge has what somebody did elsewhere be stored while others are at work. They
// have no seat at the queue meanwhile, since their acts are numbered one after
// the other: it gives ErrSeated while they sit there. load is as for Sit.
func (f *Pool) Merge(q *Queue, who Annotator, load func() (Stored, error), do func() (Merged, error)) error {
	r := f.state(q)
	err := r.await(who, load, f)
	if err != nil {
		return fmt.Errorf("queue %s as %s: %w", q.Name, who, err)
	}
	var came Merged
	stored := false
	defer func() { // also when it panics: else they would be kept away for good
		if r.welcome(who, came, stored); stored {
			f.news(true)
		}
	}()
	came, err = do()
	stored = err == nil
	return err
}

// await keeps somebody from sitting down.
func (r *queueState) await(who Annotator, load func() (Stored, error), f *Pool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.load(load, f.kept, f.from); err != nil {
		return err
	}
	switch {
	case r.claims[who] != nil:
		return ErrWorking
	case r.arrives[who]:
		return ErrMerging
	}
	r.arrives[who] = true
	return nil
}

// welcome counts what came, if it did, and lets them sit down again.
func (r *queueState) welcome(who Annotator, came Merged, stored bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.arrives, who)
	if !stored {
		return
	}
	counted, sat := r.past[who]
	if !sat { // else what they said may have been refused after they had left
		counted = marksOf(came.Before)
	}
	for k, m := range counted {
		r.count(k, m, -1)
	}
	past := marksOf(came.After)
	for k, m := range past {
		r.count(k, m, 1)
	}
	r.past[who] = past
	r.version.Add(1)
}

func marksOf(labels map[ItemKey]Label) map[ItemKey]Contribution {
	out := make(map[ItemKey]Contribution, len(labels))
	for k, l := range labels {
		out[k] = l.Reading.Contribution()
	}
	return out
}
