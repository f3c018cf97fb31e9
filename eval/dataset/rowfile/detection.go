package rowfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"concord/eval"
)

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
