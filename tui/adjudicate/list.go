package adjudicate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/report/alignment"
	"concord/eval"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// headLines stand above matrix and list: queue, extractor, what is shown.
const headLines = 3

// listHeight is the height of the table with its titles.
func (m *Model) listHeight() int { return max(1, m.height-headLines-1) }

func (m *Model) pressList(msg tea.KeyMsg) tea.Cmd {
	n := len(m.places)
	if by, ok := m.keys.moves.By(msg, m.listHeight(), n); ok {
		m.at.Move(by, n, m.listHeight()-1)
		return nil
	}
	switch {
	case key.Matches(msg, m.keys.open):
		return m.open()
	case key.Matches(msg, m.keys.words):
		m.words.Start()
	case m.narrow(msg.String()):
		m.at.Set(0, len(m.places), m.listHeight()-1)
	}
	return nil
}

// pressWords takes a key while the words are typed that items have: the list
// follows.
func (m *Model) pressWords(msg tea.KeyMsg) {
	if m.words.Press(msg) {
		m.at = widget.Cursor{}
		m.rebuild()
	}
}

// View draws the screen in exactly the size that Resize gave.
func (m *Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	if m.desk != nil {
		return m.desk.View()
	}
	return strings.Join(widget.Block(m.lines(), m.width, m.height), "\n")
}

func (m *Model) lines() []string {
	t := m.theme
	title := "Compare " + widget.Line(string(m.deps.Queue))
	switch {
	case m.experts:
		return m.curatedLines()
	case m.err != nil:
		out := []string{t.Section(title, "", true, m.width), ""}
		for _, l := range widget.Wrap(m.err.Error(), max(1, m.width-2)) {
			out = append(out, "  "+t.Bad.Render(l))
		}
		return out
	case m.all == nil:
		return []string{t.Section(title, "", true, m.width), "", "  " + t.Faint.Render("reading…")}
	}
	out := []string{t.Section(title, m.note(), true, m.width), m.figures()}
	if !m.listing {
		return append(append(out, m.matrixHead()), m.matrixLines(m.height-headLines)...)
	}
	out = append(out, m.filterLine())
	out = append(out, t.Table(m.table(), m.width, m.listHeight())...)
	return append(out, m.keptLine())
}

// note says how people came to one word, and what is settled.
func (m *Model) note() string {
	settled := 0
	for i := range m.all.Items {
		if m.all.Items[i].Settled {
			settled++
		}
	}
	note := fmt.Sprintf("%s, %s settled, consensus: %s", widget.Plural(len(m.all.Items), "item"), widget.Count(settled), m.all.Basis.Policy)
	if n := m.disputed(); n > 0 {
		note = fmt.Sprintf("%s: %s disputed · ", m.Spelled("e"), widget.Plural(n, "candidate")) + note
	}
	return note
}

// now is the extractor that is looked at.
func (m *Model) now() *alignment.ComparedExtractor {
	if m.extractor < 0 || m.extractor >= len(m.all.Extractors) {
		return nil
	}
	return &m.all.Extractors[m.extractor]
}

// figures is the extractor with its rate before and after rulings.
func (m *Model) figures() string {
	t, x := m.theme, m.now()
	if x == nil {
		return "  " + t.Faint.Render("no judge and no rules have read these answers yet")
	}
	out := "  " + t.Strong.Render(widget.Cut(widget.Line(x.Name), max(12, m.width/4))) +
		t.Faint.Render(fmt.Sprintf(" %d of %d  ", m.extractor+1, len(m.all.Extractors)))
	if x.Before.N == 0 {
		return widget.Fit(out+t.Faint.Render("– "+widget.Line(x.Before.Undefined)), m.width)
	}
	out += fmt.Sprintf("aligned %s [%.1f, %.1f] %d/%d", widget.Percent(x.Before.Value), 100*x.Before.Low, 100*x.Before.High, x.Before.K, x.Before.N)
	if x.Rulings > 0 {
		out += t.Faint.Render("  with rulings ")
		if x.After.N > 0 {
			out += fmt.Sprintf("%s %d/%d", widget.Percent(x.After.Value), x.After.K, x.After.N)
		} else {
			out += t.Faint.Render("– " + widget.Line(x.After.Undefined))
		}
	}
	return widget.Fit(out, m.width)
}

// matrixHead says what the matrix is of.
func (m *Model) matrixHead() string {
	x := &m.matrix
	text := fmt.Sprintf("%s compared", widget.Plural(x.Compared, "item"))
	if m.after {
		text += ", rulings counted"
	}
	if n := x.Blind - m.all.Elsewhere; n > 0 {
		text += fmt.Sprintf(" · %s blind until you %s", widget.Count(n), m.answering())
	}
	if n := m.all.Elsewhere; n > 0 {
		text += fmt.Sprintf(" · %s blind: open to you in another queue", widget.Count(n))
	}
	sep := " · left out: "
	for _, why := range slices.Sorted(maps.Keys(x.LeftOut)) {
		text += fmt.Sprintf("%s%s %s", sep, widget.Count(x.LeftOut[why]), why)
		sep = ", "
	}
	return widget.Fit("  "+m.theme.Faint.Render(text), m.width)
}

