package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/dataset/export"
	"concord/eval/dataset/rowfile"
	"concord/eval/dataset/tablefile"
	"concord/store"
)

// NewRowCounter begins an import of rows into a dataset.
func NewRowCounter(a *project.Project, name eval.DatasetName, path string) *RowCounter {
	return &RowCounter{Sum: RowSummary{Dataset: name, Problems: []dataset.Problem{}}, Path: path, Project: a}
}

// ImportFacts makes facts of a file's rows and puts them. What cannot be a fact is reported with its line.
func ImportFacts[R, F any](ctx context.Context, in *RowCounter, all iter.Seq2[R, error],
	fact func(R) (F, int, error), put func(context.Context, []F) (int, error),
) error {
	var batch []F
	line := 0
	err := EachRow(in, all, func(*R) int { return line }, func(row *R) (err error) {
		var f F
		if f, line, err = fact(*row); err == nil {
			in.Sum.Read++
			batch = append(batch, f)
		}
		return err
	})
	if err != nil {
		return err
	}
	return storeFactsInBatches(ctx, in, batch, put)
}

// storeFactsInBatches puts facts in batches, and counts those that are new.
func storeFactsInBatches[F any](ctx context.Context, in *RowCounter, all []F, put func(context.Context, []F) (int, error)) error {
	return StoreInParts(ctx, all, func(ctx context.Context, part []F) error {
		added, err := put(ctx, part)
		if err == nil {
			in.Sum.Added += added
			in.Sum.Unchanged += len(part) - added
		}
		return err
	})
}

