package export

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"time"

	"concord/eval"
	"concord/eval/dataset/profile"
	"concord/eval/dataset/tablefile"
)

// PredictionRow is a prediction with its question, as an export shows it:
// options and answer as they stood in that pass.
type PredictionRow struct {
	Dataset    eval.DatasetName
	Run        eval.RunID
	Model      string
	Modality   eval.Modality
	Strategy   eval.Strategy
	Sample     eval.SampleID
	Pass       eval.Pass
	Split      string
	Taxonomy   []string
	Question   string
	Options    []eval.Option
	Answer     eval.Choice
	Prediction string
	Reasoning  string
	Failure    *eval.Failure
	Finish     string
	Served     string
	Usage      eval.Usage
	Tokens     []eval.Token
	Latency    time.Duration
	At         time.Time
	Reading    eval.Extraction
	Rules      string // by which it is read, name@version; "": they do not read it
	Sent       eval.Sent
	Settings   any // how the run asked, as JSON; nil for an imported one
}

// The columns of an export before and behind the options. Index is there so
// that the kit, and an import, read the file back: the sample's id, moved by
// the pass in the circular layout.
var (
	columnsBefore = []string{
		"index", "sample", "pass", "dataset", "run", "model", "modality", "strategy", "split", "taxonomy", "question",
	}
	columnsBehind = []string{
		"answer", "prediction", "failure", "choice", "status", "method", "correct",
		"reasoning", "finish", "served", "prompt_tokens", "completion_tokens", "reasoning_tokens", "latency_ms", "at",
		"images", "images_lacking", "shots", "prompt", "params", "settings", "rules", "cached_tokens", "logprobs",
	}
)

// WritePredictions writes rows in one of TableFormats, one at a time. JSON
// lines hold the options as an object; the other formats have a column for
// each of the letters, as benchmarks' own files do. The warnings say what the
// format could not hold.
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

// optionCells is the options as cells: one object without letters, else the text
// of each letter.
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
	}, FormatSentCells(r.Sent), []any{CellOrNil(r.Sent.Prompt), CellOrNil(r.Sent.Params), r.Settings, CellOrNil(r.Rules), CellOrNil(r.Usage.Cached), r.logProbsCell()})
}

// FormatSentCells gives how many images a call sent, how many were lacking, and how
// many worked examples went along; nil where it is not known.
func FormatSentCells(s eval.Sent) []any {
	return eval.Either(s.Known, []any{s.Images, s.Lacking, s.Shots}, []any{nil, nil, nil})
}

// logProbsCell gives each token with the logarithm of its probability; nil where they
// are not known.
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
func CellOrNil[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

// ListOrNil is a list as a cell; nil for one without anything in it.
func ListOrNil[T any](all []T) any {
	return eval.Either[any](len(all) == 0, nil, all)
}

// FormatTimestamp writes a time as a cell; nil for none.
func FormatTimestamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// formatRowIndex writes the id of a row in the circular layout: a number, where the
// benchmark's ids are numbers.
func formatRowIndex(id eval.SampleID, pass eval.Pass) any {
	n, err := strconv.Atoi(string(id))
	if err != nil || strconv.Itoa(n) != string(id) {
		return string(id)
	}
	return n + int(pass)*profile.PassOffset
}

// objectOrNil is a list as an object of names and values; nil for one without anything
// in it.
func objectOrNil[T any, K comparable](all []T, of func(T) (K, string)) any {
	return eval.Either[any](len(all) == 0, nil, eval.Index(all, of))
}
