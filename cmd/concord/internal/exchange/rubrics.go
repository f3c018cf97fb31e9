package exchange

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"concord/annotate/criteria"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/dataset/rowfile"
	"concord/eval/extract"
	"concord/store"
)

// RubricSummary is what an import of rubrics did.
type RubricSummary struct {
	Dataset   eval.DatasetName `json:"dataset"`
	Samples   int              `json:"samples"`
	Models    int              `json:"models"`
	Responses int              `json:"responses"`
	Withheld  int              `json:"withheld"` // rows without an answer
	Criteria  *RowSummary      `json:"criteria"`
	Grades    *RowSummary      `json:"grades,omitempty"`
	Skipped   int              `json:"skipped"` // rows of answers
}

// rubricFiles are the files of a folder of rubrics; "" for one that is not there.
type rubricFiles struct{ criteria, answers, grades, trees string }

// findRubricFiles finds the files of rubrics: a folder's, or one of HealthBench's
// lines, which hold questions and criteria and may be all that a folder has.
func findRubricFiles(path string) (rubricFiles, error) {
	info, err := os.Stat(path)
	if err != nil {
		return rubricFiles{}, err
	}
	if !info.IsDir() {
		return rubricFiles{criteria: path, answers: path}, nil
	}
	var f rubricFiles
	var others []string
	files, err := os.ReadDir(path)
	if err != nil {
		return f, err
	}
	for _, ending := range []string{".jsonl", ".json", ".csv", ".tsv", ".xlsx", ".parquet"} {
		for _, file := range files {
			name, is := strings.CutSuffix(file.Name(), ending)
			to, at := map[string]*string{"criteria": &f.criteria, "answers": &f.answers, "grades": &f.grades, "trees": &f.trees}[name], filepath.Join(path, file.Name())
			switch {
			case is && to == nil:
				others = append(others, at)
			case is && *to == "":
				*to = at
			}
		}
	}
	if f.criteria == "" {
		f.criteria, f.trees = f.trees, ""
	}
	if f.criteria == "" && (len(others) == 1 || len(others) > 1 && filepath.Ext(others[0]) != filepath.Ext(others[1])) {
		f.criteria = others[0] // the only one of its kind
	}
	if f.criteria == "" {
		return f, fmt.Errorf("folder %s has neither criteria.jsonl nor trees.jsonl: name the file with the criteria so", filepath.Base(path))
	}
	f.answers = cmp.Or(f.answers, f.criteria)
	return f, nil
}

// ImportRubrics takes a folder of rubrics whole: the dataset, its criteria, what
// models answered, and what raters said of it.
func ImportRubrics(ctx context.Context, a *project.Project, st *store.Store, path string, name eval.DatasetName) (RubricSummary, error) {
	files, err := findRubricFiles(path)
	if err != nil {
		return RubricSummary{}, err
	}
	in := &rubricImporter{
		RowCounter: NewRowCounter(a, name, files.answers), st: st, name: name, at: a.Now().UTC().Truncate(time.Millisecond),
		index: make(map[eval.SampleID]int), answers: make(map[string][]answer),
	}
	if err := in.readSamplesAndResponses(files); err != nil {
		return in.out, err
	}
	if err := in.importDataset(ctx); err != nil {
		return in.out, err
	}
	if err := in.importRunsOfModels(ctx); err != nil {
		return in.out, err
	}
	cs := NewCriteriaImport(st, NewRowCounter(a, name, files.criteria), "")
	cs.told = in.Sum.Problems
	if cs.paths, err = in.readCriterionPaths(files.trees); err == nil {
		err = cs.Run(ctx)
	}
	if err != nil {
		return in.out, err
	}
	in.out.Criteria, in.out.Skipped = &cs.Sum, in.Sum.Skipped
	if files.grades != "" {
		grades := NewRowCounter(a, name, files.grades)
		if err := ImportGrades(ctx, st, grades); err != nil {
			return in.out, err
		}
		in.out.Grades = &grades.Sum
	}
	return in.out, nil
}

type answer struct {
	sample int
	text   string
}

// rubricImporter gathers the samples and answers of a folder.
type rubricImporter struct {
	*RowCounter
	st      *store.Store
	name    eval.DatasetName
	at      time.Time
	out     RubricSummary
	samples []eval.Sample
	index   map[eval.SampleID]int
	models  []string // in the order in which they come
	answers map[string][]answer
}

// readSamplesAndResponses finds every sample: those with criteria first, in their order.
func (in *rubricImporter) readSamplesAndResponses(files rubricFiles) error {
	some := false // of criteria, or of rows that cannot be read
	for row, err := range rowfile.ReadCriteria(files.criteria) {
		some = some || err != nil || row.Written || row.Act != ""
		if err == nil {
			in.indexOrAddSample(row.Sample)
		} else if problem := new(dataset.Problem); !errors.As(err, &problem) {
			return err
		}
	}
	if !some {
		return fmt.Errorf("%s holds no criteria: name a folder with criteria.jsonl, or a file whose rows have criteria or rubrics", filepath.Base(files.criteria))
	}
	once := OnceByKey[[2]string]{}
	return EachRow(in.RowCounter, rowfile.ReadResponses(files.answers), func(r *rowfile.ResponseRow) int { return r.Line }, func(r *rowfile.ResponseRow) error {
		if r.Model != "" {
			if err := once.NoteFirstLine([2]string{string(r.Sample), r.Model}, r.Line, "the answer of %s to sample %s", r.Model, r.Sample); err != nil {
				return err
			}
		}
		in.addResponse(r)
		return nil
	})
}

