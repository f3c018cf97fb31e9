package dataset

import (
	"context"
	"errors"
	"strings"

	"concord/eval"
	"concord/eval/dataset/profile"
)

// twin is what tells a question of MME in every file that has it: releases
// and tools number the same questions in other orders, and put other requests
// for a short answer behind them.
type twin struct{ subtask, picture, question string }

// twinOf is zero for what is no question of MME about a picture with a name.
func twinOf(s *eval.Sample, pictures []string) twin {
	levels := s.Taxonomy
	if s.Kind != eval.KindYesNo || len(levels) == 0 || len(pictures) == 0 || eval.MMEAbility(levels[len(levels)-1]) == "" {
		return twin{}
	}
	question := squeeze(s.Question)
	for _, request := range []string{"Please answer yes or no.", "Answer the question using a single word or phrase."} {
		question = strings.TrimSpace(strings.TrimSuffix(question, request))
	}
	name := pictures[0]
	return twin{levels[len(levels)-1], name[strings.LastIndexAny(name, `/\`)+1:], question}
}

func namesOf(pictures []eval.Picture) []string {
	names := make([]string, len(pictures))
	for i, p := range pictures {
		names[i] = p.Name
	}
	return names
}

// answered is the sample that a row answers: the one of its id, or, where MME's
// files number their questions differently, the one that asks the same about
// the same picture.
func (p *predictor) answered(r *profile.Row, rec *record, e *entry) (eval.Sample, error) {
	s, err := p.sink.SampleByID(p.o.Dataset, e.id)
	want := twinOf(&rec.sample, r.Paths())
	switch {
	case err != nil && !errors.Is(err, eval.ErrNotFound):
		return s, err
	case err != nil && want == twin{}:
		o, ok, wrong := p.asked.next(p.sink, p.o.Dataset, rec.sample.Question, p.seen.questions)
		if wrong != nil || !ok {
			return s, errors.Join(wrong, err)
		}
		w := p.src.File.Warning(rec.line, "the dataset has no sample %q: joined by the question", e.id)
		if err := p.sum.note(w, &p.o.Options); err != nil {
			return s, err
		}
		if s, err = p.sink.Sample(p.o.Dataset, o); err == nil {
			rec.sample.Question = s.Question
		}
		return s, err
	case want == twin{} || err == nil && (p.sum.Made || twinOf(&s, namesOf(s.Pictures)) == want):
		return s, err
	}
	if p.twins == nil {
		var err error
		if p.twins, err = readTwins(p.sink, p.o.Dataset); err != nil {
			return s, err
		}
	}
	if o, ok := p.twins[want]; ok {
		if s, err = p.sink.Sample(p.o.Dataset, o); err == nil {
			rec.sample.Question = s.Question
		}
	}
	return s, err
}

// byQuestion finds samples by what they ask, where a file has other ids than the
// dataset: TextVQA's are images in one and questions in the other. Of samples
// that ask the same, rows take one after the other; a file of another size is
// none of the dataset's.
type byQuestion struct {
	samples map[string][]eval.Ordinal
	all     int
}

// line is the first line of a question, which is the same whatever a harness
// puts behind it.
func line(question string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(question), "\n")
	return strings.ToLower(squeeze(first))
}

// next is the next sample that asks a question.
func (b *byQuestion) next(sink Sink, name eval.DatasetName, question string, rows int) (eval.Ordinal, bool, error) {
	if b.samples == nil {
		b.samples = make(map[string][]eval.Ordinal)
		for ; ; b.all++ {
			s, err := sink.Sample(name, eval.Ordinal(b.all))
			if errors.Is(err, eval.ErrNotFound) {
				break
			}
			if err != nil {
				return 0, false, err
			}
			b.samples[line(s.Question)] = append(b.samples[line(s.Question)], s.Ordinal)
		}
	}
	of := b.samples[line(question)]
	if len(of) == 0 || line(question) == "" || b.all != rows {
		return 0, false, nil
	}
	b.samples[line(question)] = of[1:]
	return of[0], true, nil
}

// readTwins reads a dataset's questions once.
func readTwins(sink Sink, name eval.DatasetName) (map[twin]eval.Ordinal, error) {
	twins := make(map[twin]eval.Ordinal)
	for o := eval.Ordinal(0); ; o++ {
		s, err := sink.Sample(name, o)
		if errors.Is(err, eval.ErrNotFound) {
			return twins, nil
		}
		if err != nil {
			return nil, err
		}
		if t := twinOf(&s, namesOf(s.Pictures)); t != (twin{}) {
			twins[t] = o
		}
	}
}

// ErrOtherContent says that a complete dataset of the same name holds other
// samples. Facts hang on those, so nothing is replaced.
var ErrOtherContent = errors.New("a dataset of that name has other content")

// Sink takes a dataset while it is imported. BeginDataset is called first,
// then PutSamples for as long as there are samples, then FinishDataset.
type Sink interface {
	// BeginDataset writes d with Complete false; an incomplete dataset of
	// that name starts over. It gives ErrOtherContent when a complete one of
	// that name has another hash.
	BeginDataset(ctx context.Context, d eval.Dataset) error
	// PutSamples commits the batch in one transaction. Samples come with
	// their ordinals, not always in their order.
	PutSamples(ctx context.Context, name eval.DatasetName, batch []Item) error
	// FinishDataset marks the dataset complete, with its final counts.
	FinishDataset(ctx context.Context, d eval.Dataset) error
	// Dataset gives eval.ErrNotFound when there is none of that name.
	Dataset(name eval.DatasetName) (eval.Dataset, error)
	// Sample gives eval.ErrNotFound beyond the last ordinal.
	Sample(name eval.DatasetName, o eval.Ordinal) (eval.Sample, error)
	// SampleByID gives eval.ErrNotFound for an id that the dataset lacks.
	SampleByID(name eval.DatasetName, id eval.SampleID) (eval.Sample, error)
}

// Item is a sample with its pictures' bytes, by content. A picture that
// another sample refers to may ride along with any item.
type Item struct {
	Sample   eval.Sample
	Pictures map[eval.PictureHash][]byte
}

// Illustrator is what a Sink may offer beside: a dataset that was made from a
// file of predictions gets its pictures once the benchmark's own file comes.
type Illustrator interface {
	// PutPictures gives samples of a complete dataset their pictures, in one
	// transaction. Nothing else of the samples changes.
	PutPictures(ctx context.Context, name eval.DatasetName, batch []Item) error
}

// RunSink takes predictions.
type RunSink interface {
	// FindRun finds the run with exactly this configuration, or gives
	// eval.ErrNotFound.
	FindRun(c eval.Config) (eval.Run, error)
	CreateRun(ctx context.Context, c eval.Config) (eval.Run, error)
	// RecordAll commits the facts in one transaction. Those that are
	// recorded already are left alone and not counted.
	RecordAll(ctx context.Context, facts []eval.Fact) (added int, err error)
	// FinishRun notes that the run's file was read to its end.
	FinishRun(ctx context.Context, id eval.RunID) error
}

// Recorded is what a RunSink may offer beside, so that an import can tell a
// prediction that is there already from another text under the same key.
type Recorded interface {
	// Prediction gives eval.ErrNotFound when nothing is recorded under k.
	Prediction(k eval.Key) (eval.Prediction, error)
}
