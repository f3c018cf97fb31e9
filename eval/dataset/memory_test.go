package dataset

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"testing"

	"concord/eval"
)

// memory is a sink that keeps what it is given, and holds the driver to its
// contract.
type memory struct {
	whole    []eval.RunID
	t        testing.TB
	datasets map[eval.DatasetName]eval.Dataset
	samples  map[eval.DatasetName]map[eval.Ordinal]eval.Sample
	ids      map[eval.DatasetName]map[eval.SampleID]eval.Ordinal
	pictures map[eval.PictureHash][]byte
	runs     []eval.Run
	facts    map[eval.Key]eval.Fact
	said     map[eval.Key]eval.Judgment
	begins   int
	largest  int // bytes of pictures in a batch
	failPut  int // fail this PutSamples, counted from 1
	puts     int
}

var (
	_ PredictionSink   = (*memory)(nil)
	_ PredictionLookup = (*memory)(nil)
	_ PictureSink      = (*memory)(nil)
	_ Filler           = (*memory)(nil)
	_ JudgmentSink     = (*memory)(nil)
)

func newMemory(t testing.TB) *memory {
	return &memory{
		t: t, datasets: map[eval.DatasetName]eval.Dataset{}, samples: map[eval.DatasetName]map[eval.Ordinal]eval.Sample{},
		ids:      map[eval.DatasetName]map[eval.SampleID]eval.Ordinal{},
		pictures: map[eval.PictureHash][]byte{}, facts: map[eval.Key]eval.Fact{}, said: map[eval.Key]eval.Judgment{},
	}
}

func (m *memory) BeginDataset(_ context.Context, d eval.Dataset) error {
	if old, ok := m.datasets[d.Name]; ok && old.Complete && old.Hash != d.Hash {
		return ErrOtherContent
	}
	d.Complete = false
	m.begins++
	m.datasets[d.Name] = d
	m.samples[d.Name] = map[eval.Ordinal]eval.Sample{}
	m.ids[d.Name] = map[eval.SampleID]eval.Ordinal{}
	return nil
}

func (m *memory) PutSamples(_ context.Context, name eval.DatasetName, batch []Item) error {
	if m.datasets[name].Complete {
		m.t.Error("samples are put into a complete dataset")
	}
	if m.puts++; m.puts == m.failPut {
		return fmt.Errorf("the disk is full")
	}
	size := 0
	for _, it := range batch {
		s := it.Sample
		if _, ok := m.samples[name][s.Ordinal]; ok {
			m.t.Errorf("sample %d is put twice", s.Ordinal)
		}
		m.samples[name][s.Ordinal] = s
		m.ids[name][s.ID] = s.Ordinal
		for _, b := range it.Pictures {
			size += len(b)
		}
		maps.Copy(m.pictures, it.Pictures)
	}
	m.largest = max(m.largest, size)
	return nil
}

func (m *memory) PutPictures(_ context.Context, name eval.DatasetName, batch []Item) error {
	for _, it := range batch {
		old, ok := m.samples[name][it.Sample.Ordinal]
		if !ok || old.ID != it.Sample.ID {
			m.t.Errorf("images for sample %s, which is %s", it.Sample.ID, old.ID)
		}
		m.samples[name][it.Sample.Ordinal] = it.Sample
		maps.Copy(m.pictures, it.Pictures)
	}
	return nil
}

func (m *memory) FillSamples(_ context.Context, name eval.DatasetName, batch []Item) error {
	for _, it := range batch {
		o, ok := m.ids[name][it.Sample.ID]
		if !ok {
			m.t.Errorf("sample %s is to be filled, and is not there", it.Sample.ID)
		}
		have := m.samples[name][o]
		out, _, err := FillMissingFields(&have, &it.Sample)
		if err != nil {
			m.t.Error(err)
		}
		m.samples[name][o] = out
		maps.Copy(m.pictures, it.Pictures)
	}
	return nil
}

func (m *memory) FillDataset(_ context.Context, d eval.Dataset) error {
	m.datasets[d.Name] = d
	return nil
}

func (m *memory) FinishDataset(_ context.Context, d eval.Dataset) error {
	if len(m.samples[d.Name]) != d.Samples {
		m.t.Errorf("dataset %s finished with %d samples of %d", d.Name, len(m.samples[d.Name]), d.Samples)
	}
	for _, s := range m.samples[d.Name] {
		for _, p := range s.Pictures {
			if p.Hash != "" && m.pictures[p.Hash] == nil {
				m.t.Errorf("image %s of sample %s was not put", p.Hash, s.ID)
			}
		}
	}
	m.datasets[d.Name] = d
	return nil
}

func (m *memory) Dataset(name eval.DatasetName) (eval.Dataset, error) {
	d, ok := m.datasets[name]
	if !ok {
		return d, eval.ErrNotFound
	}
	return d, nil
}

func (m *memory) Sample(name eval.DatasetName, o eval.Ordinal) (eval.Sample, error) {
	s, ok := m.samples[name][o]
	if !ok {
		return s, eval.ErrNotFound
	}
	return s, nil
}

func (m *memory) SampleByID(name eval.DatasetName, id eval.SampleID) (eval.Sample, error) {
	o, ok := m.ids[name][id]
	if !ok {
		return eval.Sample{}, eval.ErrNotFound
	}
	return m.Sample(name, o)
}

func (m *memory) SamplesByID(name eval.DatasetName, ids []eval.SampleID) (out []eval.Sample, _ error) {
	for _, id := range ids {
		s, _ := m.SampleByID(name, id)
		out = append(out, s)
	}
	return out, nil
}

func (m *memory) FindRun(c eval.Config) (eval.Run, error) {
	for _, r := range m.runs {
		if reflect.DeepEqual(r.Config, c) {
			return r, nil
		}
	}
	return eval.Run{}, eval.ErrNotFound
}

func (m *memory) CreateRun(_ context.Context, c eval.Config) (eval.Run, error) {
	r := eval.Run{ID: eval.RunID(len(m.runs) + 1), Config: c}
	m.runs = append(m.runs, r)
	return r, nil
}

func (m *memory) RecordAll(_ context.Context, facts []eval.Fact) (added int, err error) {
	for _, f := range facts {
		if _, ok := m.facts[f.Prediction.Key]; !ok {
			m.facts[f.Prediction.Key] = f
			added++
		}
	}
	return added, nil
}

func (m *memory) MarkRunImported(_ context.Context, id eval.RunID) error {
	m.whole = append(m.whole, id)
	return nil
}

func (m *memory) Prediction(k eval.Key) (eval.Prediction, error) {
	f, ok := m.facts[k]
	if !ok {
		return eval.Prediction{}, eval.ErrNotFound
	}
	return f.Prediction, nil
}

func (m *memory) PutJudgments(_ context.Context, all []eval.Judgment) (added int, err error) {
	for _, j := range all {
		if _, ok := m.facts[j.Key]; !ok {
			m.t.Errorf("a judgment on %s, which is not recorded", j.Key)
		}
		if _, ok := m.said[j.Key]; !ok {
			m.said[j.Key] = j
			added++
		}
	}
	return added, nil
}
