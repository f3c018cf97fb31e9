package rowfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
	"concord/eval/dataset/problem"
	"concord/eval/dataset/profile"
)

// Rating is one row of a long table: what a rater gave to an item. Value is ""
// where the cell is empty: a rating that is not there.
type Rating struct {
	Line               int
	Item, Rater, Value string
}

// RatingColumns are the names of the columns that hold it.
type RatingColumns struct{ Item, Rater, Value string }

// valueLimit bounds a value: a class is a short text.
const valueLimit = 1 << 10

// ReadRatings reads a long table in any table format, or JSON, from a stream,
// whose name stands in problems and, by its ending, for the format where the
// content leaves it open. Cells are text without the white space around it:
// 1 and "1" are one class, 1 and 1.0 are two. A row that cannot be taken comes
// as a *problem.Problem, and the rows go on; any other error is the last.
func ReadRatings(in io.Reader, name string, c RatingColumns) iter.Seq2[Rating, error] {
	return func(yield func(Rating, error) bool) {
		src, err := profile.NewStream(in, name)
		if err != nil {
			yield(Rating{}, fmt.Errorf("read %s: %w", filepath.Base(name), err))
			return
		}
		var head *profile.Header
		for r, err := range src.Rows(context.Background()) {
			if err == nil && r.Head != head {
				head = r.Head
				if err := c.checkColumns(head.Names, src.IsTable()); err != nil {
					yield(Rating{}, fmt.Errorf("read %s: %w", filepath.Base(name), err))
					return
				}
			}
			var out Rating
			if err == nil {
				if out, err = c.readRating(&r); err != nil {
					err = problem.NewAt(name, r.Line, "%s", err)
				}
			}
			if !yield(out, err) {
				return
			}
		}
		if head == nil && src.File.Header() != nil { // a header alone
			if err := c.checkColumns(src.File.Header(), true); err != nil {
				yield(Rating{}, fmt.Errorf("read %s: %w", filepath.Base(name), err))
			}
		}
	}
}

// checkColumns looks for the columns in a table's header. Names that stand there
// twice would leave open which is meant.
func (c RatingColumns) checkColumns(names []string, table bool) error {
	for _, n := range []string{c.Item, c.Rater, c.Value} {
		first := slices.Index(names, n)
		switch {
		case first < 0 && table:
			return fmt.Errorf("there is no column %.60q: there are %.200s", n, strings.Join(names, ", "))
		case first >= 0 && slices.Contains(names[first+1:], n):
			return fmt.Errorf("there are two columns %.60q", n)
		}
	}
	return nil
}

func (c RatingColumns) readRating(row *profile.Row) (Rating, error) {
	out := Rating{Line: row.Line, Item: row.Get(c.Item), Rater: row.Get(c.Rater), Value: row.Get(c.Value)}
	switch {
	case out.Item == "":
		return out, fmt.Errorf("the row has no %s", c.Item)
	case out.Rater == "":
		return out, fmt.Errorf("the row has no %s", c.Rater)
	case len(out.Item) > valueLimit || len(out.Rater) > valueLimit || len(out.Value) > valueLimit:
		return out, fmt.Errorf("a cell of more than %d bytes is neither a name nor a class", valueLimit)
	}
	return out, nil
}

// ExternalScoreRow is a score that was measured elsewhere, as a file states it.
type ExternalScoreRow struct {
	Line int
	eval.ExternalScore
}

// ReadMeasures reads JSON lines, a JSON array, CSV, TSV or xlsx with the columns
// benchmark, model, metric, value and source, and optionally n. A value is a
// number, or one with a percent sign behind it. A line that cannot be taken comes
// as a *problem.Problem, and the rows go on; any other error is the last.
func ReadMeasures(path string) iter.Seq2[ExternalScoreRow, error] {
	return readTable(path, []string{"benchmark", "model", "metric", "value", "source"}, func(c *rowReader) ExternalScoreRow {
		out := ExternalScoreRow{Line: c.Line}
		for i, to := range []*string{&out.Benchmark, &out.Model, &out.Metric, &out.Source} {
			column := [...]string{"benchmark", "model", "metric", "source"}[i]
			switch *to = c.Get(column); {
			case *to == "":
				c.setError("the row has no %s", column)
			case len(*to) > valueLimit:
				c.setError("a %s of more than %d bytes is no name", column, valueLimit)
			}
		}
		if c.err == nil {
			out.Value, c.err = parseMeasured(c.Get("value"))
		}
		if c.err == nil {
			out.N, c.err = parseItems(c.Get("n"))
		}
		return out
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
