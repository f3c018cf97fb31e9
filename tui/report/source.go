package report

import (
	"context"
	"iter"
	"slices"

	"concord/annotate"
	"concord/annotate/curation"
	figures "concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/quality"
	"concord/eval"
)

// Source is what the screen computes figures from and saves them to. It is
// called in commands.
type Source interface {
	figures.VoteFacts
	accuracy.ScoreFacts
	quality.CriteriaFacts
	quality.InspectionFacts
	// Card is what is known of a model; false when nothing is.
	Card(model string) (eval.Card, bool)
	// Panel is how many experts decide on a sample of a dataset.
	Panel(d eval.DatasetName) (curation.Panel, error)
	// Curation reports how far a dataset is curated, by the candidates, the
	// experts and the targets that are set for it.
	Curation(ctx context.Context, d eval.DatasetName) (figures.Report, error)
	// SaveReport stores a report and gives its number, from 1.
	SaveReport(ctx context.Context, r annotate.SavedReport) (id uint64, err error)
	// Left is how many items of a queue a person has yet to answer. Who has
	// no name has answered nothing.
	Left(ctx context.Context, who annotate.Annotator, q annotate.QueueName) (int, error)
}

// OpenCompare asks for what people and machines read differently in a queue.
type OpenCompare struct{ Queue annotate.QueueName }

// OpenSamples asks for the samples behind a figure.
type OpenSamples struct {
	Title     string
	Lists     []List
	Extractor string // whose readings are shown; "": the rules of each run
	People    bool   // what people said is shown

	Dataset eval.DatasetName // of samples that are no run's: their keys have run 0
}

// List is some of the predictions behind a figure. That a prediction is in a
// list that Tells gives away what became of it, in one that tells of Experts
// what these say of its sample.
type List struct {
	Name    string
	Tells   bool
	Experts bool
	Keys    func(ctx context.Context) iter.Seq2[eval.Key, error]
}

// behind makes the list of a figure's selection.
func behind(facts figures.Facts, row figures.Row, name string, s figures.Selection) List {
	return List{Name: name, Tells: true, Keys: func(ctx context.Context) iter.Seq2[eval.Key, error] {
		return figures.Drill(ctx, facts, row, s)
	}}
}

// together is the list of all that lists hold, in the order of samples. What
// only one of them holds, it holds for what experts say, too.
func together(lists ...List) List {
	experts := slices.ContainsFunc(lists, func(l List) bool { return l.Experts })
	return List{Name: "all", Experts: experts, Keys: func(ctx context.Context) iter.Seq2[eval.Key, error] {
		return func(yield func(eval.Key, error) bool) { merge(ctx, lists, yield) }
	}}
}

// merge yields the keys of ordered lists in their common order.
func merge(ctx context.Context, lists []List, yield func(eval.Key, error) bool) {
	type source struct {
		next func() (eval.Key, error, bool)
		head eval.Key
	}
	var open []*source
	for _, l := range lists {
		next, stop := iter.Pull2(l.Keys(ctx))
		defer stop()
		open = append(open, &source{next: next})
	}
	live := make([]*source, 0, len(open))
	advance := func(s *source) bool {
		k, err, ok := s.next()
		if err != nil {
			yield(eval.Key{}, err)
			return false
		}
		if ok {
			s.head = k
			live = append(live, s)
		}
		return true
	}
	for _, s := range open {
		if !advance(s) {
			return
		}
	}
	for len(live) > 0 {
		best := 0
		for i, s := range live {
			if less(s.head, live[best].head) {
				best = i
			}
		}
		s := live[best]
		if !yield(s.head, nil) {
			return
		}
		live = append(live[:best], live[best+1:]...)
		if !advance(s) {
			return
		}
	}
}

func less(a, b eval.Key) bool {
	if a.Sample != b.Sample {
		return a.Sample < b.Sample
	}
	return a.Pass < b.Pass
}
