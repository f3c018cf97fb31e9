package dataset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/dataset/profile"
)

var errOtherQuestion = errors.New("the row asks another question than the dataset's sample of that index")

// compareWithSample compares a row with the sample that it answers. Shown is set when the model saw other options
// than Sample.Show(pass): published files rotate some questions over fewer options than they have. Doubts
// are differences of text, for which the row is kept; another question altogether is an error.
func compareWithSample(s *eval.Sample, rec *record, pass eval.Pass) (shown *eval.Shown, doubts []string, err error) {
	asked := s.ShowInPass(pass)
	row := rec.sample
	question := row.Question == "" || isSameQuestion(s.Question, row.Question)
	if len(row.Options) == 0 {
		switch {
		case !question:
			return nil, nil, errOtherQuestion
		case row.Answer != "" && s.Answer != "" && row.Answer != s.Answer && s.Kind == row.Kind:
			doubts = append(doubts, fmt.Sprintf("the file's answer is %s, the dataset's %s", row.Answer, s.Answer))
		}
		return nil, doubts, nil
	}
	own := eval.Shown{Options: row.Options, Answer: cmp.Or(row.Answer, findRightLetter(row.Options, asked))}
	texts := sameOptionTexts(own.Options, asked.Options)
	switch {
	case !question && !texts:
		return nil, nil, errOtherQuestion
	case !question:
		doubts = append(doubts, "the question's text differs from the dataset's")
	}
	switch {
	case sameOptions(own.Options, asked.Options) && own.Answer == asked.Answer:
		return nil, doubts, nil
	case !texts:
		doubts = append(doubts, "the options differ from the dataset's: "+describeOptionDifference(own.Options, asked.Options))
	case rightOptionText(own) != rightOptionText(asked):
		doubts = append(doubts, fmt.Sprintf("the file's answer is %q, the dataset's %q", rightOptionText(own), rightOptionText(asked)))
	}
	return &own, doubts, nil
}

// isSameQuestion ignores white space and what harnesses put around it ("Answer with the option's letter.").
func isSameQuestion(a, b string) bool {
	if a == b {
		return true
	}
	a, b = collapseSpace(a), collapseSpace(b)
	return a == b || a != "" && strings.Contains(b, a) || b != "" && strings.Contains(a, b)
}

func sameOptions(a, b []eval.Option) bool {
	return slices.EqualFunc(a, b, func(x, y eval.Option) bool { return x.Letter == y.Letter && equalButForSpace(x.Text, y.Text) })
}

// equalButForSpace ignores white space.
func equalButForSpace(a, b string) bool { return a == b || collapseSpace(a) == collapseSpace(b) }

// sameOptionTexts compares options as a bag of texts, in whatever order.
func sameOptionTexts(a, b []eval.Option) bool {
	if sameOptions(a, b) {
		return true
	}
	sorted := func(of []eval.Option) []string {
		return slices.Sorted(slices.Values(eval.Map(of, func(o eval.Option) string { return collapseSpace(o.Text) })))
	}
	return slices.Equal(sorted(a), sorted(b))
}

// rightOptionText is the text of the right option.
func rightOptionText(s eval.Shown) string {
	o, _ := eval.FirstWanted(s.Options, func(o eval.Option) bool { return o.Letter == s.Answer })
	return collapseSpace(o.Text)
}

// findRightLetter finds the right text of asked among other options.
func findRightLetter(options []eval.Option, asked eval.Shown) eval.Choice {
	right := rightOptionText(asked)
	o, _ := eval.FirstWanted(options, func(o eval.Option) bool { return right != "" && collapseSpace(o.Text) == right })
	return o.Letter
}

// describeOptionDifference names the first option that differs.
func describeOptionDifference(own, asked []eval.Option) string {
	texts := eval.IndexBy(asked, func(o eval.Option) (eval.Choice, string) { return o.Letter, collapseSpace(o.Text) })
	for _, o := range own {
		t, ok := texts[o.Letter]
		if !ok {
			return fmt.Sprintf("%s %.40q is in the file only", o.Letter, o.Text)
		}
		if t != collapseSpace(o.Text) {
			return fmt.Sprintf("%s is %.40q in the file, %.40q in the dataset", o.Letter, o.Text, t)
		}
		delete(texts, o.Letter)
	}
	for _, o := range asked {
		if t, ok := texts[o.Letter]; ok {
			return fmt.Sprintf("%s %.40q is in the dataset only", o.Letter, t)
		}
	}
	return "their order"
}

// mmeKey is what tells a question of MME in every file that has it: releases and tools number
// the same questions in other orders, and put other requests for a short answer behind them.
type mmeKey struct{ subtask, picture, question string }

// popeCategories are POPE's, whose files number their questions each from 1, and LLaVA's file all of them.
var popeCategories = []string{"adversarial", "popular", "random"}

