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
	"time"

	"concord/eval"
	"concord/eval/dataset/column"
	"concord/eval/dataset/problem"
	"concord/eval/dataset/profile"
)

// LabelRow is a person's reading of a prediction as a file states it.
type LabelRow struct {
	Line         int
	Sample       eval.SampleID
	Pass         eval.Pass
	Model        string // "" when the file names none
	Run          int    // its number, as exports write it; 0: not given
	Annotator    string
	Status       eval.Status // Found, None, Ambiguous or Refused; unset with a score
	Choice       eval.Choice // exactly with Found: a letter as shown in that pass, yes or no
	Score        int         // 1 to eval.TopScore, in place of a status; 0: none
	Confidence   float64     // in (0, 1]; 0: not given
	Reason, Note string
	At           time.Time // zero: not given
	Informed     bool      // given after the machine's reading was shown
	Guideline    int       // the version that it was made under; 0: not given
	Ruling       bool      // an adjudicator's, which is no label
	Drawn        string    // the cell of the column that says how likely it was drawn, as written
	Cause        string    // of a ruling, as written: who was right; "": not given
	Label        string    // the word of a choice of a label set of the user's own; "": not given
	Tags         []string  // of the item
}

// JudgmentRow is a judge model's reading of a prediction as a file states it.
type JudgmentRow struct {
	Line        int
	Sample      eval.SampleID
	Pass        eval.Pass
	Model       string
	Run         int // as of a LabelRow
	Judge       string
	Status      eval.Status // Found, None, Ambiguous, Refused or Missing
	Choice      eval.Choice // exactly with Found
	Raw, Prompt string

	Confidence float64 // in (0, 1]; 0: not given
}

// ReadLabels reads labels from JSON lines, a JSON array, CSV or TSV with the
// columns sample, pass, model, annotator, choice (or score), confidence, reason,
// note, at, informed, guideline, act (label, or ruling with a cause), label and tags. A line that cannot be taken comes as a *problem.Problem, and the rows go
// on; any other error is the last. Drawn is the column that says how likely each item
// of a sample was drawn; "": none.
func ReadLabels(path, drawn string) iter.Seq2[LabelRow, error] {
	needed := eval.Select([]string{"sample", "annotator", "choice|score", drawn}, func(column string) bool { return column != "" })
	return readParsedRows(path, needed, func(c *rowReader) LabelRow {
		out := LabelRow{Line: c.Line, Model: c.Get("model"), Run: c.readRunNumber(), Annotator: c.readRequiredText("annotator"), Reason: c.Get("reason"), Note: c.Get("note"), Label: c.Get("label")}
		for tag := range strings.SplitSeq(c.Get("tags"), ",") {
			if tag = strings.TrimSpace(tag); tag != "" && !slices.Contains(out.Tags, tag) {
				out.Tags = append(out.Tags, tag)
			}
		}
		if drawn != "" {
			out.Drawn = c.Get(drawn)
		}
		out.Sample, out.Pass = c.readSampleAndPass()
		out.readChoiceOrScore(c)
		if out.Ruling = c.isAdjudicatorsAct("label"); out.Ruling {
			out.Cause = c.Get("cause")
		}
		out.Confidence, out.At, out.Informed, out.Guideline = c.readPositiveShare("confidence"), c.readTime(), c.readBool("informed"), c.readVersion("guideline")
		return out
	})
}

// ReadKnownAnswers reads known answers from the same kinds of files, of which it
// takes the columns sample, pass, model and choice (or score).
func ReadKnownAnswers(path string) iter.Seq2[LabelRow, error] {
	return readParsedRows(path, []string{"sample", "choice|score"}, func(c *rowReader) LabelRow {
		out := LabelRow{Line: c.Line, Model: c.Get("model"), Run: c.readRunNumber()}
		out.Sample, out.Pass = c.readSampleAndPass()
		out.readChoiceOrScore(c)
		return out
	})
}

// readChoiceOrScore reads the choice or the score.
func (r *LabelRow) readChoiceOrScore(c *rowReader) {
	choice, score := c.Get("choice"), c.ID(c.ColumnIndex("score"))
	switch {
	case choice != "" && score != "":
		c.setError("the row has a choice and a score")
	case choice == "" && score == "":
		c.setError("the row has no choice")
	case score == "":
		r.Choice, r.Status = c.readChoiceOrStatus()
	default:
		r.Score = c.readInt("score", 1, eval.TopScore, fmt.Sprintf("no number from 1 to %d", eval.TopScore))
	}
}

