package dataset

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	"concord/eval"
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
	Failure    *eval.Failure
	Reading    eval.Extraction
}

// predictionColumns are the columns of an export without the options.
// Index is there so that the kit, and an import, read the file back: the
// sample's id, moved by the pass in the circular layout.
var predictionColumns = []string{
	"index", "sample", "pass", "dataset", "run", "model", "modality", "strategy", "split", "taxonomy",
	"question", "options", "answer", "prediction", "failure", "choice", "status", "method",
}

// WritePredictions writes rows in one of TableFormats, one at a time. The
// warnings say what the format could not hold.
func WritePredictions(w io.Writer, format string, rows iter.Seq2[PredictionRow, error]) (warnings []string, err error) {
	t, err := NewTable(w, format, predictionColumns)
	if err != nil {
		return nil, err
	}
	for r, err := range rows {
		if err == nil {
			err = t.Write(r.cells())
		}
		if err != nil {
			_, closeErr := t.Close()
			return nil, errors.Join(fmt.Errorf("write predictions: %w", err), closeErr)
		}
	}
	return t.Close()
}

func (r *PredictionRow) cells() []any {
	var failure any
	if r.Failure != nil {
		failure = r.Failure.Error()
	}
	var prediction any = r.Prediction
	if r.Failure != nil {
		prediction = nil // a call that failed has no answer, not an empty one
	}
	return []any{
		index(r.Sample, r.Pass), string(r.Sample), int(r.Pass), string(r.Dataset), int(r.Run), r.Model, r.Modality.String(), r.Strategy.String(),
		r.Split, r.Taxonomy, r.Question, optionMap(r.Options), string(r.Answer), prediction, failure,
		string(r.Reading.Choice), r.Reading.Status.String(), r.Reading.Method,
	}
}

// index writes the id of a row in the circular layout: a number, where the
// benchmark's ids are numbers.
func index(id eval.SampleID, pass eval.Pass) any {
	n, err := strconv.Atoi(string(id))
	if err != nil || strconv.Itoa(n) != string(id) {
		return string(id)
	}
	return n + int(pass)*offset
}

// optionMap is the options by letter; nil without any.
func optionMap(options []eval.Option) any {
	if len(options) == 0 {
		return nil
	}
	out := make(map[eval.Choice]string, len(options))
	for _, o := range options {
		out[o.Letter] = o.Text
	}
	return out
}