// newMMEKey is zero for what is no question of MME or POPE about a picture with a name.
func newMMEKey(s *eval.Sample, pictures []string) mmeKey {
	levels := s.Taxonomy
	if s.Kind != eval.KindYesNo || len(levels) == 0 || len(pictures) == 0 {
		return mmeKey{}
	}
	subtask := levels[len(levels)-1]
	if eval.MMEAbilityOf(subtask) == "" && !slices.Contains(popeCategories, subtask) {
		return mmeKey{}
	}
	question := collapseSpace(s.Question)
	for _, request := range []string{"Please answer yes or no.", "Answer the question using a single word or phrase."} {
		question = strings.TrimSpace(strings.TrimSuffix(question, request))
	}
	name := pictures[0]
	return mmeKey{subtask, name[strings.LastIndexAny(name, `/\`)+1:], question}
}

func pictureNames(pictures []eval.Picture) []string {
	return eval.Map(pictures, func(p eval.Picture) string { return p.Name })
}

// findAnsweredSample finds the sample that a row answers: s, the one of its id, or, where MME's
// files number their questions differently, the one that asks the same about the same picture.
func (p *predictionImporter) findAnsweredSample(s eval.Sample, r *profile.Row, rec *record, e *rowEntry) (eval.Sample, error) {
	want := newMMEKey(&rec.sample, r.PicturePaths())
	var err error
	if s.ID == "" {
		err = eval.ErrNotFound
	}
	switch {
	case err != nil && want == mmeKey{}:
		o, ok, wrong := p.asked.nextSampleAsking(p.sink, p.o.Dataset, rec.sample.Question, p.seen.questions)
		if wrong != nil || !ok {
			return s, errors.Join(wrong, err)
		}
		w := p.src.File.NewWarning(rec.line, "the dataset has no sample %q: joined by the question", p.seen.textAt(e.id))
		if err := p.sum.reportProblem(w, &p.o.Options); err != nil {
			return s, err
		}
		if s, err = p.sink.Sample(p.o.Dataset, o); err == nil {
			rec.sample.Question = s.Question
		}
		return s, err
	case want == mmeKey{} || err == nil && (p.sum.Made || newMMEKey(&s, pictureNames(s.Pictures)) == want):
		return s, err
	}
	if p.twins == nil {
		var err error
		if p.twins, err = indexByMMEKey(p.sink, p.o.Dataset); err != nil {
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

// questionIndex finds samples by what they ask, where a file has other ids than the dataset: TextVQA's are images in
// one and questions in the other. Of samples that ask the same, rows take one after the other; a file of another size
// is none of the dataset's, and nor are questions of MME and POPE, of which many ask the same.
type questionIndex struct {
	samples map[string][]eval.Ordinal
	all     int
}

// normalizedFirstLine is the first line of a question, which is the same whatever a harness puts behind it.
func normalizedFirstLine(question string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(question), "\n")
	return strings.ToLower(collapseSpace(first))
}

func (b *questionIndex) nextSampleAsking(sink Sink, name eval.DatasetName, question string, rows int) (eval.Ordinal, bool, error) {
	if b.samples == nil {
		b.samples = make(map[string][]eval.Ordinal)
		if err := eachSample(sink, name, func(s *eval.Sample, key mmeKey) {
			if b.all++; key == (mmeKey{}) { // else its image tells it from others, and no question does
				b.samples[normalizedFirstLine(s.Question)] = append(b.samples[normalizedFirstLine(s.Question)], s.Ordinal)
			}
		}); err != nil {
			return 0, false, err
		}
	}
	of := b.samples[normalizedFirstLine(question)]
	if len(of) == 0 || normalizedFirstLine(question) == "" || b.all != rows {
		return 0, false, nil
	}
	b.samples[normalizedFirstLine(question)] = of[1:]
	return of[0], true, nil
}

// indexByMMEKey reads a dataset's questions once.
func indexByMMEKey(sink Sink, name eval.DatasetName) (map[mmeKey]eval.Ordinal, error) {
	twins := make(map[mmeKey]eval.Ordinal)
	err := eachSample(sink, name, func(s *eval.Sample, key mmeKey) {
		if key != (mmeKey{}) {
			twins[key] = s.Ordinal
		}
	})
	return twins, err
}

func eachSample(sink Sink, name eval.DatasetName, do func(*eval.Sample, mmeKey)) error {
	for o := eval.Ordinal(0); ; o++ {
		s, err := sink.Sample(name, o)
		if errors.Is(err, eval.ErrNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("look up sample %d: %w", o, err)
		}
		do(&s, newMMEKey(&s, pictureNames(s.Pictures)))
	}
}

// ErrOtherContent says that a complete dataset of the same name holds other
// samples. Facts hang on those, so nothing is replaced.
var ErrOtherContent = errors.New("a dataset of that name has other content")

// Sink takes a dataset while it is imported. BeginDataset is called first,
// then PutSamples for as long as there are samples, then FinishDataset.
type Sink interface {
	// BeginDataset writes d with Complete false; an incomplete dataset of that name starts
	// over. It gives ErrOtherContent when a complete one of that name has another hash.
	BeginDataset(ctx context.Context, d eval.Dataset) error
	// PutSamples commits the batch in one transaction. Samples come with their ordinals, not always in their order.
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

// PictureSink is what a Sink may offer beside: a dataset that was made from a
// file of predictions gets its pictures once the benchmark's own file comes.
type PictureSink interface {
	// PutPictures gives samples of a complete dataset their pictures, in one
	// transaction. Nothing else of the samples changes.
	PutPictures(ctx context.Context, name eval.DatasetName, batch []Item) error
}

// RunSink takes predictions.
type RunSink interface {
	// FindRun finds the run with exactly this configuration, or gives eval.ErrNotFound.
	FindRun(c eval.Config) (eval.Run, error)
	CreateRun(ctx context.Context, c eval.Config) (eval.Run, error)
	// RecordAll commits the facts in one transaction. Those that are recorded already are left alone and not counted.
	RecordAll(ctx context.Context, facts []eval.Fact) (added int, err error)
	// MarkRunImported notes that the run's file was read to its end.
	MarkRunImported(ctx context.Context, id eval.RunID) error
}

// PredictionLookup is what a RunSink may offer beside, so that an import can tell a
// prediction that is there already from another text under the same key.
type PredictionLookup interface {
	// Prediction gives eval.ErrNotFound when nothing is recorded under k.
	Prediction(k eval.Key) (eval.Prediction, error)
}
