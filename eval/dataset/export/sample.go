package export

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"time"

	"concord/eval"
	"concord/eval/dataset/column"
	"concord/eval/dataset/profile"
	"concord/eval/dataset/rowfile"
	"concord/eval/dataset/tablefile"
)

// SampleRow is a sample as an export of its dataset shows it. Pictures are the bytes of the
// sample's pictures, in their order; nil for one that the project does not hold.
type SampleRow struct {
	Sample   eval.Sample
	Pictures [][]byte
	Criteria []rowfile.CriterionCell
	Written  bool // there are criteria, perhaps none of them
}

// SampleExport says how a dataset is written.
type SampleExport struct {
	Format  string        // one of TableFormats
	Letters []eval.Choice // of all options: the columns of a table
	Public  bool          // without what tells a good answer: answers, references, criteria
	Axes    bool          // paths are of a capability and an axis, which MMStar's columns hold
	Several bool          // samples have several pictures: what parquet has to know before
	Largest int           // bytes of the largest sample's pictures together: what a workbook has to know before
}

// WriteSamples writes a dataset in the layout of the benchmarks' own files: one row for each sample as it is asked in
// pass 0, pictures as base64, or as the index of the row that has the same one. Import reads it back. A public file
// has no column for answers and criteria at all. The warnings say what the format could not hold.
func WriteSamples(w io.Writer, o SampleExport, rows iter.Seq2[SampleRow, error]) (warnings []string, err error) {
	if o.Format == tablefile.JSONL || len(o.Letters) == 0 {
		o.Letters = nil
	}
	pictures := eval.Either(o.Several, tablefile.ManyPictures, tablefile.OnePicture)
	t, err := tablefile.NewWithPictures(w, o.Format, o.columnNames(), pictures)
	if err != nil {
		return nil, err
	}
	t.KeepFormulas()
	out := sampleWriter{o: o, shown: make(map[eval.PictureHash]eval.SampleID)}
	return writeRows(t, "samples", rows, out.formatCells)
}

// columnNames has the path of the taxonomy whole, and its fine end as VLMEvalKit calls it (MMBench's columns, or
// MMStar's). The column of options keeps an import from looking for options within the questions.
func (o *SampleExport) columnNames() []string {
	out := slices.Concat([]string{"index", "question", "hint"}, listOptionColumns(o.Letters))
	if !o.Public {
		out = append(out, "answer", column.References, column.Metric, column.Groups, column.Also, "kind") // the kind tells a truth of yes from a reference
	}
	second := eval.Either(o.Axes, "l2_category", "l2-category") // MMStar's is finer than category
	out = append(out, "taxonomy", "category", second, profile.ColumnType, "split", "source", "image_path")
	if !o.Public {
		out = append(out, "criteria")
	}
	out = append(out, "image")
	for i := 2; i <= o.countPictureCells(); i++ {
		out = append(out, fmt.Sprintf("%s(%d)", tablefile.ImageRest, i))
	}
	return out
}

// countPictureCells counts how many cells of a workbook the largest pictures need.
func (o *SampleExport) countPictureCells() int {
	if o.Format != tablefile.XLSX {
		return 1
	}
	const around = 64 // of each picture in a list: quotes, comma, padding
	text := base64.StdEncoding.EncodedLen(o.Largest) + around
	if o.Several {
		text += around * maxPictures
	}
	return text/tablefile.ExcelCell + 1
}

// maxPictures is how many pictures of a sample a workbook's columns are counted for.
const maxPictures = 64

type sampleWriter struct {
	o     SampleExport
	shown map[eval.PictureHash]eval.SampleID // rows that have one picture, by it
}

func (w *sampleWriter) formatCells(r *SampleRow) []any {
	s := &r.Sample
	out := []any{formatRowIndex(s.ID, 0), s.Question, s.Hint}
	row := PredictionRow{Options: s.Options}
	out = append(out, row.optionCells(w.o.Letters)...)
	if !w.o.Public {
		groups := objectOrNil(s.Groups, func(g eval.Column) (string, string) { return g.Name, g.Value })
		out = append(out, cmp.Or(string(s.Answer), s.Reference), ListOrNil(s.References), s.Metric, groups, ListOrNil(s.Also), s.Kind.String())
	}
	category, second := w.o.categoryCells(s.Taxonomy)
	out = append(out, ListOrNil(s.Taxonomy), category, second, s.Type.String(), s.Split, s.Source, w.pictureNamesCell(s))
	if !w.o.Public {
		var cs any
		if r.Written {
			cs = slices.Concat([]rowfile.CriterionCell{}, r.Criteria)
		}
		out = append(out, cs)
	}
	switch w.o.Format {
	case tablefile.XLSX:
		return append(out, w.splitImageCell(w.imageCell(r))...)
	case tablefile.Parquet:
		return append(out, w.pictureBytesCell(r))
	}
	return append(out, w.imageCell(r))
}

