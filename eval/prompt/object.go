package prompt

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
)

// The marks between which a describer of pictures writes.
const (
	CaptionBegin = "<<<caption"
	CaptionEnd   = "caption>>>"
)

// Begin is CaptionBegin, for templates.
func (i Item) Begin() string { return CaptionBegin }

// End is CaptionEnd, for templates.
func (i Item) End() string { return CaptionEnd }

// Objects is how many detected objects a judge is told of (MLLM-Bench, App. F).
const Objects = 10

// Object is a detected object, written out.
type Object struct {
	Box        string // "x1, y1, x2, y2"
	Confidence string
	Label      string // in one line
}

// Objects are the detected objects of which the detector is surest, the surest
// first; equally sure ones stay in their order.
func (i Item) Objects() []Object {
	all := slices.Clone(i.Detections)
	slices.SortStableFunc(all, func(a, b eval.Detection) int { return cmp.Compare(b.Confidence, a.Confidence) })
	out := make([]Object, 0, min(len(all), Objects))
	for _, d := range all[:min(len(all), Objects)] {
		out = append(out, Object{
			Box:        strings.Join([]string{decimal(d.X1), decimal(d.Y1), decimal(d.X2), decimal(d.Y2)}, ", "),
			Confidence: decimal(d.Confidence),
			Label:      strings.Join(strings.Fields(d.Label), " "),
		})
	}
	return out
}

// decimal writes a number with at most three decimals, enough for shares of a
// picture's edge.
func decimal(x float64) string {
	s := strings.TrimRight(strings.TrimRight(strconv.FormatFloat(x, 'f', 3, 64), "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}
