package accuracy

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
)

// MeasureRow is a score that was measured elsewhere, as its source prints it: the
// predictions behind it are somebody else's.
type MeasureRow struct {
	report.ForEveryone
	report.NoKeys
	External  bool    `json:"external"` // always: what was measured here is another row
	Benchmark string  `json:"benchmark"`
	Model     string  `json:"model"`
	Metric    string  `json:"metric"`
	Value     float64 `json:"value"`
	N         int     `json:"n,omitempty"` // not told by every source
	Source    string  `json:"source"`
	File      string  `json:"file,omitempty"`
}

// external are the measures that the options ask for: none where they name
// runs, which these are not.
func external(ctx context.Context, facts report.Facts, o *report.Options) ([]*MeasureRow, error) {
	if len(o.Runs) > 0 {
		return nil, nil
	}
	var out []*MeasureRow
	for m, err := range facts.Measures(ctx) {
		if err != nil {
			return nil, fmt.Errorf("read scores measured elsewhere: %w", err)
		}
		if o.Dataset != "" && string(o.Dataset) != m.Benchmark || o.Model != "" && o.Model != m.Model {
			continue
		}
		out = append(out, &MeasureRow{
			External: true, Benchmark: m.Benchmark, Model: m.Model, Metric: m.Metric, Value: m.Value, N: m.N, Source: m.Source, File: m.File,
		})
	}
	return out, nil
}

// externalNote says whose word the marked figures are.
func externalNote(rows []*MeasureRow) string {
	return table.Dagger + " measured elsewhere: " + strings.Join(sources(rows), "; ") + "."
}

// sources are those of the rows, each once.
func sources(rows []*MeasureRow) []string {
	var out []string
	for _, r := range rows {
		out = append(out, r.Source)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Columns names the columns of the lines that Lines gives.
func (r *MeasureRow) Columns() []table.Column { return (*BaselinesRow)(nil).Columns() }

// Lines stand among those of BaselinesRow.
func (r *MeasureRow) Lines() [][]table.Cell {
	return [][]table.Cell{{
		table.Blank(), table.Text(r.Benchmark), table.Blank(), table.Text(r.Model), table.Blank(), table.Text("external"), table.Blank(), table.Text(r.Metric),
		table.Blank(), r.cell(), table.Blank(), table.Blank(), table.Text(r.Source),
	}}
}

func (r *MeasureRow) cell() table.Cell { return table.External(r.Value, r.N) }

// cellIn is the score under one of the columns.
func (r *MeasureRow) cellIn(m *measure) table.Cell {
	if m.share {
		return r.cell().BesideRates()
	}
	return r.cell()
}

// byMeasure ranks by each benchmark's metric that was measured elsewhere, as
// all metrics of the papers are: more is better.
func byMeasure(rows []*MeasureRow) []*report.Ranking {
	var out []*report.Ranking
	for _, m := range rows {
		r := report.Collect(&out, report.Ranking{
			Name: m.Benchmark + ", " + m.Metric + " (external)", Kind: "external", Dataset: eval.DatasetName(m.Benchmark),
		})
		r.Values[m.Model] = m.Value
		if !slices.Contains(r.Sources, m.Source) {
			r.Sources = append(r.Sources, m.Source)
		}
	}
	return out
}

// elsewhere are the columns that only scores measured elsewhere have, beside
// those of all.
func elsewhere(all []measure, ext []*MeasureRow) []measure {
	var out []measure
	for _, r := range ext {
		if r.column(slices.Concat(all, out)) < 0 {
			out = append(out, measure{dataset: eval.DatasetName(r.Benchmark), split: report.AllSplits, name: r.Metric})
		}
	}
	return out
}

// column is the place of the column that is of the benchmark and the metric by
// name, be it of the dataset's only split; -1 where there is none.
func (r *MeasureRow) column(all []measure) int {
	at := slices.IndexFunc(all, func(m measure) bool { return strings.EqualFold(m.title(), r.Benchmark+" "+r.Metric) })
	if at >= 0 {
		return at
	}
	for i, m := range all {
		switch {
		case !strings.EqualFold(string(m.dataset), r.Benchmark) || !strings.EqualFold(m.name, r.Metric):
		case at >= 0:
			return -1 // of several splits
		default:
			at = i
		}
	}
	return at
}

// fill gives a line of runs with pictures the figures of its model that were
// measured elsewhere and that it has no run for, and leaves the others.
func (b beside) fill(cells []table.Cell, all []measure, ext []*MeasureRow) (rest []*MeasureRow) {
	for _, r := range ext {
		at := r.column(all)
		if r.Model != b[0].Model || b[0].Modality != eval.WithImage.String() ||
			all[at].figure != nil && slices.ContainsFunc(b, all[at].of) || cells[at].External() {
			rest = append(rest, r)
			continue
		}
		cells[at] = r.cellIn(&all[at])
	}
	return rest
}

// externalLines are the figures of each model under the columns, behind the four
// that name a line.
func externalLines(ext []*MeasureRow, all []measure) [][]table.Cell {
	var models []string
	lines := make(map[string][]table.Cell)
	for _, r := range ext {
		line := lines[r.Model]
		if line == nil {
			models = append(models, r.Model)
			line = append([]table.Cell{table.Text(r.Model), table.Blank(), table.Blank(), table.Text("external")}, make([]table.Cell, len(all))...)
			lines[r.Model] = line
		}
		at := r.column(all)
		line[4+at] = r.cellIn(&all[at])
	}
	slices.Sort(models)
	out := make([][]table.Cell, len(models))
	for i, m := range models {
		out[i] = lines[m]
	}
	return out
}
