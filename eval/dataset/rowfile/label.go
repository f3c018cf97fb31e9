package rowfile

import (
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"concord/eval"
	"concord/eval/dataset/column"
)

// LabelRow is a person's reading of a prediction as a file states it.
type LabelRow struct {
	Line       int
	Sample     eval.SampleID
	Pass       eval.Pass
	Model      string // "" when the file names none
	Annotator  string
	Status     eval.Status // Found, None, Ambiguous or Refused; unset with a score
	Choice     eval.Choice // exactly with Found: a letter as shown in that pass, yes or no
	Score      int         // 1 to eval.TopScore, in place of a status; 0: none
	Confidence float64     // in (0, 1]; 0: not given
	Reason     string
	Note       string
	At         time.Time // zero: not given
	Informed   bool      // given after the machine's reading was shown
	Guideline  int       // the version that it was made under; 0: not given
	Ruling     bool      // an adjudicator's, which is no label
	Drawn      string    // the cell of the column that says how likely it was drawn, as written
	Cause      string    // of a ruling, as written: who was right; "": not given
}

// JudgmentRow is a judge model's reading of a prediction as a file states it.
type JudgmentRow struct {
	Line   int
	Sample eval.SampleID
	Pass   eval.Pass
	Model  string
	Judge  string
	Status eval.Status // Found, None, Ambiguous, Refused or Missing
	Choice eval.Choice // exactly with Found
	Raw    string
	Prompt string
}

// ReadLabels reads labels from JSON lines, a JSON array, CSV or TSV with the
// columns sample, pass, model, annotator, choice (or score), confidence, reason,
// note, at, informed, guideline, and act (label, or ruling with a cause). A line that cannot be taken comes as a *problem.Problem, and the rows go
// on; any other error is the last.
func ReadLabels(path string) iter.Seq2[LabelRow, error] { return ReadDrawnLabels(path, "") }

// ReadDrawnLabels is ReadLabels of a sample whose items have a column that says
// how likely each was drawn; "": none.
func ReadDrawnLabels(path, column string) iter.Seq2[LabelRow, error] {
	needed := []string{"sample", "annotator", "choice|score"}
	if column != "" {
		needed = append(needed, column)
	}
	return readTable(path, needed, func(c columns) (out LabelRow, err error) {
		out = LabelRow{
			Line: c.Line, Model: c.Get("model"), Annotator: c.Get("annotator"),
			Reason: c.Get("reason"), Note: c.Get("note"),
		}
		if column != "" {
			out.Drawn = c.Get(column)
		}
		if out.Annotator == "" {
			return out, errors.New("the row names no annotator")
		}
		if out.Sample, out.Pass, err = c.target(); err != nil {
			return out, err
		}
		if err = out.reading(c); err != nil {
			return out, err
		}
		switch t := c.Get("act"); t {
		case "", "label":
		case "ruling", "adjudication":
			out.Ruling, out.Cause = true, c.Get("cause")
		default:
			return out, fmt.Errorf("act %.20q is neither label nor adjudication", t)
		}
		if t := c.Get("confidence"); t != "" {
			out.Confidence, err = strconv.ParseFloat(t, 64)
			if err != nil || !(out.Confidence > 0 && out.Confidence <= 1) {
				return out, fmt.Errorf("confidence %.20q is not within (0, 1]", t)
			}
		}
		if t := c.Get("at"); t != "" {
			if out.At, err = parseTime(t); err != nil {
				return out, err
			}
		}
		if t := c.Get("informed"); t != "" {
			if out.Informed, err = strconv.ParseBool(t); err != nil {
				return out, fmt.Errorf("informed %.20q is neither true nor false", t)
			}
		}
		out.Guideline, err = c.version("guideline")
		return out, err
	})
}

// version reads a whole number from 1; 0 when there is none.
func (c columns) version(column string) (int, error) {
	t := c.Get(column)
	if t == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(t, 10, 31)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%s %.20q is no number of a version", column, t)
	}
	return int(n), nil
}

// ReadAnswers reads known answers from the same kinds of files, of which it
// takes the columns sample, pass, model and choice (or score).
func ReadAnswers(path string) iter.Seq2[LabelRow, error] {
	return readTable(path, []string{"sample", "choice|score"}, func(c columns) (out LabelRow, err error) {
		out = LabelRow{Line: c.Line, Model: c.Get("model")}
		if out.Sample, out.Pass, err = c.target(); err != nil {
			return out, err
		}
		return out, out.reading(c)
	})
}

// reading reads the choice or the score.
func (r *LabelRow) reading(c columns) (err error) {
	choice, score := c.Get("choice"), c.ID(c.Column("score"))
	switch {
	case choice != "" && score != "":
		return errors.New("the row has a choice and a score")
	case choice == "" && score == "":
		return errors.New("the row has no choice")
	case score == "":
		r.Choice, r.Status, err = parseChoice(choice)
		return err
	}
	if r.Score, err = strconv.Atoi(score); err != nil || r.Score < 1 || r.Score > eval.TopScore {
		return fmt.Errorf("score %.20q is no number from 1 to %d", score, eval.TopScore)
	}
	return nil
}

// ReadJudgments reads judgments from the same kinds of files, with the
// columns sample, pass, model, judge, choice, raw and prompt. An empty choice
// is a reply from which the judge's reader read nothing.
func ReadJudgments(path string) iter.Seq2[JudgmentRow, error] {
	return readTable(path, []string{"sample", "judge", "choice"}, func(c columns) (out JudgmentRow, err error) {
		out = JudgmentRow{Line: c.Line, Model: c.Get("model"), Judge: c.Get("judge"), Raw: c.Raw("raw"), Prompt: c.Get("prompt")}
		if out.Judge == "" {
			return out, errors.New("the row names no judge")
		}
		if out.Sample, out.Pass, err = c.target(); err != nil {
			return out, err
		}
		out.Choice, out.Status, err = parseChoice(c.Get("choice"))
		return out, err
	})
}

// target reads which prediction the row is about.
func (c columns) target() (eval.SampleID, eval.Pass, error) {
	id := c.ID(c.Column("sample"))
	if id == "" {
		return "", 0, errors.New("the row names no sample")
	}
	t := c.ID(c.Column("pass"))
	if t == "" {
		return eval.SampleID(id), 0, nil
	}
	n, err := strconv.ParseUint(t, 10, 8)
	if err != nil || n > 25 {
		return "", 0, fmt.Errorf("pass %.20q is no number from 0 to 25", t)
	}
	return eval.SampleID(id), eval.Pass(n), nil
}

// parseChoice reads a letter, yes or no, or the name of a status. Whether the
// letter is an option of the sample is for the caller to know.
func parseChoice(text string) (eval.Choice, eval.Status, error) {
	switch t := strings.ToLower(text); {
	case t == "":
		return "", eval.Missing, nil
	case t == string(eval.Yes) || t == string(eval.No):
		return eval.Choice(t), eval.Found, nil
	case column.IsLetter(strings.ToUpper(text)):
		return eval.Choice(strings.ToUpper(text)), eval.Found, nil
	default:
		s, err := eval.ParseStatus(t)
		if err != nil || s == eval.Found {
			return "", eval.StatusUnset, fmt.Errorf("choice %.20q is neither a letter nor none, ambiguous or refused", text)
		}
		return "", s, nil
	}
}

// parseTime reads RFC 3339 or milliseconds since 1970.
func parseTime(text string) (time.Time, error) {
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.UnixMilli(ms).UTC(), nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return t, fmt.Errorf("time %.40q is neither RFC 3339 nor milliseconds", text)
	}
	return t.UTC(), nil
}
