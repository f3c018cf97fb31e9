package dataset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"concord/eval"
	"concord/eval/dataset/profile"
	"concord/eval/dataset/tablefile"
)

// Bounds of a transaction of predictions.
const (
	factBytes = 8 << 20
	factCount = 4096
)

// PredictionSink takes datasets and predictions.
type PredictionSink interface {
	Sink
	RunSink
	// SamplesByID gives the samples of ids in their order, an empty one for an id
	// that the dataset lacks; where they are large, only the first ones.
	SamplesByID(name eval.DatasetName, ids []eval.SampleID) ([]eval.Sample, error)
}

// ImportPredictions reads predictions made elsewhere into a run. Rows match the samples of the dataset
// by id; without such a dataset it is made from the file, when that holds the questions. A file in the
// circular layout becomes a circular run with all its passes, any other a vanilla one.
//
// Importing the same file again adds nothing.
func ImportPredictions(ctx context.Context, sink PredictionSink, path string, o PredictionOptions) (Summary, error) {
	src, err := profile.OpenSamples(path, o.Format, o.Columns, o.Progress)
	if err != nil {
		return Summary{}, err
	}
	return importPredictionsFrom(ctx, sink, src, o)
}

// ReadDatasetName reads the dataset, or the task, that a log names as what was answered: "" for every other file.
func ReadDatasetName(ctx context.Context, path, format string) (eval.DatasetName, error) {
	src, err := profile.OpenDetectingFormat(path, format, nil)
	if err != nil {
		return "", err
	}
	name, err := src.ReadDatasetName(ctx)
	return eval.DatasetName(name), err
}

func importPredictionsFrom(ctx context.Context, sink PredictionSink, src *profile.Source, o PredictionOptions) (Summary, error) {
	if o.Dataset = cmp.Or(o.Dataset, o.Name); o.Dataset == "" {
		named, err := src.ReadDatasetName(ctx)
		if err != nil {
			return Summary{}, err
		}
		o.Dataset = cmp.Or(eval.DatasetName(named), defaultDatasetName(src.File.Path))
	}
	o.Modality = cmp.Or(o.Modality, eval.WithImage)
	o.Now = eval.Either(o.Now != nil, o.Now, time.Now)
	o.Name = o.Dataset
	o.Columns.Models = true
	defer debug.SetGCPercent(debug.SetGCPercent(garbageCollectPercent(0)))
	o.serializeCallbacks(src)
	p := &predictionImporter{importer: newImporter(sink, src, o.Options, checkHasPrediction), sink: sink, o: o}
	err := p.importPredictions(ctx)
	return p.sum, eval.WrapError(err, "import %s", filepath.Base(src.File.Path))
}

func checkHasPrediction(rec *record) error { return eval.Either(rec.answered, nil, errNoPrediction) }

type predictionImporter struct {
	*importer
	sink      PredictionSink
	o         PredictionOptions
	id        eval.RunID
	reader    string
	at        time.Time
	facts     []eval.Fact
	lines     []int           // of the facts
	judgments []eval.Judgment // of the facts, by a log's own scorers
	twins     map[mmeKey]eval.Ordinal
	asked     questionIndex
	size, row int
	strangers int           // rows that ask another question than the sample of their id
	found     []eval.Sample // of the rows from row on, by their ids
}

// samplesAtOnce is how many samples are looked up at once.
const samplesAtOnce = 256

// sampleOfNextRow gives the sample of the next row's id, an empty one where there is none.
func (p *predictionImporter) sampleOfNextRow() (eval.Sample, error) {
	if len(p.found) == 0 {
		ids := make([]eval.SampleID, min(samplesAtOnce, p.seen.rows-p.row))
		for i := range ids {
			ids[i] = eval.SampleID(p.seen.textAt(p.seen.entryAt(p.row + i).id))
		}
		var err error
		if p.found, err = p.sink.SamplesByID(p.o.Dataset, ids); err != nil {
			return eval.Sample{}, fmt.Errorf("look up samples %s to %s: %w", ids[0], ids[len(ids)-1], err)
		}
	}
	s := p.found[0]
	p.row, p.found = p.row+1, p.found[1:]
	return s, nil
}

