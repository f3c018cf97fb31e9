package accuracy

import (
	"cmp"
	"strconv"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
)

// CardInfo is what is known of a row's model.
type CardInfo struct {
	Parameters   float64 `json:"parameters,omitempty"` // billions
	LanguageBase string  `json:"language_base,omitempty"`
	Vision       string  `json:"vision,omitempty"`
	Open         string  `json:"open,omitempty"` // open or closed
	Size         string  `json:"size,omitempty"` // the group of the papers' tables
}

// The groups that tables put models in by their size (MMBench, Tables 3 and 6;
// MLLM-Bench, Table 10).
const (
	SmallModels = "10B and below"
	LargeModels = "above 10B"
	sizeBound   = 10 // billions of parameters
)

// cardOf is what the options know of a model; nil when that is nothing.
func cardOf(o *report.Options, model string) *CardInfo {
	if o.Cards == nil {
		return nil
	}
	c, ok := o.Cards(model)
	if !ok {
		return nil
	}
	out := &CardInfo{Parameters: c.Parameters, LanguageBase: c.LanguageBase, Vision: c.Vision}
	if c.Open != eval.OpennessUnset {
		out.Open = c.Open.String()
	}
	switch {
	case c.Parameters <= 0:
	case c.Parameters <= sizeBound:
		out.Size = SmallModels
	default:
		out.Size = LargeModels
	}
	return out
}

var cardColumns = []table.Column{
	{Name: table.SizeColumn}, {Name: "parameters"}, {Name: "language_base"}, {Name: "vision"}, {Name: "open"},
}

// cardNames are the measures of a card in a layout.
const cardNames = "size parameters language_base vision open "

// Measured are the cells of a card by their names.
func (c *CardInfo) Measured() report.Cells {
	out := make(report.Cells)
	for i, cell := range c.cells() {
		out[cardColumns[i].Name] = cell
	}
	return out
}

// cells of a card, which say what is not known.
func (c *CardInfo) cells() []table.Cell {
	if c == nil {
		c = &CardInfo{}
	}
	parameters := ""
	if c.Parameters > 0 {
		parameters = strconv.FormatFloat(c.Parameters, 'g', -1, 64) + "B"
	}
	out := make([]table.Cell, 0, len(cardColumns))
	for _, s := range []string{c.Size, parameters, c.LanguageBase, c.Vision, c.Open} {
		if s == "" {
			out = append(out, table.Unknown())
		} else {
			out = append(out, table.Text(s))
		}
	}
	return out
}

// bySize orders cards by size; models of which nothing is known come last.
func bySize(a, b *CardInfo) int {
	return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.parameters(), b.parameters()))
}

func (c *CardInfo) parameters() float64 {
	if c == nil {
		return 0
	}
	return c.Parameters
}

func (c *CardInfo) rank() int {
	switch {
	case c == nil:
		return 2
	case c.Parameters <= 0:
		return 1
	}
	return 0
}
