package main

import (
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
	st       *store.Store
	standing *standing
}

var (
	_ samples.Blind = blind{}
	_ runs.Blind    = blind{}
)

// Blinded reports whether the prediction is an item that the person has yet
// to label.
func (b blind) Blinded(who annotate.Annotator, k eval.Key) bool {
	return b.open(who, k.Run, func(q annotate.Queue, done map[annotate.ItemKey]annotate.Label) bool {
		if _, ok := done[annotate.ItemOf(k)]; ok {
			return false
		}
		_, err := b.st.Queues().IndexOf(q.Name, annotate.ItemOf(k))
		return err == nil
	})
}

// Sealed reports whether the truth about the prediction's sample would answer
// an item that the person has yet to label, in whatever run and pass.
func (b blind) Sealed(who annotate.Annotator, k eval.Key) bool {
	return b.open(who, k.Run, func(q annotate.Queue, done map[annotate.ItemKey]annotate.Label) bool {
		return b.asks(q, k.Sample, done)
	})
}

// asks reports whether the queue holds an item about the sample, of whatever
// run and pass, that is not among those labelled.
func (b blind) asks(q annotate.Queue, o eval.Ordinal, done map[annotate.ItemKey]annotate.Label) bool {
	s, err := b.st.Datasets().Sample(q.Rule.Dataset, o)
	if err != nil {
		return true
	}
	for _, run := range q.Rule.Runs {
		for pass := range s.Passes() {
			item := annotate.ItemOf(eval.Key{Run: run, Sample: o, Pass: eval.Pass(pass)})
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
func (b blind) open(who annotate.Annotator, id eval.RunID, test func(annotate.Queue, map[annotate.ItemKey]annotate.Label) bool) bool {
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
		done, err := b.standing.of(q.Name, who)
		if err != nil || test(q, done) {
			return true
		}
	}
	return false
}