func (p *predictionImporter) importPredictions(ctx context.Context) error {
	p.src.File.Readings = 2
	if err := p.runFirstReading(ctx); err != nil {
		return err
	}
	if p.seen.questions == 0 {
		return p.explainNoRows("prediction")
	}
	if err := p.ensureModelName(); err != nil {
		return err
	}
	if err := p.ensureDataset(ctx); err != nil {
		return err
	}
	p.at = p.o.Now().UTC().Truncate(time.Millisecond)
	if p.o.Reader != nil {
		p.reader = eval.ReaderID(p.o.Reader)
	}
	err := p.rereadWithEntries(ctx, func(r *profile.Row, rec *record, e *rowEntry) error { return p.importRow(ctx, r, rec, e) })
	if err == nil {
		err = p.flushFacts(ctx)
	}
	if err == nil && p.id == 0 {
		return p.reportNoAnswers()
	}
	if err != nil {
		return err
	}
	return eval.WrapError(p.sink.MarkRunImported(ctx, p.id), "finish run %d", p.id)
}

// reportNoAnswers says why no row was taken, and what to do.
func (p *predictionImporter) reportNoAnswers() error {
	s, err := p.sink.Sample(p.o.Dataset, 0)
	if err != nil {
		return fmt.Errorf("look up sample 0: %w", err)
	}
	return p.sum.reportProblem(p.src.File.NewWarning(0, "no row answers a sample of dataset %s, whose ids are such as %s: where answers are numbered by a file of questions, "+
		"import that file and then the one of the ground truth, both under one new name (concord import dataset FILE --name NEW), and these for it", p.o.Dataset, s.ID), &p.o.Options)
}

// ErrNoModel says that neither the caller nor the file names the model that answered.
var ErrNoModel = errors.New("no model is named (--model), and the file names none")

// ensureModelName takes the model from the file when none is named.
func (p *predictionImporter) ensureModelName() error {
	named := slices.Sorted(maps.Keys(p.models))
	if p.src.Model != "" && len(named) == 0 {
		named = []string{p.src.Model}
	}
	switch {
	case p.o.Model != "":
	case len(named) == 0:
		return ErrNoModel
	case len(named) > 1:
		return fmt.Errorf("the file names %d models (%.200s): one file is one model's, or name it with --model", len(named), strings.Join(named, ", "))
	default:
		p.o.Model = named[0]
	}
	p.sum.Model = p.o.Model
	return nil
}

// ensureDataset makes the dataset from the file when there is none.
func (p *predictionImporter) ensureDataset(ctx context.Context) error {
	d, err := p.sink.Dataset(p.o.Dataset)
	switch {
	case err == nil && d.Complete:
		return nil
	case err != nil && !errors.Is(err, eval.ErrNotFound):
		return fmt.Errorf("look up dataset %s: %w", p.o.Dataset, err)
	case err == nil && d.Hash != p.seen.hashContent():
		return fmt.Errorf("the import of dataset %s was interrupted: repeat it first (concord import dataset %s --name %s)", d.Name, d.Origin, d.Name)
	case 2*p.asks < p.seen.rows:
		return fmt.Errorf("there is no dataset %s, and the file does not hold the questions with their options: import the dataset first (concord import dataset FILE --name %s)",
			p.o.Dataset, p.o.Dataset)
	}
	p.src.File.Readings = 3
	if err := p.importSamples(ctx); err != nil {
		return err
	}
	p.sum.Made, p.sum.Added, p.sum.Unchanged = true, 0, 0
	return nil
}

func (p *predictionImporter) importRow(ctx context.Context, r *profile.Row, rec *record, e *rowEntry) error {
	s, err := p.sampleOfNextRow()
	if err != nil || e.fault != sound {
		return err // what is wrong with the row was reported by the first reading
	}
	s, err = p.findAnsweredSample(s, r, rec, e)
	if errors.Is(err, eval.ErrNotFound) {
		return p.reportDroppedRow(rec, "the dataset %s has no sample %s", p.o.Dataset, p.seen.textAt(e.id))
	}
	if err != nil {
		return fmt.Errorf("look up sample %s: %w", p.seen.textAt(e.id), err)
	}
	shown, doubts, err := compareWithSample(&s, rec, e.pass)
	if err != nil {
		if errors.Is(err, errOtherQuestion) {
			p.strangers++
		}
		return p.reportDroppedRow(rec, "%s", err)
	}
	if utf8.RuneCountInString(rec.text) == tablefile.ExcelCell {
		doubts = append(doubts, fmt.Sprintf("the prediction has exactly %d characters: Excel may have cut it", tablefile.ExcelCell))
	}
	for _, d := range doubts {
		if err := p.sum.reportProblem(p.src.File.NewWarning(rec.line, "%s", d), &p.o.Options); err != nil {
			return err
		}
	}
	if e.first && !p.sum.Made {
		p.countMissingParts(&s, e)
	}
	return p.queueFact(ctx, rec, &s, e.pass, int(e.pass) == 31-bits.LeadingZeros32(e.passes), shown)
}