var betweenNames = [...]string{"anybody differs", "people and machine differ", "people differ", "machines differ"}

// filterLine says which items are listed, each filter that is on with its key.
func (m *Model) filterLine() string {
	t, f := m.theme, &m.filter
	var parts []string
	add := func(key, text string) { parts = append(parts, t.Key.Render(m.Spelled(key))+" "+text) }
	switch {
	case f.mine:
		add(".", "what you have not answered")
	case f.cell:
		parts = append(parts, fmt.Sprintf("people %s, machine %s", widget.Line(f.people), widget.Line(f.machine)))
	default:
		add("d", betweenNames[f.between])
	}
	if f.unsettled {
		add("o", "not settled")
	}
	if f.kind != 0 {
		add("c", map[annotate.Alignment]string{annotate.CaseOne: "Case I", annotate.CaseTwo: "Case II"}[f.kind])
	}
	if f.cause != 0 {
		add("y", causeWord(f.cause))
	}
	if f.model != "" {
		add("m", widget.Line(f.model))
	}
	if f.level != "" {
		add("t", widget.Line(f.level))
	}
	if f.annotator != "" {
		add("w", widget.Line(string(f.annotator)))
	}
	if f.unsure > 0 {
		add("s", fmt.Sprintf("less sure than %.0f %%", 100*f.unsure))
	}
	if len(parts) == 1 && !f.cell && !f.mine {
		parts = append(parts, t.Faint.Render(m.Keyed("{o c y m t w s /} narrow it down")))
	}
	if words := t.Filter(&m.words, max(24, m.width/3)); words != "" {
		parts = append(parts, words)
	}
	n := widget.Plural(len(m.places), "item")
	return widget.Ends("  "+strings.Join(parts, "  "), t.Faint.Render(n+" "), m.width)
}

// answering is what the person does about blind items: label those that still
// take a label, else settle them, or answer them where they are open.
func (m *Model) answering() string {
	switch {
	case m.all.Waiting > 0:
		return "label them in the queue"
	case m.all.Elsewhere == m.all.Blind:
		return "answer them in another queue"
	}
	return "answer: " + m.Spelled(".")
}

func (m *Model) keptLine() string {
	if m.kept == 0 {
		return ""
	}
	return widget.Fit("  "+m.theme.Faint.Render(widget.Plural(m.kept, "item")+" kept back: blind until you "+m.answering()), m.width)
}

func (m *Model) table() widget.Table {
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
		Rows: len(m.places), Cursor: m.at, Focused: true, Empty: "No such item.",
		Row: func(i int) []string { return m.cells(&m.all.Items[m.places[i]]) },
	}
}

func (m *Model) cells(it *alignment.ComparedItem) []string {
	t := m.theme
	mark := " "
	if it.Settled {
		mark = t.Good.Render("✓")
	}
	sample, pass, path := widget.Line(string(it.Sample)), fmt.Sprint(it.Key.Pass), widget.Line(eval.Path(it.Taxonomy))
	if !it.Shown {
		return []string{t.Faint.Render("·"), sample, pass, t.Faint.Render("blind: you first"), "", "", "", "", path}
	}
	final, cause := "", ""
	if r, ok := annotate.RulingOf(it.Rulings); ok {
		final, cause = labeloption.Word(r.Reading), causeWord(r.Cause)
	} else if len(it.Rulings) > 0 {
		final = t.Warn.Render("disputed")
	}
	return []string{mark, sample, pass, widget.Line(said(it.Labels)), m.machineWord(it), final, cause, widget.Line(it.Model), path}
}

// machineWord is what the extractor read, also of what is not compared.
func (m *Model) machineWord(it *alignment.ComparedItem) string {
	if m.extractor >= len(it.Compared) {
		return ""
	}
	switch c := &it.Compared[m.extractor]; {
	case c.LeftOut == "":
		return widget.Line(c.SaidByMachine())
	case m.extractor < len(it.After) && it.After[m.extractor].LeftOut == "":
		return widget.Line(it.After[m.extractor].SaidByMachine())
	}
	return m.theme.Faint.Render("–")
}

// said is everybody's label in a few words.
func said(labels []annotate.Label) string {
	parts := make([]string, len(labels))
	for i, l := range labels {
		parts[i] = string(l.Annotator) + " " + labeloption.Word(l.Reading)
	}
	return strings.Join(parts, ", ")
}

// causeWord is who was right; "" when nobody has said.
func causeWord(c annotate.Cause) string { return strings.ReplaceAll(c.String(), "_", " ") }
