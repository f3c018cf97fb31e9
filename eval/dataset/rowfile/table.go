package rowfile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"concord/eval"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/problem"
	"concord/eval/dataset/profile"
)

// readTable reads a file of any table format, row by row.
func readTable[T any](path string, needed []string, parse func(columns) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		src, err := profile.Open(path, "", nil)
		if err != nil {
			yield(none, err)
			return
		}
		readRows(src, needed, parse)(yield)
	}
}

// readRows reads a source, row by row.
func readRows[T any](src *profile.Source, needed []string, parse func(columns) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for r, err := range src.Rows(context.Background()) {
			var out T
			if err == nil && len(r.Head.Twice) > 0 {
				yield(out, fmt.Errorf("read %s: there are two columns %.60q: rename or remove one of them", filepath.Base(src.File.Path), r.Head.Twice[0]))
				return
			}
			if err == nil {
				if out, err = parse(columns{&r}); err != nil {
					err = problem.At(src.File.Path, r.Line, "%s", err)
				}
				if n := missingColumn(r.Head.Names, needed); n != "" && src.IsTable() {
					var none T
					yield(none, fmt.Errorf("read %s: there is no column %s", filepath.Base(src.File.Path), n))
					return
				}
			}
			if !yield(out, err) {
				return
			}
		}
	}
}

// missingColumn names the first needed column that is not there; "a|b" needs
// one of the two.
func missingColumn(names, needed []string) string {
	for _, n := range needed {
		either := strings.Split(n, "|")
		if !slices.ContainsFunc(either, func(one string) bool { return slices.Contains(names, one) }) {
			return strings.Join(either, " or ")
		}
	}
	return ""
}

// columns gives a row's cells by the names of its columns.
type columns struct{ *profile.Row }

// QuotaRow is how many samples a group of the taxonomy is to have.
type QuotaRow struct {
	Line int
	Path []string
	N    int
}

// ReadQuotas reads quotas from JSON lines, CSV, TSV or xlsx with the columns
// n and taxonomy (a list, or a path with " / "), or level, capability and axis,
// of which any but one may be empty. A line that cannot be taken comes as a
// *problem.Problem, and the rows go on.
func ReadQuotas(path string) iter.Seq2[QuotaRow, error] {
	return readTable(path, []string{"n"}, func(c columns) (QuotaRow, error) {
		out := QuotaRow{Line: c.Line}
		if list, ok := fastio.ParseList([]byte(c.Get("taxonomy"))); ok {
			for _, l := range list {
				out.Path = append(out.Path, string(l))
			}
		} else {
			if l := c.Get("taxonomy"); l != "" {
				out.Path = strings.Split(l, " / ")
			}
			for _, column := range []string{"level", "capability", "axis"} {
				if l := c.Get(column); l != "" {
					out.Path = append(out.Path, l)
				}
			}
		}
		if len(out.Path) == 0 {
			return out, errors.New("the row names no level")
		}
		text := c.ID(c.Column("n"))
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return out, fmt.Errorf("n %.20q is not a number of samples", text)
		}
		out.N = n
		return out, nil
	})
}

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

// DetectionRow is what a detector found in one sample's picture as a file
// states it; Objects is empty, and not nil, when it found nothing.
type DetectionRow struct {
	Line    int
	Sample  eval.SampleID
	Objects []eval.Detection
}

// CaptionRow is a model's description of one sample's picture as a file states
// it.
type CaptionRow struct {
	Line   int
	Sample eval.SampleID
	Model  string
	Text   string
}

// ReadDetections reads JSON lines or a JSON array of {"sample", "objects":
// [{"bbox": [x1, y1, x2, y2], "confidence", "label"}]}, corners from the
// picture's upper left; tables with the list as JSON in a cell go, too. A line
// that cannot be taken comes as a *problem.Problem, and the rows go on; any other error
// is the last.
func ReadDetections(path string) iter.Seq2[DetectionRow, error] {
	return readTable(path, []string{"objects"}, func(c columns) (out DetectionRow, err error) {
		out.Line = c.Line
		if out.Sample, err = c.sample(); err != nil {
			return out, err
		}
		out.Objects, err = parseObjects(c.Cell(c.Column("objects")))
		return out, err
	})
}

// ReadCaptions reads JSON lines, a JSON array, CSV, TSV or xlsx with the columns
// sample, caption and model, as ReadDetections does.
func ReadCaptions(path string) iter.Seq2[CaptionRow, error] {
	return readTable(path, []string{"caption", "model"}, func(c columns) (out CaptionRow, err error) {
		out = CaptionRow{Line: c.Line, Model: c.Get("model"), Text: c.Get("caption")}
		if out.Sample, err = c.sample(); err != nil {
			return out, err
		}
		switch {
		case out.Model == "":
			err = errors.New("the row names no model")
		case out.Text == "":
			err = errors.New("the row has no caption")
		}
		return out, err
	})
}

func parseObjects(cell []byte) ([]eval.Detection, error) {
	cell = bytes.TrimSpace(cell)
	if len(cell) == 0 {
		return nil, errors.New("the row has no objects: write [] where a detector found none")
	}
	var list []json.RawMessage
	if err := json.Unmarshal(cell, &list); err != nil {
		return nil, errors.New("objects are no list")
	}
	out := make([]eval.Detection, 0, len(list))
	for i, one := range list {
		d, err := parseDetection(one)
		if err != nil {
			return nil, fmt.Errorf("object %d: %w", i+1, err)
		}
		out = append(out, d)
	}
	return out, nil
}

func parseDetection(text []byte) (eval.Detection, error) {
	var in struct {
		Box        []*float64 `json:"bbox"`
		Confidence *float64   `json:"confidence"`
		Label      string     `json:"label"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return eval.Detection{}, errors.New("it is not {bbox, confidence, label}")
	}
	switch {
	case strings.TrimSpace(in.Label) == "":
		return eval.Detection{}, errors.New("it has no label")
	case in.Confidence == nil || !(*in.Confidence >= 0 && *in.Confidence <= 1):
		return eval.Detection{}, errors.New("its confidence is not within 0 and 1")
	case len(in.Box) != 4 || slices.Contains(in.Box, nil):
		return eval.Detection{}, errors.New("its bbox is not four numbers x1, y1, x2, y2")
	}
	d := eval.Detection{Label: in.Label, Confidence: *in.Confidence, X1: *in.Box[0], Y1: *in.Box[1], X2: *in.Box[2], Y2: *in.Box[3]}
	if d.X2 < d.X1 || d.Y2 < d.Y1 || math.IsInf(d.X2-d.X1, 0) || math.IsInf(d.Y2-d.Y1, 0) {
		return eval.Detection{}, errors.New("its bbox does not go from the upper left corner to the lower right one")
	}
	return d, nil
}
