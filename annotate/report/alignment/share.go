package alignment

import (
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval/stat"
)

// Agreement are the figures of a part of an alignment row. The
// coefficients are over options and "not one option".
type Agreement struct {
	Alignment stat.Rate         `json:"alignment"`
	Kappa     agree.Coefficient `json:"cohen_kappa"`
	AC1       agree.Coefficient `json:"gwet_ac1"`
}

// ModelShare is the alignment on one model's predictions.
type ModelShare struct {
	Model string `json:"model"`
	Agreement
}

// LevelShare is the alignment under one prefix of the taxonomy.
type LevelShare struct {
	Path []string `json:"path"`
	Agreement
}

// PersonShare is the alignment with one person's own labels.
type PersonShare struct {
	Annotator string `json:"annotator"`
	Agreement
}

// CommonShare is the alignment on the items on which all of the Extractors are
// compared, which are those that are compared on any: there the rates of
// several rows are of the same items.
type CommonShare struct {
	Extractors []string `json:"extractors"`
	Agreement
}

// Test is the row's extractor beside another one on the items on which
// both are compared: their rates there, the difference with its paired
// interval, and McNemar's test, in which the row's own is the first.
type Test struct {
	With       string         `json:"with"`
	N          int            `json:"n"`
	Alignment  stat.Rate      `json:"alignment"`
	Other      stat.Rate      `json:"with_alignment"`
	Difference stat.Estimate  `json:"difference"`
	Test       agree.Sameness `json:"test"`
}

func figuresOf(s annotate.Share) Agreement {
	return Agreement{s.Alignment, s.Kappa, s.AC1}
}

// part enters the figures of models, levels and people. A row about one run has
// one model.
func (r *Row) part(a *annotate.AlignmentRow) {
	r.Levels, r.People = []LevelShare{}, []PersonShare{}
	if r.Run == 0 {
		for _, s := range a.Models {
			r.Models = append(r.Models, ModelShare{s.Name, figuresOf(s)})
		}
	}
	for _, s := range a.Categories {
		r.Levels = append(r.Levels, LevelShare{s.Path, figuresOf(s)})
	}
	for _, s := range a.People {
		r.People = append(r.People, PersonShare{s.Name, figuresOf(s)})
	}
}

// beside enters the other extractors.
func (r *Row) beside(a *annotate.AlignmentRow) {
	if c := a.Common; c != nil {
		r.Common = &CommonShare{c.Extractors, figuresOf(c.Share)}
	}
	for _, b := range a.Besides {
		const reason = "no item on which both are compared"
		l, n := b.Looks, b.Looks.N()
		own, other := l.Rates(reason)
		r.McNemar = append(r.McNemar, Test{
			With: b.With, N: n, Alignment: own, Other: other, Difference: l.Difference(reason), Test: b.Test,
		})
	}
}

// apart says when the rates of rows about one thing are not of the same items,
// which they have to be to be set beside each other.
func apart(rows []report.Row) []string {
	var of *CommonShare
	var ns []int
	for _, row := range rows {
		if a := row.(*Row); a.Common != nil {
			of, ns = a.Common, append(ns, a.Alignment.N)
		}
	}
	if of == nil || of.Alignment.N == slices.Max(ns) {
		return nil
	}
	return []string{fmt.Sprintf("The extractors are compared on different items, on %s to %s of them: "+
		"set them beside each other by their rates on the %s that all of %s are compared on, or two of them by McNemar's test.",
		table.Grouped(slices.Min(ns)), table.Grouped(slices.Max(ns)), table.Grouped(of.Alignment.N), strings.Join(of.Extractors, ", "))}
}

// fillOld says why the parts of a row that was saved without coefficients have
// none.
func (r *Row) fillOld() {
	fill := func(f *Agreement) {
		for _, c := range []*agree.Coefficient{&f.Kappa, &f.AC1} {
			if f.Alignment.N > 0 && c.N == 0 && c.Undefined == "" {
				c.Undefined = "not computed when it was saved"
			}
		}
	}
	for i := range r.Models {
		fill(&r.Models[i].Agreement)
	}
	for i := range r.Levels {
		fill(&r.Levels[i].Agreement)
	}
	for i := range r.People {
		fill(&r.People[i].Agreement)
	}
}
