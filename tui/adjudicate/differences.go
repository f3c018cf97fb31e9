package adjudicate

import (
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/report/alignment"
	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// disagreements is what people and the machine read differently, as the filter leaves it: the matrix, and the list.
type disagreements struct {
	*keymap.Spelling
	theme     *widget.Theme
	all       *alignment.QueueComparison
	extractor int
	after     bool // the matrix counts rulings
	cell      [2]int
	matrix    alignment.Matrix
	filter    filter
	words     widget.Filter // on what the list shows
	places    []int         // of the list
	kept      int           // items that are kept back from it
	at        widget.Cursor
	size      *size
}

func (ds *disagreements) newItemFilter() alignment.ItemFilter {
	f := &ds.filter
	w := alignment.ItemFilter{
		Extractor: ds.extractor, After: ds.after && f.cell, Between: f.between, Unadjudicated: f.unsettled, Adjudicating: f.adjudicating, Case: f.kind, Cause: f.cause,
		Model: f.model, Annotator: f.annotator, Unsure: f.unsure,
	}
	if it := eval.Find(ds.all.Items, func(it *alignment.ComparedItem) bool { return f.level != "" && eval.JoinPath(it.Taxonomy) == f.level }); it != nil {
		w.Level = it.Taxonomy
	}
	if f.cell {
		w.Any, w.People, w.Machine = true, f.people, f.machine
	}
	return w
}

func (ds *disagreements) cycleFilter(key string) {
	f := &ds.filter
	switch key {
	case "d":
		f.adjudicating = false
		f.between = nextOrNone([]alignment.Between{alignment.PersonMachine, alignment.PersonPerson, alignment.MachineMachine}, f.between)
	case "c":
		f.kind = nextOrNone([]annotate.Alignment{annotate.CaseOne, annotate.CaseTwo}, f.kind)
	case "y":
		f.cause = nextOrNone(annotate.AllCauses(), f.cause)
	case "m":
		f.model = nextOrNone(ds.sortedWordsOfItems(func(it *alignment.ComparedItem) []string { return []string{it.Model} }), f.model)
	case "t":
		f.level = nextOrNone(ds.sortedWordsOfItems(func(it *alignment.ComparedItem) []string { return []string{eval.JoinPath(it.Taxonomy)} }), f.level)
	case "w":
		f.annotator = annotate.Annotator(nextOrNone(ds.sortedWordsOfItems(func(it *alignment.ComparedItem) []string {
			return eval.Map(it.Labels, func(l annotate.Label) string { return string(l.Annotator) })
		}), string(f.annotator)))
	case "s":
		f.unsure = nextOrNone(unsure, f.unsure)
	case "o":
		f.unsettled = !f.unsettled
	}
	ds.rebuildMatrixAndList()
}

// sortedWordsOfItems are the words that the items have, in order, without the empty one.
func (ds *disagreements) sortedWordsOfItems(of func(*alignment.ComparedItem) []string) []string {
	all := eval.FlatMap(ds.all.Items, func(it alignment.ComparedItem) []string { return of(&it) })
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(w string) bool { return w == "" })
}

func (ds *disagreements) currentExtractor() *alignment.ComparedExtractor {
	if ds.extractor < 0 || ds.extractor >= len(ds.all.Extractors) {
		return nil
	}
	return &ds.all.Extractors[ds.extractor]
}