// ReadJudgments reads judgments from the same kinds of files, with the
// columns sample, pass, model, judge, choice, confidence, raw and prompt. An empty choice
// is a reply from which the judge's reader read nothing.
func ReadJudgments(path string) iter.Seq2[JudgmentRow, error] {
	return readParsedRows(path, []string{"sample", "judge", "choice"}, func(c *rowReader) JudgmentRow {
		out := JudgmentRow{Line: c.Line, Model: c.Get("model"), Run: c.readRunNumber(), Judge: c.readRequiredText("judge"), Raw: c.RawText("raw"), Prompt: c.Get("prompt")}
		out.Sample, out.Pass = c.readSampleAndPass()
		out.Choice, out.Status = c.readChoiceOrStatus()
		out.Confidence = c.readPositiveShare("confidence")
		return out
	})
}

// readSampleAndPass reads which prediction the row is about.
func (c *rowReader) readSampleAndPass() (eval.SampleID, eval.Pass) {
	id := c.ID(c.ColumnIndex("sample"))
	if id == "" {
		c.setError("the row names no sample")
	}
	return eval.SampleID(id), eval.Pass(c.readInt("pass", 0, 25, "no number from 0 to 25"))
}

// readRunNumber reads the number of a run. What is no number, as a name that another tool gave, is none.
func (c *rowReader) readRunNumber() int {
	n, _ := strconv.Atoi(c.ID(c.ColumnIndex("run")))
	return n
}

// readChoiceOrStatus reads a letter, yes or no, or the name of a status. Whether the
// letter is an option of the sample is for the caller to know.
func (c *rowReader) readChoiceOrStatus() (eval.Choice, eval.Status) {
	text := c.Get("choice")
	switch t := strings.ToLower(text); {
	case t == "":
		return "", eval.Missing
	case t == string(eval.Yes) || t == string(eval.No):
		return eval.Choice(t), eval.Found
	case column.IsOptionLetter(strings.ToUpper(text)):
		return eval.Choice(strings.ToUpper(text)), eval.Found
	default:
		s, err := eval.ParseStatus(t)
		if err != nil || s == eval.Found {
			c.setError("choice %.20q is neither a letter nor none, ambiguous or refused", text)
		}
		return "", s
	}
}

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

// ReadRatings reads a long table in any table format, or JSON, from a stream, whose name stands in
// problems and, by its ending, for the format where the content leaves it open. Cells are text without
// the white space around it: 1 and "1" are one class, 1 and 1.0 are two. A row that cannot be taken
// comes as a *problem.Problem, and the rows go on; any other error is the last.
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
				if err := c.requireColumns(head.Names, src.HasOneHeader()); err != nil {
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
			if err := c.requireColumns(src.File.Header(), true); err != nil {
				yield(Rating{}, fmt.Errorf("read %s: %w", filepath.Base(name), err))
			}
		}
	}
}

// requireColumns looks for the columns in a table's header. A name twice would leave open which is meant.
func (c RatingColumns) requireColumns(names []string, table bool) error {
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

// ReadExternalScores reads JSON lines, a JSON array, CSV, TSV or xlsx with the columns benchmark, model, metric,
// value and source, and optionally n. A value is a number, or one with a percent sign behind it. A line
// that cannot be taken comes as a *problem.Problem, and the rows go on; any other error is the last.
func ReadExternalScores(path string) iter.Seq2[ExternalScoreRow, error] {
	return readParsedRows(path, []string{"benchmark", "model", "metric", "value", "source"}, func(c *rowReader) ExternalScoreRow {
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
			out.Value, c.err = parseMeasuredValue(c.Get("value"))
		}
		if c.err == nil {
			out.N, c.err = parseItemCount(c.Get("n"))
		}
		return out
	})
}

// parseMeasuredValue reads a decimal number, with or without a percent sign.
func parseMeasuredValue(cell string) (float64, error) {
	if cell == "" {
		return 0, errors.New("the row has no value")
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(cell, "%")), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || strings.ContainsAny(cell, "xX_") {
		return 0, fmt.Errorf("value %.20q is no number", cell)
	}
	return v, nil
}

// parseItemCount reads over how many items it was measured; a table may write a whole number as 1500.0.
func parseItemCount(cell string) (int, error) {
	if cell == "" {
		return 0, nil
	}
	n, err := strconv.ParseFloat(cell, 64)
	if err != nil || !(n >= 1 && n < 1<<31) || n != math.Trunc(n) {
		return 0, fmt.Errorf("n %.20q is no number of items", cell)
	}
	return int(n), nil
}