// reportDroppedRow reports a row that the firstPass took for a good one.
func (p *predictionImporter) reportDroppedRow(rec *record, format string, args ...any) error {
	p.sum.Read--
	return p.sum.reportProblem(p.src.File.NewProblem(rec.line, format, args...), &p.o.Options)
}

func (p *predictionImporter) queueFact(ctx context.Context, rec *record, s *eval.Sample, pass eval.Pass, closes bool, shown *eval.Shown) error {
	f := eval.Fact{
		Prediction: eval.Prediction{
			Key:  eval.Key{Sample: s.Ordinal, Pass: pass},
			Text: rec.text, Shown: shown, At: p.at,
		},
		Reader: p.reader,
		Closes: closes,
	}
	if p.o.Reader != nil {
		f.Reading = eval.ReadPrediction(p.o.Reader, s, &f.Prediction)
	}
	p.facts, p.lines = append(p.facts, f), append(p.lines, rec.line)
	p.countLogScores(rec, s, &f)
	p.size += len(rec.text) + 256
	if p.size >= factBytes || len(p.facts) >= factCount {
		return p.flushFacts(ctx)
	}
	return nil
}

// flushFacts records the facts that wait, in one transaction.
func (p *predictionImporter) flushFacts(ctx context.Context) error {
	if len(p.facts) == 0 {
		return nil
	}
	if p.strangers >= 10 && p.strangers > (p.sum.Added+p.sum.Unchanged+len(p.facts))/3 {
		return fmt.Errorf("%d of %d rows ask another question than the sample of their id in %s, so that the rest may fit by chance: import the dataset that the file answers, all of its parts under one name (concord import dataset FOLDER --name NEW)",
			p.strangers, p.strangers+p.sum.Added+p.sum.Unchanged+len(p.facts), p.o.Dataset)
	}
	if err := p.ensureRun(ctx); err != nil {
		return err
	}
	for i := range p.facts {
		p.facts[i].Prediction.Run = p.id
	}
	added, err := p.sink.RecordAll(ctx, p.facts)
	if err != nil {
		return fmt.Errorf("record predictions: %w", err)
	}
	if err := p.commitJudgments(ctx); err != nil {
		return err
	}
	p.sum.Added += added
	p.sum.Unchanged += len(p.facts) - added
	if added < len(p.facts) {
		if err := p.reportChangedTexts(); err != nil {
			return err
		}
	}
	clear(p.facts)
	p.facts, p.lines, p.size = p.facts[:0], p.lines[:0], 0
	return nil
}

// reportChangedTexts reports facts whose text differs from what was recorded before:
// a file that was made anew under its old name.
func (p *predictionImporter) reportChangedTexts() error {
	known, ok := p.sink.(PredictionLookup)
	if !ok {
		return nil
	}
	for i := range p.facts {
		old, err := known.Prediction(p.facts[i].Prediction.Key)
		if err != nil {
			return fmt.Errorf("look up prediction %s: %w", p.facts[i].Prediction.Key, err)
		}
		if old.Text == p.facts[i].Prediction.Text {
			continue
		}
		w := p.src.File.NewWarning(p.lines[i], "another prediction is recorded for this row already, and is kept")
		if err := p.sum.reportProblem(w, &p.o.Options); err != nil {
			return err
		}
	}
	return nil
}

// ensureRun finds the run of this configuration or creates it. An imported
// run asks nothing, so no rule set ends its questions.
func (p *predictionImporter) ensureRun(ctx context.Context) error {
	if p.id != 0 {
		return nil
	}
	c := eval.Config{
		Dataset: p.o.Dataset, Model: p.o.Model, Strategy: eval.Vanilla, Modality: p.o.Modality,
		Origin: eval.Imported, Synthetic: p.o.Synthetic, File: filepath.Base(p.src.File.Path),
	}
	if shots := cmp.Or(p.o.Shots, p.src.Shots); shots != nil {
		c.Settings.Shots, p.sum.Shots = *shots, *shots
	}
	if p.seen.circular {
		c.Strategy, c.AllPasses = eval.Circular, true
	}
	run, err := EnsureRun(ctx, p.sink, c)
	if err != nil {
		return err
	}
	p.id, p.sum.Run = run.ID, run.ID
	return nil
}

// EnsureRun finds the run of a configuration or creates it.
func EnsureRun(ctx context.Context, sink RunSink, c eval.Config) (eval.Run, error) {
	run, err := sink.FindRun(c)
	if errors.Is(err, eval.ErrNotFound) {
		run, err = sink.CreateRun(ctx, c)
	}
	return run, eval.WrapError(err, "find or create run")
}