// describeExtractorRates describes the extractor with its rate before and after rulings.
func (ds *disagreements) describeExtractorRates() string {
	t, x := ds.theme, ds.currentExtractor()
	if x == nil {
		return "  " + t.Faint.Render("no judge and no rules have read these answers yet")
	}
	out := "  " + t.Strong.Render(widget.CutWidth(widget.CleanLine(x.Name), max(12, ds.size.width/4))) +
		t.Faint.Render(fmt.Sprintf(" %d of %d  ", ds.extractor+1, len(ds.all.Extractors)))
	if x.Before.N == 0 {
		return widget.FitWidth(out+t.Faint.Render("– "+widget.CleanLine(x.Before.Undefined)), ds.size.width)
	}
	looks := eval.Either(x.Before.Sequence, "seq ", "") // the interval holds at every look
	out += fmt.Sprintf("agreement %s [%s%.1f, %.1f] %d/%d", widget.FormatPercent(x.Before.Value), looks, 100*x.Before.Low, 100*x.Before.High, x.Before.K, x.Before.N)
	if x.Rulings > 0 {
		out += t.Faint.Render("  with adjudications ")
		if x.After.N > 0 {
			out += fmt.Sprintf("%s %d/%d", widget.FormatPercent(x.After.Value), x.After.K, x.After.N)
		} else {
			out += t.Faint.Render("– " + widget.CleanLine(x.After.Undefined))
		}
	}
	return widget.FitWidth(out, ds.size.width)
}

// describeFilters says which items are listed, each filter that is on with its key.
func (ds *disagreements) describeFilters() string {
	t, f := ds.theme, &ds.filter
	var parts []string
	add := func(key, text string) { parts = append(parts, t.Key.Render(ds.SpellKey(key))+" "+text) }
	switch {
	case f.adjudicating:
		add(".", "to adjudicate")
	case f.cell:
		parts = append(parts, fmt.Sprintf("people %s, machine %s", widget.CleanLine(f.people), widget.CleanLine(f.machine)))
	default:
		add("d", betweenNames[f.between])
	}
	if f.unsettled {
		add("o", "not adjudicated")
	}
	if f.kind != 0 {
		add("c", map[annotate.Alignment]string{annotate.CaseOne: "agree (Case I)", annotate.CaseTwo: "disagree (Case II)"}[f.kind])
	}
	if f.cause != 0 {
		add("y", causeWord(f.cause))
	}
	if f.model != "" {
		add("m", widget.CleanLine(f.model))
	}
	if f.level != "" {
		add("t", widget.CleanLine(f.level))
	}
	if f.annotator != "" {
		add("w", widget.CleanLine(string(f.annotator)))
	}
	if f.unsure > 0 {
		add("s", fmt.Sprintf("less sure than %.0f %%", 100*f.unsure))
	}
	if len(parts) == 1 && !f.cell && !f.adjudicating {
		parts = append(parts, t.Faint.Render(ds.SpellText("{o c y m t w s /} narrow it down")))
	}
	if words := t.DrawFilter(&ds.words, max(24, ds.size.width/3)); words != "" {
		parts = append(parts, words)
	}
	n := widget.FormatPlural(len(ds.places), "item")
	return widget.JoinEnds("  "+strings.Join(parts, "  "), t.Faint.Render(n+" "), ds.size.width)
}

// describeAnswering describes what the person does about blind items: label those that still
// take a label, else settle them, or answer them where they are open.
func (ds *disagreements) describeAnswering() string {
	switch {
	case ds.all.Waiting > 0:
		return "label them in the queue"
	case ds.all.Elsewhere == ds.all.Blind:
		return "answer them in another queue"
	}
	return "answer: " + ds.SpellKey("next_unlabeled")
}

func (ds *disagreements) formatHeldBack() string {
	if ds.kept == 0 {
		return ""
	}
	return widget.FitWidth("  "+ds.theme.Faint.Render(widget.FormatPlural(ds.kept, "item")+" kept back: blind until you "+ds.describeAnswering()), ds.size.width)
}

func (ds *disagreements) makeTable() widget.Table {
	return widget.Table{
		Columns: []widget.Column{
			{Title: "", Width: 1},
			{Title: "sample", Width: 10, Name: true},
			{Title: "pass", Width: 4, Right: true, Least: 76},
			{Title: "people", Width: 18, Grow: 2},
			{Title: "machine", Width: 9},
			{Title: "final", Width: 9},
			{Title: "who was right", Width: 13, Least: 76},
			{Title: "model", Width: 12, Grow: 1, Least: 100, Name: true},
			{Title: "category", Width: 12, Grow: 2, Least: 100, Name: true},
		},
		Rows: len(ds.places), Cursor: ds.at, Focused: true, Empty: "No such item.",
		Row: func(i int) []string { return ds.makeCells(&ds.all.Items[ds.places[i]]) },
	}
}

