package adjudicate

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// headLines stand above matrix and list: queue, extractor, what is shown.
const headLines = 3

func (m *Model) pressList(msg tea.KeyMsg) tea.Cmd {
	n := len(m.diffs.places)
	if by, ok := m.keys.moves.By(msg, m.size.listHeight(), n); ok {
		m.diffs.at.Move(by, n, m.size.listHeight()-1)
		return nil
	}
	switch {
	case key.Matches(msg, m.keys.open):
		return m.open()
	case key.Matches(msg, m.keys.words):
		m.diffs.words.Start()
	case m.diffs.narrow(msg.String()):
		m.diffs.at.Set(0, len(m.diffs.places), m.size.listHeight()-1)
	}
	return nil
}

// View draws the screen in exactly the size that Resize gave.
func (m *Model) View() string {
	if m.size.width <= 0 || m.size.height <= 0 {
		return ""
	}
	if m.desk != nil {
		return m.desk.View()
	}
	return strings.Join(widget.Block(m.lines(), m.size.width, m.size.height), "\n")
}

func (m *Model) lines() []string {
	t := m.theme
	title := "Compare " + widget.Line(string(m.deps.Queue))
	switch {
	case m.experts:
		return m.curation.curatedLines()
	case m.err != nil:
		out := []string{t.Section(title, "", true, m.size.width), ""}
		for _, l := range widget.Wrap(m.err.Error(), max(1, m.size.width-2)) {
			out = append(out, "  "+t.Bad.Render(l))
		}
		return out
	case m.diffs.all == nil:
		return []string{t.Section(title, "", true, m.size.width), "", "  " + t.Faint.Render("reading…")}
	}
	out := []string{t.Section(title, m.note(), true, m.size.width), m.diffs.figures()}
	if !m.listing {
		return append(append(out, m.diffs.matrixHead()), m.diffs.matrixLines(m.size.height-headLines)...)
	}
	out = append(out, m.diffs.filterLine())
	out = append(out, t.Table(m.diffs.table(), m.size.width, m.size.listHeight())...)
	return append(out, m.diffs.keptLine())
}

// note says how people came to one word, and what is settled.
func (m *Model) note() string {
	settled := 0
	for i := range m.diffs.all.Items {
		if m.diffs.all.Items[i].Adjudicated {
			settled++
		}
	}
	note := fmt.Sprintf("%s, %s adjudicated, consensus: %s", widget.Plural(len(m.diffs.all.Items), "item"), widget.Count(settled), m.diffs.all.Basis.Policy)
	if n := m.curation.disputed(); n > 0 {
		note = fmt.Sprintf("%s: %s disputed · ", m.Spelled("e"), widget.Plural(n, "candidate")) + note
	}
	return note
}

var betweenNames = [...]string{"anyone disagrees", "people and extractor disagree", "people disagree", "extractors disagree"}

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