func (in *rubricImporter) indexOrAddSample(id eval.SampleID) int {
	at, known := in.index[id]
	if !known {
		at = len(in.samples)
		in.index[id] = at
		in.samples = append(in.samples, eval.Sample{Ordinal: eval.Ordinal(at), ID: id, Kind: eval.KindOpen})
	}
	return at
}

func (in *rubricImporter) addResponse(row *rowfile.ResponseRow) {
	at := in.indexOrAddSample(row.Sample)
	s := &in.samples[at]
	if s.Question == "" && row.Question != nil {
		s.Question = *row.Question
	}
	if row.Image != "" && len(s.Pictures) == 0 {
		s.Pictures = []eval.Picture{{Name: row.Image}}
	}
	if row.Model == "" {
		return
	}
	in.models = eval.AppendUnique(in.models, row.Model)
	if row.Answer == nil {
		in.out.Withheld++
		return
	}
	in.answers[row.Model] = append(in.answers[row.Model], answer{at, *row.Answer})
}

// importDataset makes the dataset, unless it is there already.
func (in *rubricImporter) importDataset(ctx context.Context) error {
	sum := sha256.New()
	for i := range in.samples {
		s := &in.samples[i]
		_, _ = fmt.Fprintf(sum, "%q %q %q\n", s.ID, s.Question, s.Pictures)
	}
	d := eval.Dataset{Name: in.name, Samples: len(in.samples), NoTruth: len(in.samples), Hash: hex.EncodeToString(sum.Sum(nil)), Origin: filepath.Base(in.Path)}
	in.out.Dataset, in.out.Samples = in.name, len(in.samples)
	to := in.st.Datasets()
	if have, err := to.Dataset(in.name); err == nil && have.Complete && have.Hash == d.Hash {
		return nil
	}
	if err := to.BeginDataset(ctx, d); errors.Is(err, dataset.ErrOtherContent) {
		return fmt.Errorf("%w: import the folder under another name with --name", err)
	} else if err != nil {
		return err
	}
	err := StoreInParts(ctx, in.samples, func(ctx context.Context, part []eval.Sample) error {
		items := make([]dataset.Item, len(part))
		for i := range part {
			items[i].Sample = part[i]
		}
		return to.PutSamples(ctx, in.name, items)
	})
	if err != nil {
		return err
	}
	return to.FinishDataset(ctx, d)
}

// importRunsOfModels makes a run of each model. One whose answers are withheld has none.
func (in *rubricImporter) importRunsOfModels(ctx context.Context) error {
	reader, err := extract.FindRules(extract.Default)
	if err != nil {
		return err
	}
	to := in.st.Runs()
	for _, model := range in.models {
		run, err := dataset.EnsureRun(ctx, to, eval.Config{
			Dataset: in.name, Model: model, Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported, File: filepath.Base(in.Path),
		})
		if err != nil {
			return err
		}
		var facts []eval.Fact
		for _, x := range in.answers[model] {
			f := eval.Fact{
				Prediction: eval.Prediction{Key: eval.Key{Run: run.ID, Sample: eval.Ordinal(x.sample)}, Text: x.text, At: in.at},
				Reader:     eval.ReaderID(reader), Closes: true,
			}
			f.Reading = eval.ReadPrediction(reader, &in.samples[x.sample], &f.Prediction)
			facts = append(facts, f)
		}
		if _, err := to.RecordAll(ctx, facts); err != nil {
			return err
		}
		if err := to.MarkRunImported(ctx, run.ID); err != nil {
			return err
		}
		in.out.Responses += len(facts)
	}
	in.out.Models = len(in.models)
	return nil
}

// readCriterionPaths reads the nodes above each leaf of the trees, by sample and name.
func (in *rubricImporter) readCriterionPaths(trees string) (map[eval.SampleID]map[string][]string, error) {
	if trees == "" {
		return nil, nil
	}
	out := make(map[eval.SampleID]map[string][]string)
	err := eval.EachRead(rowfile.ReadCriteria(trees), func(row rowfile.CriteriaRow) error {
		leaves, err := criteriaOfCells(row.List)
		out[row.Sample] = eval.IndexBy(leaves, func(c criteria.Criterion) (string, []string) { return c.ID, c.Path })
		return eval.WrapError(err, "%s: sample %s", filepath.Base(trees), row.Sample)
	})
	return out, err
}

// PrintRubricImport prints what an import of rubrics did.
func PrintRubricImport(a *project.Project, s *RubricSummary) error {
	grades := ""
	if s.Grades != nil {
		grades = "grades: " + s.Grades.formatText() + "\n"
	}
	if s.Models == 0 {
		grades += "there are no responses to grade yet: concord import predictions FILE --dataset " + cli.EscapeControls(string(s.Dataset)) + " --model NAME brings them\n"
	}
	return a.PrintResult(s, "%s: %s, %s of %s, %d withheld, %d skipped\ncriteria: %s\n%s", cli.EscapeControls(string(s.Dataset)), cli.FormatCount(s.Samples, "sample"),
		cli.FormatCount(s.Responses, "answer"), cli.FormatCount(s.Models, "model"), s.Withheld, s.Skipped, s.Criteria.formatText(), grades)
}