// categoryCells are a path in the columns category and l2-category, or l2_category.
func (o *SampleExport) categoryCells(path []string) (category, second any) {
	n := len(path)
	switch {
	case n == 0:
	case n == 1:
		category = path[0]
	case o.Axes:
		category, second = path[n-2], path[n-1]
	default:
		category, second = path[n-1], path[n-2]
	}
	return category, second
}

// splitImageCell gives the image cell cut into as many as the header has.
func (w *sampleWriter) splitImageCell(image any) []any {
	out := make([]any, w.o.countPictureCells())
	text, err := tablefile.FormatCell(image)
	if err != nil {
		return out // texts always marshal
	}
	for i := range out {
		if n := min(len(text), tablefile.ExcelCell); n > 0 {
			out[i], text = text[:n], text[n:]
		}
	}
	return out
}

func (w *sampleWriter) pictureBytesCell(r *SampleRow) any {
	out := eval.Select(r.Pictures, func(p []byte) bool { return p != nil })
	if !w.o.Several && len(out) > 1 {
		out = out[:1]
	}
	return out
}

// pictureNamesCell is what the source called the pictures; nil when it did not.
func (w *sampleWriter) pictureNamesCell(s *eval.Sample) any {
	var out []string
	for _, p := range s.Pictures {
		if p.Name == "" {
			return nil
		}
		out = append(out, p.Name)
	}
	return column.EncodeOneOrList(out)
}

// imageCell is the pictures as a cell; nil when their bytes are not there.
func (w *sampleWriter) imageCell(r *SampleRow) any {
	var out []string
	for i, p := range r.Sample.Pictures {
		if i >= len(r.Pictures) || r.Pictures[i] == nil {
			continue
		}
		one := len(r.Sample.Pictures) == 1
		if of, ok := w.shown[p.Hash]; ok && one {
			return string(of)
		}
		if one && len(r.Sample.ID) <= profile.ReferenceLimit {
			w.shown[p.Hash] = r.Sample.ID
		}
		out = append(out, base64.StdEncoding.EncodeToString(r.Pictures[i]))
	}
	return column.EncodeOneOrList(out)
}

// PredictionRow is a prediction with its question, for export: options and answer as that pass had them.
type PredictionRow struct {
	Dataset               eval.DatasetName
	Run                   eval.RunID
	Model                 string
	Modality              eval.Modality
	Strategy              eval.Strategy
	Sample                eval.SampleID
	Ordinal               eval.Ordinal // of the sample in its dataset
	Pass                  eval.Pass
	Split                 string
	Taxonomy              []string
	Question              string
	Options               []eval.Option
	Answer                eval.Choice
	Prediction, Reasoning string
	Failure               *eval.Failure
	Finish, Served        string
	Usage                 eval.Usage
	Tokens                []eval.Token
	Latency               time.Duration
	At                    time.Time
	Reading               eval.Extraction
	Rules                 string // by which it is read, name@version; "": they do not read it
	Sent                  eval.Sent
	Settings              any // how the run asked, as JSON; nil for an imported one
}

// The columns of an export before and behind the options. Index is there so that the kit, and an
// import, read the file back: the sample's id, moved by the pass in the circular layout.
var (
	columnsBefore = []string{
		"index", "sample", "pass", "dataset", "run", "model", "modality", "strategy", "split", "taxonomy", "question",
	}
	columnsBehind = []string{
		"answer", "prediction", "failure", "choice", "status", "method", "correct",
		"reasoning", "finish", "served", "prompt_tokens", "completion_tokens", "reasoning_tokens", "latency_ms", "at",
		"images", "images_lacking", "shots", "prompt", "params", "settings", "rules", "cached_tokens", "logprobs", "worker", "endpoint", "ordinal",
	}
)

// WritePredictions writes rows in one of TableFormats, one at a time. JSON lines hold the options as an
// object; the other formats have a column for each of the letters, as benchmarks' own files do. The
// warnings say what the format could not hold.
func WritePredictions(w io.Writer, format string, letters []eval.Choice, rows iter.Seq2[PredictionRow, error]) (warnings []string, err error) {
	if format == tablefile.JSONL {
		letters = nil
	}
	t, err := tablefile.New(w, format, slices.Concat(columnsBefore, listOptionColumns(letters), columnsBehind))
	if err != nil {
		return nil, err
	}
	return writeRows(t, "predictions", rows, func(r *PredictionRow) []any { return r.formatCells(letters) })
}