func (ds *disagreements) makeCells(it *alignment.ComparedItem) []string {
	t := ds.theme
	mark := eval.Either(it.Adjudicated, t.Good.Render("✓"), " ")
	sample, pass, path := widget.CleanLine(string(it.Sample)), fmt.Sprint(it.Key.Pass), widget.CleanLine(eval.JoinPath(it.Taxonomy))
	if !it.Shown {
		return []string{t.Faint.Render("◇"), sample, pass, t.Faint.Render("blind: you first"), "", "", "", "", path}
	}
	final, cause := "", ""
	if r, ok := annotate.StandingRuling(it.Rulings); ok {
		final, cause = labeloption.ReadingText(r.Reading), causeWord(r.Cause)
	} else if len(it.Rulings) > 0 {
		final = t.Warn.Render("disputed")
	}
	labels := eval.JoinList(it.Labels, func(l annotate.Label) string { return string(l.Annotator) + " " + labeloption.ReadingText(l.Reading) })
	return []string{mark, sample, pass, widget.CleanLine(labels), ds.machineWord(it), final, cause, widget.CleanLine(it.Model), path}
}

// machineWord is what the extractor read, also of what is not compared.
func (ds *disagreements) machineWord(it *alignment.ComparedItem) string {
	if ds.extractor >= len(it.Compared) {
		return ""
	}
	switch c := &it.Compared[ds.extractor]; {
	case c.LeftOut == "":
		return widget.CleanLine(c.MachineClassName())
	case ds.extractor < len(it.After) && it.After[ds.extractor].LeftOut == "":
		return widget.CleanLine(it.After[ds.extractor].MachineClassName())
	}
	return ds.theme.Faint.Render("–")
}

// preferredExtractor is the extractor to look at first: a judge, else one with figures.
func (ds *disagreements) preferredExtractor() int {
	for _, judge := range []bool{true, false} {
		if i := slices.IndexFunc(ds.all.Extractors, func(x alignment.ComparedExtractor) bool { return x.LeftOut == "" && x.Judge == judge }); i >= 0 {
			return i
		}
	}
	return 0
}

// rebuildMatrixAndList makes matrix and list anew.
func (ds *disagreements) rebuildMatrixAndList() {
	if ds.all == nil {
		return
	}
	ds.matrix = ds.all.ConfusionMatrix(ds.extractor, ds.after)
	ds.cell[0] = max(0, min(ds.cell[0], len(ds.matrix.People)-1))
	ds.cell[1] = max(0, min(ds.cell[1], len(ds.matrix.Machine)-1))
	ds.places, ds.kept = ds.all.ListItems(ds.newItemFilter())
	ds.places = widget.FilterRows(&ds.words, ds.places, func(at *int) []string { return ds.makeCells(&ds.all.Items[*at]) })
	ds.at.MoveTo(ds.at.At, len(ds.places), ds.size.listHeight()-1)
}

// filter is which items are listed. The zero value lists all on which somebody differs.
type filter struct {
	between         alignment.Between
	unsettled       bool
	adjudicating    bool // with some on which nobody differs, without those that people agree on
	kind            annotate.Alignment
	cause           annotate.Cause
	level, model    string // a taxonomy path as eval.JoinPath writes it
	annotator       annotate.Annotator
	unsure          float64
	cell            bool // of the matrix
	people, machine string
}

// nextOrNone gives the value behind the present one; behind the last comes none.
func nextOrNone[T comparable](all []T, now T) T {
	var none T
	if i := slices.Index(all, now); i+1 < len(all) {
		return all[i+1]
	}
	return none
}

// steps of the filter on how sure people were.
var unsure = []float64{0.3, 0.6, 1}
