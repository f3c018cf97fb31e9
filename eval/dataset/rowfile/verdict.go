package rowfile

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"concord/eval"
	"concord/eval/dataset/internal/fastio"
)

// VerdictRow is what an expert says of a candidate as a file states it.
type VerdictRow struct {
	Line      int
	Sample    eval.SampleID
	Annotator string
	Verdict   string   // as written
	Axis      []string // from coarse to fine; nil: the file names none
	Note      string
	At        time.Time // zero: not given
	Informed  bool
	Ruling    bool // an adjudicator's
}

// ReadVerdicts reads experts' verdicts from JSON lines, a JSON array, CSV, TSV
// or xlsx with the columns sample, annotator and verdict, and optional axis (a
// list, or a path with " / "), note, at, informed, and act (verdict or ruling).
// A line that cannot be taken comes as a *problem.Problem, and the rows go on.
func ReadVerdicts(path string) iter.Seq2[VerdictRow, error] {
	return readTable(path, []string{"sample", "annotator", "verdict"}, func(c columns) (out VerdictRow, err error) {
		out = VerdictRow{
			Line: c.Line, Annotator: c.Get("annotator"), Verdict: c.Get("verdict"), Note: c.Get("note"),
			Axis: c.path("axis"), Informed: c.Get("informed") == "true",
		}
		switch act := c.Get("act"); act {
		case "", "verdict":
		case "ruling", "adjudication":
			out.Ruling = true
		default:
			return out, fmt.Errorf("act %.20q is neither a verdict nor an adjudication", act)
		}
		if out.Annotator == "" {
			return out, errors.New("the row names no annotator")
		}
		if out.Sample, err = c.sample(); err != nil {
			return out, err
		}
		if t := c.Get("at"); t != "" {
			out.At, err = parseTime(t)
		}
		return out, err
	})
}

// path reads a path of the taxonomy: a list, or levels with " / " between them.
func (c columns) path(name string) []string {
	text := c.Get(name)
	if text == "" {
		return nil
	}
	var out []string
	if list, ok := fastio.ParseList([]byte(text)); ok {
		for _, level := range list {
			out = append(out, string(level))
		}
		return out
	}
	for level := range strings.SplitSeq(text, "/") {
		if level = strings.TrimSpace(level); level != "" {
			out = append(out, level)
		}
	}
	return out
}