func writeRows[R any](t *tablefile.Table, what string, rows iter.Seq2[R, error], cells func(*R) []any) (warnings []string, err error) {
	for r, err := range rows {
		if err == nil {
			err = t.Write(cells(&r))
		}
		if err != nil {
			_, closeErr := t.Close()
			return nil, errors.Join(fmt.Errorf("write %s: %w", what, err), closeErr)
		}
	}
	return t.Close()
}

// listOptionColumns lists the columns that hold a sample's options: one for each letter
// or, without letters, one for all of them.
func listOptionColumns(letters []eval.Choice) []string {
	if letters == nil {
		return []string{"options"}
	}
	return eval.Map(letters, func(l eval.Choice) string { return string(l) })
}

// optionCells is the options as cells: one object without letters, else the text of each letter.
func (r *PredictionRow) optionCells(letters []eval.Choice) []any {
	if letters == nil {
		return []any{objectOrNil(r.Options, func(o eval.Option) (eval.Choice, string) { return o.Letter, o.Text })}
	}
	out := make([]any, len(letters))
	for _, o := range r.Options {
		if i := slices.Index(letters, o.Letter); i >= 0 {
			out[i] = o.Text
		}
	}
	return out
}

func (r *PredictionRow) formatCells(letters []eval.Choice) []any {
	var failure, prediction any = nil, r.Prediction
	if r.Failure != nil {
		failure, prediction = r.Failure.Error(), nil // a call that failed has no answer, not an empty one
	}
	before := []any{
		formatRowIndex(r.Sample, r.Pass), string(r.Sample), int(r.Pass), string(r.Dataset), int(r.Run), r.Model, r.Modality.String(), r.Strategy.String(),
		r.Split, ListOrNil(r.Taxonomy), r.Question,
	}
	return slices.Concat(before, r.optionCells(letters), []any{
		string(r.Answer), prediction, failure,
		string(r.Reading.Choice), r.Reading.Status.String(), r.Reading.Method, r.correctCell(),
		CellOrNil(r.Reasoning), CellOrNil(r.Finish), CellOrNil(r.Served), CellOrNil(r.Usage.Prompt), CellOrNil(r.Usage.Completion), CellOrNil(r.Usage.Reasoning),
		CellOrNil(r.Latency.Milliseconds()), FormatTimestamp(r.At),
	}, FormatSentCells(r.Sent), []any{CellOrNil(r.Sent.Prompt), CellOrNil(r.Sent.Params), r.Settings, CellOrNil(r.Rules), CellOrNil(r.Usage.Cached), r.logProbsCell(), CellOrNil(r.Sent.Worker), CellOrNil(r.Sent.Endpoint), int(r.Ordinal)})
}

// FormatSentCells gives how many images a call sent, how many were lacking, and how
// many worked examples went along; nil where it is not known.
func FormatSentCells(s eval.Sent) []any {
	return eval.Either(s.Known, []any{s.Images, s.Lacking, s.Shots}, []any{nil, nil, nil})
}

// logProbsCell gives each token with the logarithm of its probability; nil where they are not known.
func (r *PredictionRow) logProbsCell() any {
	if r.Tokens == nil {
		return nil
	}
	return eval.Map(r.Tokens, func(t eval.Token) any { return map[string]any{"token": t.Text, "logprob": t.LogProb} })
}

// correctCell tells whether the answer is the ground truth; nil where there is
// none, where the call failed, and for answers that the rules do not read.
func (r *PredictionRow) correctCell() any {
	if r.Failure != nil || r.Answer == "" || r.Reading.Status == eval.StatusUnset {
		return nil
	}
	return r.Reading.IsFound() && r.Reading.Choice == r.Answer
}

// CellOrNil is a value as a cell; nil for one that nobody said.
func CellOrNil[T comparable](v T) any { return eval.Either[any](v == *new(T), nil, v) }

// ListOrNil is a list as a cell; nil for one without anything in it.
func ListOrNil[T any](all []T) any { return eval.Either[any](len(all) == 0, nil, all) }

// FormatTimestamp writes a time as a cell; nil for none.
func FormatTimestamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// formatRowIndex writes the id of a row in the circular layout: a number, where the benchmark's ids are numbers.
func formatRowIndex(id eval.SampleID, pass eval.Pass) any {
	n, err := strconv.Atoi(string(id))
	if err != nil || strconv.Itoa(n) != string(id) {
		return string(id)
	}
	return n + int(pass)*profile.PassOffset
}

// objectOrNil is a list as an object of names and values; nil for one without anything in it.
func objectOrNil[T any, K comparable](all []T, of func(T) (K, string)) any {
	return eval.Either[any](len(all) == 0, nil, eval.IndexBy(all, of))
}
