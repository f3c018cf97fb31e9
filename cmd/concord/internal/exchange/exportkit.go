package exchange

import (
	"context"
	"fmt"
	"io"
	"iter"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/dataset/export"
	"concord/eval/metric"
	"concord/store"
)

// Layouts are the files of other tools that export predictions can write, as
// --layout names them.
var Layouts = map[string]export.KitLayout{
	"kit":         export.KitPredictions,
	"submission":  export.KitSubmission,
	"kit-results": export.KitResults,
	layoutAcc:     export.KitResults,
	layoutScore:   export.KitResults,
}

// The kit's accuracies, and its scores of MME: CSV files whatever the format.
const (
	layoutAcc   = "kit-acc"
	layoutScore = "kit-score"
)

// ExportKit writes one run in a layout of VLMEvalKit.
func ExportKit(ctx context.Context, st *store.Store, w io.Writer, f *ExportFlags, reader eval.Reader) ([]string, error) {
	runs, err := facts.MatchRuns(st, f.Dataset, f.Model, f.Runs)
	if err != nil {
		return nil, err
	}
	if len(runs) != 1 {
		return nil, cli.NewUsageError(fmt.Errorf("a file of that layout holds one run, and %d pass the filters: name one with --run", len(runs)))
	}
	of, err := st.Datasets().Dataset(runs[0].Config.Dataset)
	if err != nil {
		return nil, err
	}
	columns := export.KitColumns{Circular: runs[0].Config.Strategy == eval.Circular, Coarse: of.Coarse}
	for s, err := range st.Datasets().Samples(ctx, runs[0].Config.Dataset) {
		if err != nil {
			return nil, err
		}
		if f.Split == "" || s.Split == f.Split {
			columns.AddSample(&s)
		}
	}
	layout := Layouts[f.Layout]
	open := 0
	rows := readKitRows(ctx, st, f, runs[0], reader, &open)
	var warnings []string
	switch f.Layout {
	case layoutAcc:
		err = export.WriteKitAccuracy(w, rows)
	case layoutScore:
		warnings, err = export.WriteKitScores(w, rows)
	default:
		warnings, err = export.WriteKit(w, f.Format, layout, &columns, rows)
	}
	if open > 0 {
		warnings = append(warnings, cli.FormatCount(open, "question")+" without an answer in some pass: the file has no rows for those")
	}
	return warnings, err
}

// readKitRows reads the predictions of a run: of every pass, or, of results, of
// each question with its verdict. It counts questions that are open: passes are
// missing, and none of those that are there is wrong.
func readKitRows(ctx context.Context, st *store.Store, f *ExportFlags, run eval.Run, reader eval.Reader, open *int) iter.Seq2[export.KitRow, error] {
	scheme := metric.Scheme{Run: run, Rules: reader}
	results := Layouts[f.Layout] == export.KitResults
	return func(yield func(export.KitRow, error) bool) {
		of, err := st.Datasets().Dataset(run.Config.Dataset)
		if err != nil {
			yield(export.KitRow{}, err)
			return
		}
		for q, err := range st.Runs().Questions(ctx, run) {
			if err != nil {
				yield(export.KitRow{}, err)
				return
			}
			if f.Split != "" && q.Sample.Split != f.Split {
				continue
			}
			if lacksPasses(&q, run) && scheme.Decide(&q).Circular != metric.NotRight {
				*open++
			}
			for i := range q.Predictions {
				row := newKitRow(&q.Sample, &q.Predictions[i])
				row.Coarse = of.Coarse
				if results {
					if row.Pass != 0 { // the kit takes the question from its base row
						continue
					}
					setKitVerdict(&row, &scheme, &q)
				}
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

func lacksPasses(q *eval.Question, run eval.Run) bool {
	passes := 1
	if run.Config.Strategy == eval.Circular {
		passes = q.Sample.PassCount()
	}
	return len(q.Predictions) < passes
}

func newKitRow(s *eval.Sample, p *eval.Prediction) export.KitRow {
	return export.KitRow{Sample: *s, Pass: p.Pass, Shown: p.ShownQuestion(s), Prediction: p.Text, Failed: p.Failure != nil}
}

// setKitVerdict is hit or miss by the run's strategy, and what was read in each
// pass.
func setKitVerdict(row *export.KitRow, scheme *metric.Scheme, q *eval.Question) {
	o := scheme.Decide(q)
	row.Scored, row.Hit = o.Circular.IsDecided(), o.Circular == metric.Right
	row.Log = fmt.Sprintf("%s by %s:", o.Circular, eval.ReaderID(scheme.Rules))
	for _, r := range o.Readings {
		read := r.Combined.Status.String()
		switch {
		case r.Failed:
			read = "failed"
		case r.Combined.IsFound():
			read = string(r.Combined.Choice)
			if r.Pass == 0 {
				row.Said = r.Combined.Choice
			}
		}
		row.Log += fmt.Sprintf(" pass %d answer %s read %s;", r.Pass, r.Answer, read)
	}
}
