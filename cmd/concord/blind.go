package main

import (
	"sync"

	"concord/annotate"
	"concord/eval"
	"concord/store"
	"concord/tui/runs"
	"concord/tui/samples"
)

// blind knows what a person must not see yet: machine's readings of, and the
// truth about, items of queues that they have not labelled. When it cannot
// find out it keeps things hidden.
type blind struct {
	st *store.Store

	mu    sync.Mutex
	cache map[deskOf]answered
}

// deskOf is one person in one queue.
type deskOf struct {
	queue annotate.QueueName
	who   annotate.Annotator
}

// answered is what a person had labelled after so many acts.
type answered struct {
	acts  int
	items map[eval.Key]annotate.Label
}

var (
	_ samples.Blind = (*blind)(nil)
	_ runs.Blind    = (*blind)(nil)
)

func newBlind(st *store.Store) *blind {
	return &blind{st: st, cache: make(map[deskOf]answered)}
}

// Blinded reports whether the prediction is an item that the person has yet
// to label.
func (b *blind) Blinded(who annotate.Annotator, k eval.Key) bool {
	return b.open(who, k.Run, func(q annotate.Queue, done map[eval.Key]annotate.Label) bool {
		if _, ok := done[k]; ok {
			return false
		}
		_, err := b.st.Queues().IndexOf(q.Name, k)
		return err == nil
	})
}

// Sealed reports whether the truth about the prediction's sample would answer
// an item that the person has yet to label, in whatever run and pass.
func (b *blind) Sealed(who annotate.Annotator, k eval.Key) bool {
	return b.open(who, k.Run, func(q annotate.Queue, done map[eval.Key]annotate.Label) bool {
		return b.asks(q, k.Sample, done)
	})
}

// asks reports whether the queue holds an item about the sample, of whatever
// run and pass, that is not among those labelled.
func (b *blind) asks(q annotate.Queue, o eval.Ordinal, done map[eval.Key]annotate.Label) bool {
	s, err := b.st.Datasets().Sample(q.Rule.Dataset, o)
	if err != nil {
		return true
	}
	for _, run := range q.Rule.Runs {
		for pass := range s.Passes() {
			item := eval.Key{Run: run, Sample: o, Pass: eval.Pass(pass)}
			if _, ok := done[item]; ok {
				continue
			}
			if _, err := b.st.Queues().IndexOf(q.Name, item); err == nil {
				return true
			}
		}
	}
	return false
}

// open reports whether the test holds for any queue on the run's dataset.
func (b *blind) open(who annotate.Annotator, id eval.RunID, test func(annotate.Queue, map[eval.Key]annotate.Label) bool) bool {
	run, err := b.st.Runs().Run(id)
	if err != nil {
		return true
	}
	queues, err := b.st.Queues().List()
	if err != nil {
		return true
	}
	for _, q := range queues {
		if q.Rule.Dataset != run.Config.Dataset {
			continue
		}
		done, err := b.done(q.Name, who)
		if err != nil || test(q, done) {
			return true
		}
	}
	return false
}

// done is what the person has labelled in a queue. Folding their acts anew
// for each row of a list would take long, so it is kept until they act.
func (b *blind) done(q annotate.QueueName, who annotate.Annotator) (map[eval.Key]annotate.Label, error) {
	if who == "" {
		return nil, nil
	}
	tally, err := b.st.Acts().Tally(q)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	have, ok := b.cache[deskOf{q, who}]
	if ok && have.acts == tally[who].Acts {
		return have.items, nil
	}
	acts, err := b.st.Acts().Acts(q, who)
	if err != nil {
		return nil, err
	}
	have = answered{acts: len(acts), items: annotate.Fold(acts).Labels}
	b.cache[deskOf{q, who}] = have
	return have.items, nil
}
