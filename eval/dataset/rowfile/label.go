package rowfile

import (
	"fmt"
	"iter"
	"slices"
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
	Run        int    // its number, as exports write it; 0: not given
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
	Label      string    // the word of a choice of a label set of the user's own; "": not given
	Tags       []string  // of the item
}

// JudgmentRow is a judge model's reading of a prediction as a file states it.
type JudgmentRow struct {
	Line   int
	Sample eval.SampleID
	Pass   eval.Pass
	Model  string
	Run    int // as of a LabelRow
	Judge  string
	Status eval.Status // Found, None, Ambiguous, Refused or Missing
	Choice eval.Choice // exactly with Found
	Raw    string
	Prompt string
}

// ReadLabels reads labels from JSON lines, a JSON array, CSV or TSV with the
// columns sample, pass, model, annotator, choice (or score), confidence, reason,
// note, at, informed, guideline, act (label, or ruling with a cause), label and tags. A line that cannot be taken comes as a *problem.Problem, and the rows go
// on; any other error is the last.
func ReadLabels(path string) iter.Seq2[LabelRow, error] { return ReadDrawnLabels(path, "") }

// ReadDrawnLabels reads ReadLabels of a sample whose items have a column that says
// how likely each was drawn; "": none.
func ReadDrawnLabels(path, column string) iter.Seq2[LabelRow, error] {
	needed := []string{"sample", "annotator", "choice|score"}
	if column != "" {
		needed = append(needed, column)
	}
	return readTable(path, needed, func(c *rowReader) LabelRow {
		out := LabelRow{Line: c.Line, Model: c.Get("model"), Run: c.readRun(), Annotator: c.readName("annotator"), Reason: c.Get("reason"), Note: c.Get("note"), Label: c.Get("label")}
		for tag := range strings.SplitSeq(c.Get("tags"), ",") {
			if tag = strings.TrimSpace(tag); tag != "" && !slices.Contains(out.Tags, tag) {
				out.Tags = append(out.Tags, tag)
			}
		}
		if column != "" {
			out.Drawn = c.Get(column)
		}
		out.Sample, out.Pass = c.readTarget()
		out.readExtraction(c)
		if out.Ruling = c.isRuling("label"); out.Ruling {
			out.Cause = c.Get("cause")
		}
		out.Confidence, out.At, out.Informed, out.Guideline = c.readShare("confidence"), c.readTime(), c.readBool("informed"), c.readVersion("guideline")
		return out
	})
}

// ReadAnswers reads known answers from the same kinds of files, of which it
// takes the columns sample, pass, model and choice (or score).
func ReadAnswers(path string) iter.Seq2[LabelRow, error] {
	return readTable(path, []string{"sample", "choice|score"}, func(c *rowReader) LabelRow {
		out := LabelRow{Line: c.Line, Model: c.Get("model"), Run: c.readRun()}
		out.Sample, out.Pass = c.readTarget()
		out.readExtraction(c)
		return out
	})
}

// readExtraction reads the choice or the score.
func (r *LabelRow) readExtraction(c *rowReader) {
	choice, score := c.Get("choice"), c.ID(c.ColumnIndex("score"))
	switch {
	case choice != "" && score != "":
		c.setError("the row has a choice and a score")
	case choice == "" && score == "":
		c.setError("the row has no choice")
	case score == "":
		r.Choice, r.Status = c.readChoice()
	default:
		r.Score = c.readInt("score", 1, eval.TopScore, fmt.Sprintf("no number from 1 to %d", eval.TopScore))
	}
}

// ReadJudgments reads judgments from the same kinds of files, with the
// columns sample, pass, model, judge, choice, raw and prompt. An empty choice
// is a reply from which the judge's reader read nothing.
func ReadJudgments(path string) iter.Seq2[JudgmentRow, error] {
	return readTable(path, []string{"sample", "judge", "choice"}, func(c *rowReader) JudgmentRow {
		out := JudgmentRow{Line: c.Line, Model: c.Get("model"), Run: c.readRun(), Judge: c.readName("judge"), Raw: c.RawText("raw"), Prompt: c.Get("prompt")}
		out.Sample, out.Pass = c.readTarget()
		out.Choice, out.Status = c.readChoice()
		return out
	})
}

// readTarget reads which prediction the row is about.
func (c *rowReader) readTarget() (eval.SampleID, eval.Pass) {
	id := c.ID(c.ColumnIndex("sample"))
	if id == "" {
		c.setError("the row names no sample")
	}
	return eval.SampleID(id), eval.Pass(c.readInt("pass", 0, 25, "no number from 0 to 25"))
}

// readRun reads the number of a run. What is no number, as a name that another tool gave, is
// none.
func (c *rowReader) readRun() int {
	n, _ := strconv.Atoi(c.ID(c.ColumnIndex("run")))
	return n
}

// readChoice reads a letter, yes or no, or the name of a status. Whether the
// letter is an option of the sample is for the caller to know.
func (c *rowReader) readChoice() (eval.Choice, eval.Status) {
	text := c.Get("choice")
	switch t := strings.ToLower(text); {
	case t == "":
		return "", eval.Missing
	case t == string(eval.Yes) || t == string(eval.No):
		return eval.Choice(t), eval.Found
	case column.IsLetter(strings.ToUpper(text)):
		return eval.Choice(strings.ToUpper(text)), eval.Found
	default:
		s, err := eval.ParseStatus(t)
		if err != nil || s == eval.Found {
			c.setError("choice %.20q is neither a letter nor none, ambiguous or refused", text)
		}
		return "", s
	}
}
