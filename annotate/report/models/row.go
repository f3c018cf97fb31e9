package models

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// Row is two sides on the samples that both have decided: the share of A less
// that of B, with its interval, and a test of whether there is a difference.
type Row struct {
	report.ForEveryone
	Dataset    eval.DatasetName `json:"dataset"`
	Split      string           `json:"split"`
	Path       []string         `json:"path,omitempty"`
	Strategy   string           `json:"strategy"`
	Synthetic  bool             `json:"synthetic,omitempty"`
	A          Side             `json:"a"`
	B          Side             `json:"b"`
	N          int              `json:"n"`        // samples
	Left       [2]int           `json:"left_out"` // decided by A alone, by B alone
	Clusters   int              `json:"clusters,omitempty"`
	Target     string           `json:"target"`
	Difference Difference       `json:"difference"`
	// Simultaneous holds for all rows of the report at once.
	Simultaneous *Bounds    `json:"simultaneous,omitempty"`
	P            *float64   `json:"p_value"`
	Mid          *float64   `json:"p_mid,omitempty"`
	Adjusted     *float64   `json:"p_adjusted"` // Holm, over the rows of the report
	Test         string     `json:"test,omitempty"`
	OnlyA        int        `json:"only_a"` // samples that A has right and B wrong; of repeats: A more often
	OnlyB        int        `json:"only_b"`
	Separable    bool       `json:"separable"` // Adjusted is below 1 - stat.Confidence
	Detectable   *float64   `json:"detectable,omitempty"`
	Needed       *int       `json:"needed_n,omitempty"`
	Corrected    *Corrected `json:"corrected,omitempty"` // where it was asked for

	a, b    *party
	paired  *stat.Paired
	set     *samples
	belongs func(eval.Ordinal) bool
}

// Side is one of the two.
type Side struct {
	Run       eval.RunID   `json:"run"`
	Repeats   []eval.RunID `json:"repeats,omitempty"` // all runs of the side, where there are several
	Model     string       `json:"model"`
	Modality  string       `json:"modality"`
	Extractor string       `json:"extractor"`
	Accuracy  stat.Rate    `json:"accuracy"` // over the N samples
}

// Difference is the share of A less that of B.
type Difference struct {
	Value     *float64 `json:"value"`
	Low       *float64 `json:"low"`
	High      *float64 `json:"high"`
	N         int      `json:"n"`
	Method    string   `json:"method,omitempty"`
	Interval  string   `json:"interval,omitempty"` // that of a corrected one holds for one look, or while people label
	Undefined string   `json:"undefined,omitempty"`

	estimate stat.Estimate
}

// Bounds are an interval.
type Bounds struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// What a row speaks of.
const (
	TargetRuns   = "runs"   // the answers that these runs gave
	TargetModels = "models" // the models: repeats show how answers vary from run to run
)

// The samples behind a row.
const (
	OnlyA   report.Which = "only_a"
	OnlyB   report.Which = "only_b"
	Both    report.Which = "both"
	Neither report.Which = "neither"
)

// Keys yields the samples behind a figure. Each comes as the side answered it
// that is behind: by OnlyA as B did.
func (r *Row) Keys(_ context.Context, _ report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	return report.KeysOf(report.Ordinals(max(r.a.last(), r.b.last())), func(o eval.Ordinal) (eval.Key, bool) {
		a, of, decided := r.a.score(o)
		b, bof, too := r.b.score(o)
		show := r.b
		if a/of < b/bof {
			show = r.a
		}
		return show.key(o), decided && too && r.belongs(o) && behind(s.Which, a/of, b/bof)
	})
}

// behind reports whether a sample with these shares is behind a figure.
func behind(w report.Which, a, b float64) bool {
	switch w {
	case OnlyA:
		return a > b
	case OnlyB:
		return b > a
	case Both:
		return a == b && a > 0
	case Neither:
		return a == 0 && b == 0
	default:
		return w == report.Every
	}
}

// key is the answer to look at first, of the side's first run.
func (p *party) key(o eval.Ordinal) eval.Key {
	a := p.answers[0]
	return eval.Key{Run: a.run.ID, Sample: o, Pass: a.decided.Pass(o)}
}

