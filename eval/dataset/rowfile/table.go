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

// readParsedRows reads a file of any table format, row by row.
func readParsedRows[T any](path string, needed []string, parse func(*rowReader) T) iter.Seq2[T, error] {
	return readTableAs(path, "", needed, parse)
}

// readTableAs reads a file of a format; "": it is found out.
func readTableAs[T any](path, format string, needed []string, parse func(*rowReader) T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		src, err := profile.OpenDetectingFormat(path, format, nil)
		if err != nil {
			yield(none, err)
			return
		}
		readRows(src, needed, parse)(yield)
	}
}

func readRows[T any](src *profile.Source, needed []string, parse func(*rowReader) T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for r, err := range src.Rows(context.Background()) {
			var out T
			if err == nil && len(r.Head.Twice) > 0 {
				yield(out, fmt.Errorf("read %s: there are two columns %.60q: rename or remove one of them", filepath.Base(src.File.Path), r.Head.Twice[0]))
				return
			}
			if err == nil {
				c := rowReader{Row: &r}
				if out = parse(&c); c.err != nil {
					err = problem.NewAt(src.File.Path, r.Line, "%s", c.err)
				}
				if n := findMissingColumn(r.Head.Names, needed); n != "" && src.HasOneHeader() {
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

// findMissingColumn names the first needed column that is not there; "a|b" needs one of the two.
func findMissingColumn(names, needed []string) string {
	for _, n := range needed {
		either := strings.Split(n, "|")
		if !slices.ContainsFunc(either, func(one string) bool { return slices.Contains(names, one) }) {
			return strings.Join(either, " or ")
		}
	}
	return ""
}

// rowReader gives a row's cells by the names of its columns, as what they are to
// be. The first that cannot be is the row's error; what is empty is nothing.
type rowReader struct {
	*profile.Row
	err error
}

// setError notes what is wrong with the row, unless something was before.
func (c *rowReader) setError(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// setErrorIf is fail for an error that there may be.
func (c *rowReader) setErrorIf(err error) {
	if err != nil {
		c.setError("%w", err)
	}
}

// readRequiredText reads a column that must not be empty.
func (c *rowReader) readRequiredText(column string) string {
	out := c.Get(column)
	switch {
	case out == "":
		c.setError("the row names no %s: every row needs one", column)
	case len(out) > longestName:
		c.setError("the %s has a name of more than %d bytes", column, longestName)
	}
	return out
}

// longestName bounds names that a file gives, so that a row with half a book in
// the wrong column is one problem, and not that of the whole import.
const longestName = 256

// readSampleID reads the sample's id by names that criteria, MLLM-Bench's files and datasets have for it.
func (c *rowReader) readSampleID() eval.SampleID {
	for _, column := range []string{"sample", "id", "index", "prompt_id"} {
		if id := c.ID(c.ColumnIndex(column)); id != "" {
			return eval.SampleID(id)
		}
	}
	c.setError("the row names no sample: every row needs one")
	return ""
}

// readInt reads a whole number from least to most, which are less than 1<<31; what says what else it is.
func (c *rowReader) readInt(column string, least, most int, what string) int {
	text := c.ID(c.ColumnIndex(column))
	if text == "" {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || int(n) < least || int(n) > most {
		c.setError("%s %.20q is %s", column, text, what)
	}
	return int(n)
}

// readVersion reads the number of a version, from 1.
func (c *rowReader) readVersion(column string) int {
	return c.readInt(column, 1, math.MaxInt32, "no number of a version")
}

func (c *rowReader) readNumber(column string) float64 {
	text := c.Get(column)
	if text == "" {
		return 0
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		c.setError("%s %.20q is no number: write one, or leave it out", column, text)
	}
	return x
}

// readPositiveShare reads a number in (0, 1].
func (c *rowReader) readPositiveShare(column string) float64 {
	text := c.Get(column)
	x, err := strconv.ParseFloat(text, 64)
	if text != "" && (err != nil || !(x > 0 && x <= 1)) {
		c.setError("%s %.20q is not within (0, 1]", column, text)
	}
	return x
}

// readBool reads true or false.
func (c *rowReader) readBool(column string) bool {
	text := c.Get(column)
	v, err := strconv.ParseBool(strings.ToLower(text))
	if text != "" && err != nil {
		c.setError("%s %.20q is neither true nor false", column, text)
	}
	return v
}

// readTime reads when it was: RFC 3339 or milliseconds since 1970.
func (c *rowReader) readTime() time.Time {
	text := c.Get("at")
	if text == "" {
		return time.Time{}
	}
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.UnixMilli(ms).UTC()
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		c.setError("time %.40q is neither RFC 3339 nor milliseconds: write 2026-01-31T12:00:00Z, or leave it out", text)
	}
	return t.UTC()
}

// isAdjudicatorsAct tells an adjudicator's act from one of that name.
func (c *rowReader) isAdjudicatorsAct(own string) bool {
	switch act := c.Get("act"); act {
	case "", own:
		return false
	case "ruling", "adjudication":
	default:
		c.setError("act %.20q is neither %s nor adjudication", act, own)
	}
	return true
}

// parseJSONColumn reads a value as JSON; what says what it should be.
func (c *rowReader) parseJSONColumn(column string, into any, what string) {
	if text := c.Get(column); text != "" {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			c.setError("%s are no list of %s: %w", column, what, err)
		}
	}
}

// QuotaRow is how many samples a group of the taxonomy is to have.
type QuotaRow struct {
	Line int
	Path []string
	N    int
}

// ReadQuotas reads quotas from JSON lines, CSV, TSV or xlsx with the columns n and taxonomy (a list, or
// a path with " / "), or level, capability and axis, of which any but one may be empty. A line that
// cannot be taken comes as a *problem.Problem, and the rows go on.
func ReadQuotas(path string) iter.Seq2[QuotaRow, error] {
	return readParsedRows(path, []string{"n"}, func(c *rowReader) QuotaRow {
		out := QuotaRow{Line: c.Line, Path: c.readTaxonomyPath("taxonomy", " / ")}
		if c.Get("taxonomy") == "" {
			levels := eval.Map([]string{"level", "capability", "axis"}, c.Get)
			out.Path = eval.Select(levels, func(l string) bool { return l != "" })
		}
		if len(out.Path) == 0 {
			c.setError("the row names no level")
		}
		if out.N = c.readInt("n", 1, math.MaxInt32, "not a number of samples"); out.N == 0 {
			c.setError("the row has no number of samples n")
		}
		return out
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

// ReadExpertVerdicts reads experts' verdicts from JSON lines, a JSON array, CSV, TSV or xlsx with the columns
// sample, annotator and verdict, and optional axis (a list, or a path with " / "), note, at, informed, and
// act (verdict or ruling). A line that cannot be taken comes as a *problem.Problem, and the rows go on.
func ReadExpertVerdicts(path string) iter.Seq2[VerdictRow, error] {
	return readParsedRows(path, []string{"sample", "annotator", "verdict"}, func(c *rowReader) VerdictRow {
		return VerdictRow{
			Line: c.Line, Ruling: c.isAdjudicatorsAct("verdict"), Annotator: c.readRequiredText("annotator"), Sample: c.readSampleID(), Verdict: c.Get("verdict"), Note: c.Get("note"),
			Axis: c.readTaxonomyPath("axis", "/"), Informed: c.Get("informed") == "true", At: c.readTime(),
		}
	})
}

// readTaxonomyPath reads a path of the taxonomy: a list, or levels with a mark between them.
func (c *rowReader) readTaxonomyPath(name, between string) []string {
	text := c.Get(name)
	if list, ok := fastio.ParseTextList([]byte(text)); ok {
		return eval.Map(list, func(level []byte) string { return string(level) })
	}
	return eval.Select(eval.Map(strings.Split(text, between), strings.TrimSpace), func(level string) bool { return level != "" })
}

// DetectionRow is what a detector found in one sample's picture as a file
// states it; Objects is empty, and not nil, when it found nothing.
type DetectionRow struct {
	Line    int
	Sample  eval.SampleID
	Objects []eval.Detection
}

// CaptionRow is a model's description of one sample's picture as a file states it.
type CaptionRow struct {
	Line        int
	Sample      eval.SampleID
	Model, Text string
}

// ReadDetections reads JSON lines or a JSON array of {"sample", "objects": [{"bbox": [x1, y1, x2, y2],
// "confidence", "label"}]}, corners from the picture's upper left; tables with the list as JSON in a
// cell go, too. A line that cannot be taken comes as a *problem.Problem, and the rows go on; any other
// error is the last.
func ReadDetections(path string) iter.Seq2[DetectionRow, error] {
	return readParsedRows(path, []string{"objects"}, func(c *rowReader) DetectionRow {
		out := DetectionRow{Line: c.Line, Sample: c.readSampleID()}
		if c.err == nil {
			out.Objects, c.err = parseObjects(c.Cell(c.ColumnIndex("objects")))
		}
		return out
	})
}

// ReadCaptions reads JSON lines, a JSON array, CSV, TSV or xlsx with the columns
// sample, caption and model, as ReadDetections does.
func ReadCaptions(path string) iter.Seq2[CaptionRow, error] {
	return readParsedRows(path, []string{"caption", "model"}, func(c *rowReader) CaptionRow {
		out := CaptionRow{Line: c.Line, Sample: c.readSampleID(), Model: c.readRequiredText("model"), Text: c.Get("caption")}
		if out.Text == "" {
			c.setError("the row has no caption")
		}
		return out
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
