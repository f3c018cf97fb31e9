package report

import (
	"context"
	"iter"
	"strings"

	"concord/annotate/report/table"
	"concord/eval"
)

// Behind is what a cell was counted over. The first pick is what it counts, of a rate its k.
// The first Parts of the picks have nothing in common and are, where there are several, all
// that it is over, of a rate its n; what follows are other cuts of the same.
type Behind struct {
	Extractor string           // whose readings are shown; "": the rules of each run
	Dataset   eval.DatasetName // of samples that are no run's; "": each key names its run
	Parts     int
	Picks     []Pick

	Whole  bool         // the parts are all there is: that a sample is in one of them tells nothing
	People bool         // what people said is shown beside the samples: who has yet to say something of them opens nothing
	Pairs  bool         // the picks are of pairs of responses, or of samples: see report.PairsBehindRow
	Ballot *eval.Ballot // of pairs: the judge whose votes stand beside them; nil: people's alone
}

// Pick is some of the samples behind a cell: a figure of a row. That a sample
// is in one that Tells gives away what became of it.
type Pick struct {
	Name    string
	Tells   bool
	Experts bool // that a sample is in it tells what experts say of it, who curate its dataset
	Row     Row
	Selection
}

// KeysBehind yields the predictions of the pick. Samples that are no run's have run 0.
func (p *Pick) KeysBehind(ctx context.Context, facts Facts) iter.Seq2[eval.Key, error] {
	return p.Row.KeysBehind(ctx, facts, p.Selection)
}

// BehindOf is what a cell was counted over; nil for a name, for what was
// measured elsewhere and for what counts nothing.
func BehindOf(c *table.Cell) *Behind {
	b, _ := c.Detail().(*Behind)
	return b
}

// Opener gives cells of a row what is behind them.
type Opener struct {
	Row       Row
	Extractor string
	at        Selection
	about     string           // who or what the figures are about whose names end in a colon
	Dataset   eval.DatasetName // of samples that are no run's
	Open      bool             // that a sample is among them tells nothing
	Whole     bool             // that it is among all parts of a figure tells nothing
	People    bool             // what people said is shown
	Pairs     bool             // what is counted are pairs of responses
	Ballot    *eval.Ballot
	Experts   bool // it tells what experts say

	Names func(*Selection) string // of figures whose own name says too little; nil, "": that does
}

// UnderLevel is the opener below a prefix of the taxonomy.
func (o Opener) UnderLevel(level ...string) Opener {
	o.at.Level = level
	return o
}

// AboutSubject is the opener of figures about somebody or something: "written:" is then "written:ann".
func (o Opener) AboutSubject(what string) Opener {
	o.about = what
	return o
}

// WithPart gives the opener of a part.
func (o Opener) WithPart(part any) Opener {
	o.at.Part = part
	return o
}

func (o Opener) newPick(w Which) Pick {
	if o.about != "" && strings.HasSuffix(string(w), ":") {
		w += Which(o.about)
	}
	s := o.at
	s.Which = w
	return Pick{Name: s.nameFigure(o.Names), Tells: !o.Open, Experts: o.Experts, Row: o.Row, Selection: s}
}

// AttachPicks gives the cell with what it counts: each is a part of the whole. A figure
// that counts nothing opens nothing.
func AttachPicks(c table.Cell, o Opener, which ...Which) table.Cell {
	if c.IsEmpty() {
		return c
	}
	b := &Behind{Extractor: o.Extractor, Dataset: o.Dataset, Parts: len(which), Whole: o.Whole, People: o.People, Pairs: o.Pairs, Ballot: o.Ballot}
	b.Picks = append(b.Picks, eval.Map(which, o.newPick)...)
	return c.WithDetail(b)
}

// AttachFurtherPicks adds other cuts to what the cell opens.
func AttachFurtherPicks(c table.Cell, o Opener, which ...Which) table.Cell {
	of := BehindOf(&c)
	if of == nil {
		return c
	}
	b := *of
	b.Picks = b.Picks[:len(b.Picks):len(b.Picks)]
	b.Picks = append(b.Picks, eval.Map(which, o.newPick)...)
	return c.WithDetail(&b)
}

// OpenedCount is a count with the figure that it opens.
type OpenedCount struct {
	which Which
	n     int
}

// NewOpenedCount gives a count with the figure that it opens.
func NewOpenedCount(w Which, n int) OpenedCount { return OpenedCount{w, n} }

// AddNonEmptyCuts adds those of other cuts that count something.
func AddNonEmptyCuts(c table.Cell, o Opener, cuts ...OpenedCount) table.Cell {
	for _, x := range cuts {
		if x.n > 0 {
			c = AttachFurtherPicks(c, o, x.which)
		}
	}
	return c
}

// CopyPicks gives the cell with what another one opens.
func CopyPicks(c, of table.Cell) table.Cell {
	if d := of.Detail(); d != nil {
		return c.WithDetail(d)
	}
	return c
}

// WithOpenedSum gives a cell that sums up others: what is behind them is behind it, each under its name.
func WithOpenedSum(c table.Cell, names []string, cells []table.Cell) table.Cell {
	if c.IsEmpty() {
		return c
	}
	var b Behind
	for i := range cells {
		of := BehindOf(&cells[i])
		if of == nil {
			continue
		}
		if b.Parts == 0 {
			b.Extractor, b.Dataset, b.People = of.Extractor, of.Dataset, of.People
		}
		if b.Extractor != of.Extractor {
			b.Extractor = ""
		}
		for _, p := range of.Picks[:of.Parts] {
			p.Name = names[i] + ": " + p.Name
			b.Picks = append(b.Picks, p)
			b.Parts++
		}
	}
	if b.Parts > 0 {
		return c.WithDetail(&b)
	}
	return c
}

// nameFigure is what a list of these samples is called.
func (s *Selection) nameFigure(names func(*Selection) string) string {
	if names != nil {
		if n := names(s); n != "" {
			return n
		}
	}
	if s.Which == Every {
		return "all"
	}
	if kind, of, ok := strings.Cut(string(s.Which), ":"); ok {
		return strings.ReplaceAll(kind, "_", " ") + " " + of
	}
	return strings.ReplaceAll(string(s.Which), "_", " ")
}