// EachRow takes the rows of a file one by one. What cannot be taken is reported with its line.
func EachRow[R any](in *RowCounter, all iter.Seq2[R, error], line func(*R) int, take func(*R) error) error {
	for row, err := range all {
		at := 0
		if err == nil {
			if err = take(&row); err != nil {
				at = line(&row)
			}
		}
		if err != nil {
			if err := in.CountSkippedRow(at, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// TimeOrNow is when something happened: now where the file does not say.
func (r *RowCounter) TimeOrNow(t time.Time) time.Time {
	return eval.Either(t.IsZero(), r.Project.Now(), t)
}

// WriteTable writes rows under columns; what cannot be written ends it.
func WriteTable(w io.Writer, format string, columns []string, rows func(*tablefile.Table) error) ([]string, error) {
	t, err := tablefile.New(w, format, columns)
	if err != nil {
		return nil, cli.NewUsageError(err)
	}
	err = rows(t)
	warnings, cerr := t.Close()
	return warnings, errors.Join(err, cerr)
}

// wordedCount is how many of something there are, in words.
type wordedCount struct {
	n    int
	what string
}

// joinNonZeroCounts lists those that there are, each behind a comma.
func joinNonZeroCounts(all ...wordedCount) (out string) {
	for _, a := range all {
		out += eval.Either(a.n > 0, fmt.Sprintf(", %d %s", a.n, a.what), "")
	}
	return out
}

// OnceByKey are the lines that took what a file may say once.
type OnceByKey[K comparable] map[K]int

// NoteFirstLine notes the line that gives a key, and refuses a second one.
func (o OnceByKey[K]) NoteFirstLine(k K, line int, what string, args ...any) error {
	if first, ok := o[k]; ok {
		return fmt.Errorf("line %d gives %s already: keep one of the two", first, fmt.Sprintf(what, args...))
	}
	o[k] = line
	return nil
}

// RowSummary is what an import of labels, judgments or criteria did.
type RowSummary struct {
	Queue     annotate.QueueName `json:"queue,omitempty"`
	Dataset   eval.DatasetName   `json:"dataset,omitempty"`
	Read      int                `json:"read"`
	Added     int                `json:"added"`
	Revised   int                `json:"revised,omitempty"` // took the place of another
	Unchanged int                `json:"unchanged"`
	Skipped   int                `json:"skipped"`
	Warnings  int                `json:"warnings,omitempty"`
	Problems  []dataset.Problem  `json:"problems"`
	Sample    *DeclaredSample    `json:"sample,omitempty"`
}

// DeclaredSample is how the items of an import were drawn, as was declared.
type DeclaredSample struct {
	Of          string           `json:"of"` // the population
	Dataset     eval.DatasetName `json:"dataset"`
	Population  int              `json:"population"`
	Items       int              `json:"items"`
	Overlap     int              `json:"overlap"`
	Probability string           `json:"probability,omitempty"` // a column, or weight; neither where all were as likely
	Weight      string           `json:"weight,omitempty"`
	Seed        uint64           `json:"seed"`
}

// DescribeDeclaredSample describes how a queue's items were drawn; nil where they were here.
func DescribeDeclaredSample(q *annotate.Queue) *DeclaredSample {
	d := &q.Design
	if !d.IsDeclared() {
		return nil
	}
	out := &DeclaredSample{Of: q.Rule.From.String(), Dataset: q.Rule.Dataset, Population: q.Population, Items: q.Items, Overlap: q.WantedLabelsIfAgreed(), Seed: d.Seed}
	*eval.Either(d.Weights, &out.Weight, &out.Probability) = d.Column
	return out
}

// PrintRowsImported prints what became of the rows.
func PrintRowsImported(a *project.Project, s RowSummary) error {
	return a.PrintResult(s, "%s\n", s.formatText())
}

func (s *RowSummary) formatText() string {
	warnings := eval.Either(s.Warnings > 0, fmt.Sprintf(", %d warnings", s.Warnings), "")
	revised := eval.Either(s.Revised > 0, fmt.Sprintf(", revised %d", s.Revised), "")
	drawn := ""
	if d := s.Sample; d != nil {
		drawn = fmt.Sprintf("; queue %s: %d of %d predictions (%s) of %s, drawn elsewhere", cli.EscapeControls(string(s.Queue)), d.Items, d.Population, d.Of, cli.EscapeControls(string(d.Dataset)))
	}
	return fmt.Sprintf("read %d, skipped %d, added %d%s, unchanged %d%s%s", s.Read, s.Skipped, s.Added, revised, s.Unchanged, warnings, drawn)
}

// RowCounter counts the rows of a file and reports those that are left out.
type RowCounter struct {
	Sum     RowSummary
	Path    string
	Project *project.Project
	told    []dataset.Problem // of the same file, by an earlier look at it
}

// CountSkippedRow counts a row that cannot be taken. An error that is not about one row ends the import.
func (r *RowCounter) CountSkippedRow(line int, err error) error {
	var p *dataset.Problem
	if !errors.As(err, &p) {
		if line == 0 {
			return err
		}
		p = &dataset.Problem{File: filepath.Base(r.Path), Line: line, Reason: err.Error()}
	}
	r.Sum.Skipped++
	r.reportProblem(*p)
	return nil
}

// reportProblem tells what is wrong with a row, and keeps the first of these.
func (r *RowCounter) reportProblem(p dataset.Problem) {
	if slices.Contains(r.told, p) {
		return
	}
	if len(r.Sum.Problems) < 100 {
		r.Sum.Problems = append(r.Sum.Problems, p)
	}
	r.Project.PrintSkippedRow(p)
}

// ImportJudgeReplies takes a file of a judge's replies.
func ImportJudgeReplies(ctx context.Context, st *store.Store, in *RowCounter) error {
	runs, err := facts.NewNamedRunSet(st, in.Sum.Dataset, nil)
	if err != nil {
		return err
	}
	fact := func(row rowfile.JudgmentRow) (eval.Judgment, int, error) {
		j, err := newJudgment(st, in.Sum.Dataset, runs, row)
		j.At = in.Project.Now()
		return j, row.Line, err
	}
	return ImportFacts(ctx, in, rowfile.ReadJudgments(in.Path), fact, st.Judgments().Put)
}

func newJudgment(st *store.Store, name eval.DatasetName, runs *facts.RunSet, row rowfile.JudgmentRow) (eval.Judgment, error) {
	var none eval.Judgment
	s, err := st.Datasets().SampleByID(name, row.Sample)
	if err != nil {
		return none, err
	}
	run, err := runs.FindRunOrOnly(row.Model, row.Run)
	if err != nil {
		return none, err
	}
	k := eval.Key{Run: run, Sample: s.Ordinal, Pass: row.Pass}
	p, err := st.Runs().Prediction(k)
	if err != nil {
		return none, fmt.Errorf("sample %s pass %d has no prediction in run %d", row.Sample, row.Pass, run)
	}
	if err := CheckChoiceOffered(p.ShownQuestion(&s), s.Kind, row.Choice); err != nil {
		return none, err
	}
	return eval.Judgment{
		Key: k, Judge: row.Judge, Raw: row.Raw, Confidence: row.Confidence, Call: eval.Call{Prompt: row.Prompt},
		Extraction: eval.Extraction{Choice: row.Choice, Status: row.Status, Method: "judge"},
	}, nil
}

// ImportExternalScores takes a file of scores that were made elsewhere.
func ImportExternalScores(ctx context.Context, a *project.Project, st *store.Store, path string) error {
	in, at, taken := NewRowCounter(a, "", path), a.Now(), OnceByKey[[3]string]{}
	fact := func(r rowfile.ExternalScoreRow) (eval.ExternalScore, int, error) {
		r.File, r.At = filepath.Base(path), at
		return r.ExternalScore, r.Line, taken.NoteFirstLine([3]string{r.Benchmark, r.Model, r.Metric}, r.Line, "%s of %s on %s", r.Metric, r.Model, r.Benchmark)
	}
	err := ImportFacts(ctx, in, rowfile.ReadExternalScores(path), fact, func(ctx context.Context, all []eval.ExternalScore) (int, error) {
		added, revised, err := st.ExternalScores().Put(ctx, all)
		in.Sum.Revised += len(revised)
		in.Sum.Added -= len(revised) // they are counted apart
		for _, r := range revised {
			_, _ = fmt.Fprintf(a.Err, "%s of %s on %s: %s takes the place of %s\n", cli.EscapeControls(r.To.Metric), cli.EscapeControls(r.To.Model), cli.EscapeControls(r.To.Benchmark),
				cli.EscapeControls(describeExternalScore(&r.To)), cli.EscapeControls(describeExternalScore(&r.From)))
		}
		return added, err
	})
	if err != nil {
		return fmt.Errorf("import scores: %w", err)
	}
	if err := PrintRowsImported(a, in.Sum); err != nil || in.Sum.Read > 0 || in.Sum.Skipped == 0 {
		return err
	}
	return fmt.Errorf("import scores: no row of %s can be taken", filepath.Base(path))
}

func describeExternalScore(m *eval.ExternalScore) string {
	out := strconv.FormatFloat(m.Value, 'g', -1, 64) + eval.Either(m.N > 0, " of "+cli.FormatCount(m.N, "item"), "")
	return out + " (" + m.Source + ")"
}

// WriteExternalScores writes such scores, with their revisions if asked for.
func WriteExternalScores(ctx context.Context, st *store.Store, w io.Writer, format string, revisions bool) ([]string, error) {
	all := eval.Either(revisions, st.ExternalScores().All(ctx), st.ExternalScores().Current(ctx))
	columns := []string{"benchmark", "model", "metric", "value", "source", "n", "revision", "file", "at"}
	return WriteTable(w, format, columns, func(t *tablefile.Table) error {
		return eval.EachRead(all, func(m eval.ExternalScore) error {
			return t.Write([]any{m.Benchmark, m.Model, m.Metric, m.Value, m.Source, export.CellOrNil(m.N), m.Revision, m.File, export.FormatTimestamp(m.At)})
		})
	})
}
