package rowfile

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"

	"concord/eval"
)

// MeasureRow is a score that was measured elsewhere, as a file states it.
type MeasureRow struct {
	Line int
	eval.Measure
}

// ReadMeasures reads JSON lines, a JSON array, CSV, TSV or xlsx with the columns
// benchmark, model, metric, value and source, and optionally n. A value is a
// number, or one with a percent sign behind it. A line that cannot be taken comes
// as a *problem.Problem, and the rows go on; any other error is the last.
func ReadMeasures(path string) iter.Seq2[MeasureRow, error] {
	return readTable(path, []string{"benchmark", "model", "metric", "value", "source"}, func(c columns) (MeasureRow, error) {
		out := MeasureRow{Line: c.Line}
		for _, part := range []struct {
			name string
			to   *string
		}{{"benchmark", &out.Benchmark}, {"model", &out.Model}, {"metric", &out.Metric}, {"source", &out.Source}} {
			switch *part.to = c.Get(part.name); {
			case *part.to == "":
				return out, fmt.Errorf("the row has no %s", part.name)
			case len(*part.to) > valueLimit:
				return out, fmt.Errorf("a %s of more than %d bytes is no name", part.name, valueLimit)
			}
		}
		var err error
		if out.Value, err = parseMeasured(c.Get("value")); err != nil {
			return out, err
		}
		out.N, err = parseItems(c.Get("n"))
		return out, err
	})
}

// parseMeasured reads a decimal number, with or without a percent sign.
func parseMeasured(cell string) (float64, error) {
	if cell == "" {
		return 0, errors.New("the row has no value")
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(cell, "%")), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || strings.ContainsAny(cell, "xX_") {
		return 0, fmt.Errorf("value %.20q is no number", cell)
	}
	return v, nil
}

// parseItems reads over how many items something was measured; a table may
// write the whole number as 1500.0.
func parseItems(cell string) (int, error) {
	if cell == "" {
		return 0, nil
	}
	n, err := strconv.ParseFloat(cell, 64)
	if err != nil || !(n >= 1 && n < 1<<31) || n != math.Trunc(n) {
		return 0, fmt.Errorf("n %.20q is no number of items", cell)
	}
	return int(n), nil
}
