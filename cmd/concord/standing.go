package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"concord/annotate"
	"concord/eval"
	"concord/store"
)

// standing is the labels that stand, by queue and person. Folding somebody's
// acts anew for each row of a list would take long, so what came out is kept
// until they act again.
type standing struct {
	st *store.Store

	mu    sync.Mutex
	cache map[place]folded
}

// place is one person's in one queue.
type place struct {
	queue annotate.QueueName
	who   annotate.Annotator
}

// folded is what stood after so many acts.
type folded struct {
	acts   int
	labels map[annotate.ItemKey]annotate.Label
}

func newStanding(st *store.Store) *standing {
	return &standing{st: st, cache: make(map[place]folded)}
}

// of is what one person has labelled in a queue. It must not be changed.
func (s *standing) of(q annotate.QueueName, who annotate.Annotator) (map[annotate.ItemKey]annotate.Label, error) {
	if who == "" {
		return nil, nil
	}
	tally, err := s.st.Acts().Tally(q)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	have, ok := s.cache[place{q, who}]
	if ok && have.acts == tally[who].Acts {
		return have.labels, nil
	}
	acts, err := s.st.Acts().Acts(q, who)
	if err != nil {
		return nil, err
	}
	have = folded{acts: len(acts), labels: annotate.Fold(acts).Labels}
	s.cache[place{q, who}] = have
	return have.labels, nil
}

// on is what everybody said of a prediction, in every queue on the dataset
// that holds it, in the order of queues and names.
func (s *standing) on(d eval.DatasetName, k eval.Key) ([]annotate.Label, error) {
	queues, err := s.st.Queues().List()
	if err != nil {
		return nil, err
	}
	var out []annotate.Label
	for _, q := range queues {
		if q.Rule.Dataset != d {
			continue
		}
		people, err := s.st.Acts().Annotators(q.Name)
		if err != nil {
			return nil, err
		}
		for _, who := range people {
			labels, err := s.of(q.Name, who)
			if err != nil {
				return nil, err
			}
			if l, ok := labels[annotate.ItemOf(k)]; ok {
				out = append(out, l)
			}
		}
	}
	return out, nil
}

// said is what people said in a few words: "A", or "A 2, none 1".
func said(labels []annotate.Label) string {
	var order []string
	count := make(map[string]int)
	for _, l := range labels {
		word := string(l.Reading.Choice)
		if l.Reading.Verdict != annotate.PickedOption {
			word = l.Reading.Verdict.String()
		}
		if count[word] == 0 {
			order = append(order, word)
		}
		count[word]++
	}
	if len(order) == 1 {
		return order[0]
	}
	slices.SortStableFunc(order, func(a, b string) int { return count[b] - count[a] })
	for i, word := range order {
		order[i] = fmt.Sprintf("%s %d", word, count[word])
	}
	return strings.Join(order, ", ")
}