func (r *Row) names(s *report.Selection) string {
	a, b := r.a.named(), r.b.named()
	switch s.Which {
	case OnlyA:
		return a + " right, " + b + " wrong"
	case OnlyB:
		return b + " right, " + a + " wrong"
	case Both:
		return "both right"
	case Neither:
		return "both wrong"
	default:
		return ""
	}
}

// opener opens the samples of a row.
func (r *Row) opener() report.Opener {
	return report.Opener{Row: r, Extractor: r.A.Extractor, Names: r.names}
}

// whereColumns are those before the sides.
var whereColumns = table.List("dataset split category strategy")

// shownColumns are those of the cells that people read.
func (r *Row) shownColumns() []table.Column {
	out := slices.Clone(r.Columns()[len(whereColumns):])
	for i := range out {
		if out[i].Kind == table.KindNumber {
			out[i].Kind = table.KindText // written as people read it
		}
	}
	return out
}

// Columns names the columns of the lines that Lines gives.
func (r *Row) Columns() []table.Column {
	out := append(slices.Clone(whereColumns), table.List("a b accuracy_a:rate accuracy_b:rate difference:points only_a:count only_b:count p_value:number p_adjusted:number separable detectable:number needed_n:number")...)
	if r.Corrected != nil {
		out = append(out, correctedColumns...)
	}
	return out
}

// Lines gives one line.
func (r *Row) Lines() [][]table.Cell {
	start := []table.Cell{
		table.Text(string(r.Dataset)), table.Text(r.Split), table.Text(eval.Path(r.Path)), table.Text(r.Strategy),
	}
	return [][]table.Cell{slices.Concat(start, r.sides(), []table.Cell{table.Number(r.P), table.Number(r.Adjusted)}, r.found(table.Number), r.Corrected.cells())}
}

// shown is the line as people read it, behind the cells that say where.
func (r *Row) shown() []table.Cell {
	return slices.Concat(r.sides(), []table.Cell{chance(r.P), chance(r.Adjusted)}, r.found(func(v *float64) table.Cell {
		if v == nil {
			return table.Blank()
		}
		return table.Text(strconv.FormatFloat(math.Ceil(*v*10)/10, 'f', -1, 64))
	}), r.Corrected.cells())
}

// chance is a p-value as people read it.
func chance(p *float64) table.Cell {
	switch {
	case p == nil:
		return table.Blank()
	case *p < 0.0001:
		return table.Text("< 0.0001")
	}
	return table.Text(strconv.FormatFloat(*p, 'f', 4, 64))
}

// sides are the two, their difference and what is behind it.
func (r *Row) sides() []table.Cell {
	o := r.opener()
	return []table.Cell{
		table.Text(r.A.title()), table.Text(r.B.title()), table.Rate(r.A.Accuracy), table.Rate(r.B.Accuracy),
		report.Over(table.Points(r.Difference.estimate), o, OnlyA, OnlyB, Both, Neither),
		report.Over(table.Count(r.OnlyA), o, OnlyA), report.Over(table.Count(r.OnlyB), o, OnlyB),
	}
}

// found is what came of the test, and what more samples would find.
func (r *Row) found(number func(*float64) table.Cell) []table.Cell {
	detectable := r.Detectable
	if detectable != nil {
		v := 100 * *detectable
		detectable = &v
	}
	var needed *float64
	if r.Needed != nil {
		v := float64(*r.Needed)
		needed = &v
	}
	return []table.Cell{table.Text(r.verdict()), number(detectable), number(needed)}
}

// verdict says in a word whether the two can be told apart.
func (r *Row) verdict() string {
	switch {
	case r.Adjusted == nil:
		return "undefined"
	case r.Separable:
		return "yes"
	}
	return "no"
}

// title names a side in a table.
func (s *Side) title() string {
	if len(s.Repeats) > 1 {
		return fmt.Sprintf("%s (%d runs)", s.Model, len(s.Repeats))
	}
	return fmt.Sprintf("%s #%d", s.Model, s.Run)
}
