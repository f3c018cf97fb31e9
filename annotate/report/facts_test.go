package report

import (
	"context"
	"iter"
	"slices"

	"concord/annotate"
	"concord/eval"
)

// memory is Facts held in memory: what a store would hold after an import.
type memory struct {
	datasets    []eval.Dataset
	runs        []eval.Run
	samples     map[eval.DatasetName][]eval.Sample
	predictions map[eval.RunID]map[eval.Ordinal][]eval.Prediction
	judgments   map[eval.RunID][]eval.Judgment
	queues      []annotate.Queue
	items       map[annotate.QueueName][]annotate.QueueItem
	acts        map[annotate.QueueName][]annotate.Act
	golds       map[annotate.QueueName][]annotate.Gold
	saved       map[annotate.QueueName][]annotate.SavedReport
	measures    []eval.Measure
}

var _ Facts = (*memory)(nil)

func newMemory() *memory {
	return &memory{
		samples:     make(map[eval.DatasetName][]eval.Sample),
		predictions: make(map[eval.RunID]map[eval.Ordinal][]eval.Prediction),
		judgments:   make(map[eval.RunID][]eval.Judgment),
		items:       make(map[annotate.QueueName][]annotate.QueueItem),
		acts:        make(map[annotate.QueueName][]annotate.Act),
		saved:       make(map[annotate.QueueName][]annotate.SavedReport),
	}
}

// dataset adds samples under a name.
func (m *memory) dataset(name eval.DatasetName, samples ...eval.Sample) {
	for i := range samples {
		samples[i].Ordinal = eval.Ordinal(i)
	}
	m.samples[name] = samples
	m.datasets = append(m.datasets, eval.Dataset{Name: name, Samples: len(samples), Complete: true})
}

// run adds a run and returns its id.
func (m *memory) run(c eval.Config) eval.RunID {
	r := eval.Run{ID: eval.RunID(len(m.runs) + 1), Config: c}
	m.runs = append(m.runs, r)
	m.predictions[r.ID] = make(map[eval.Ordinal][]eval.Prediction)
	return r.ID
}

func (m *memory) predict(run eval.RunID, o eval.Ordinal, pass eval.Pass, text string) {
	m.put(eval.Prediction{Key: eval.Key{Run: run, Sample: o, Pass: pass}, Text: text})
}

func (m *memory) put(p eval.Prediction) {
	ps := append(m.predictions[p.Run][p.Sample], p)
	slices.SortFunc(ps, func(a, b eval.Prediction) int { return int(a.Pass) - int(b.Pass) })
	m.predictions[p.Run][p.Sample] = ps
}

func (m *memory) Datasets() ([]eval.Dataset, error) { return m.datasets, nil }
func (m *memory) Runs() ([]eval.Run, error)         { return m.runs, nil }

func (m *memory) Questions(_ context.Context, r eval.Run) iter.Seq2[eval.Question, error] {
	return func(yield func(eval.Question, error) bool) {
		for _, s := range m.samples[r.Config.Dataset] {
			if !yield(eval.Question{Sample: s, Predictions: m.predictions[r.ID][s.Ordinal]}, nil) {
				return
			}
		}
	}
}

func (m *memory) Judgments(_ context.Context, r eval.RunID) iter.Seq2[eval.Judgment, error] {
	return each(m.judgments[r])
}

func (m *memory) Queue(name annotate.QueueName) (annotate.Queue, error) {
	for _, q := range m.queues {
		if q.Name == name {
			return q, nil
		}
	}
	return annotate.Queue{}, eval.ErrNotFound
}

func (m *memory) Queues() ([]annotate.Queue, error) { return m.queues, nil }

func (m *memory) QueueItems(_ context.Context, q annotate.QueueName) iter.Seq2[annotate.QueueItem, error] {
	return each(m.items[q])
}

func (m *memory) Golds(q annotate.QueueName) ([]annotate.Gold, error) { return m.golds[q], nil }

func (m *memory) QueueActs(_ context.Context, q annotate.QueueName) iter.Seq2[annotate.Act, error] {
	return each(m.acts[q])
}

func (m *memory) Prediction(k eval.Key) (eval.Prediction, error) {
	for _, p := range m.predictions[k.Run][k.Sample] {
		if p.Key == k {
			return p, nil
		}
	}
	return eval.Prediction{}, eval.ErrNotFound
}

func (m *memory) Sample(name eval.DatasetName, o eval.Ordinal) (eval.Sample, error) {
	if s := m.samples[name]; int(o) < len(s) {
		return s[o], nil
	}
	return eval.Sample{}, eval.ErrNotFound
}

func (m *memory) SavedReports(q annotate.QueueName) ([]annotate.SavedReport, error) {
	return m.saved[q], nil
}

func (m *memory) Measures(context.Context) iter.Seq2[eval.Measure, error] { return each(m.measures) }

func each[T any](all []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range all {
			if !yield(v, nil) {
				return
			}
		}
	}
}
