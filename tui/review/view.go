package review

import (
	"fmt"
	"strings"

	"concord/annotate"
	"concord/tui/widget"
)

// View draws the screen in exactly the size that Resize gave.
func (m *Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	var lines []string
	switch {
	case m.err != nil:
		lines = m.trouble("The queue cannot be opened: " + m.err.Error())
	case m.session == nil:
		lines = []string{"", " " + m.theme.Faint.Render("opening "+widget.Line(string(m.deps.Queue))+"…")}
	case m.mode == zooming && m.page() != nil:
		lines = m.zoomed()
	default:
		lines = append(m.header(), m.main()...)
		lines = append(lines, m.status())
	}
	return strings.Join(widget.Block(lines, m.width, m.height), "\n")
}

// trouble is a problem in the place of what it keeps from being shown.
func (m *Model) trouble(text string) []string {
	lines := []string{""}
	for _, l := range widget.Wrap(text, max(1, m.width-2)) {
		lines = append(lines, " "+m.theme.Bad.Render(l))
	}
	return lines
}

func (m *Model) main() []string {
	height := max(1, m.height-headerLines-statusLines)
	pg := m.page()
	switch {
	case m.mode == guiding:
		return m.guideline(height)
	case m.front() < 0:
		return m.finished(height)
	case pg == nil:
		return widget.Block([]string{"", " " + m.theme.Faint.Render("reading the item…")}, m.width, height)
	case pg.err != nil:
		return widget.Block(m.trouble("This item cannot be read: "+pg.err.Error()), m.width, height)
	}
	lines, _ := m.arrange(pg)
	return lines
}

// header is the queue with the annotator's own progress and what is saved,
// and the item in front.
func (m *Model) header() []string {
	t, s := m.theme, m.session
	done, all := s.Len()-s.Open(), s.Len()
	left := " " + t.Strong.Render(widget.Cut(widget.Line(string(m.deps.Queue)), max(8, m.width/4))) + "  "
	left += fmt.Sprintf("%s/%s ", widget.Count(done), widget.Count(all))
	if all > 0 {
		left += t.Bar(min(20, m.width/6), float64(done)/float64(all))
	}
	if s.Queue().Synthetic && m.width >= 80 {
		left += t.Warn.Render("  synthetic")
	}
	if n := len(s.State().Skipped); n > 0 {
		left += t.Faint.Render(fmt.Sprintf("  %d put off", n))
	}
	return []string{widget.Ends(left, m.saved()+" ", m.width), m.place()}
}

// saved is the state of the annotator's acts: saved only once committed.
func (m *Model) saved() string {
	t, st := m.theme, m.saving
	switch {
	case st.Err != nil:
		room := max(12, m.width/2-13)
		return t.Bad.Render("NOT SAVED: " + widget.Cut(widget.Line(st.Err.Error()), room))
	case st.Pending > 0:
		return t.Warn.Render("saving…")
	case !st.At.IsZero():
		return t.Good.Render("saved " + st.At.Local().Format("15:04:05"))
	}
	return ""
}

// place is the line about the item in front.
func (m *Model) place() string {
	t, s, pg := m.theme, m.session, m.page()
	_, k, ok := s.Current()
	if !ok {
		return ""
	}
	left := t.Faint.Render(fmt.Sprintf(" item %s of %s", widget.Count(s.At()+1), widget.Count(s.Len())))
	if s.State().Flagged[k] {
		left += t.Warn.Render("  ⚑ flagged")
	}
	if s.State().Skipped[k] {
		left += t.Faint.Render("  put off before")
	}
	if pg == nil || pg.err != nil {
		return widget.Fit(left, m.width)
	}
	left += t.Faint.Render("  sample " + widget.Cut(widget.Line(string(pg.item.Sample)), 16))
	if k.Pass > 0 {
		turned := ", options turned by %d"
		if m.width < wideFrom {
			turned = ", turned by %d"
		}
		left += t.Faint.Render(fmt.Sprintf(turned, k.Pass))
	}
	right := ""
	switch g := m.geometry(pg); {
	case len(pg.pictures) == 0:
		right = t.Faint.Render("no picture ")
	case g.form != aside:
		right = m.caption(pg) + " "
		if g.form == plain && m.noPicture() == "" {
			right = m.caption(pg) + m.theme.Key.Render("  z") + m.theme.Faint.Render(" shows it ")
		}
	}
	return widget.Ends(left, right, m.width)
}

// status is the last line: the mode, a failure, or what the annotator said of
// the item before.
func (m *Model) status() string {
	t := m.theme
	if m.refusal != "" && m.mode != noting {
		return widget.Fit(" "+t.Warn.Render("✗ "+m.refusal), m.width)
	}
	switch m.mode {
	case noting:
		return widget.Fit(" "+t.Title.Render("NOTE")+" "+m.note.View(), m.width)
	case picking:
		return widget.Fit(" "+t.Title.Render("AMBIGUOUS")+" mark the options it wavers between, then enter", m.width)
	case reading, guiding, zooming, revealed:
	}
	if st := m.saving; st.Err != nil {
		return t.Bad.Render(widget.Fit(fmt.Sprintf(" NOT SAVED: %s. They are kept: ctrl+s saves again.",
			widget.Plural(st.Pending, "act")), m.width))
	}
	if n := len(m.typed); n > 0 {
		return t.Faint.Render(widget.Fit(" "+widget.Plural(n, "key")+" typed ahead", m.width))
	}
	return widget.Fit(m.own(), m.width)
}

// own is what the annotator has said of the item in front.
func (m *Model) own() string {
	t := m.theme
	_, k, ok := m.session.Current()
	if !ok {
		return ""
	}
	var out string
	st := m.session.State()
	if l, done := st.Labels[k]; done {
		out += " " + t.Good.Render("▸ your answer: "+word(l.Reading))
		if l.Imported {
			out += t.Faint.Render(" (imported)")
		}
	}
	if n := st.Notes[k]; n != "" {
		out += " " + t.Faint.Render("note: ") + widget.Line(n)
	}
	return out
}

// answered is the reading that stands for the item in front.
func (m *Model) answered() annotate.Reading {
	if m.session == nil {
		return annotate.Reading{}
	}
	if _, k, ok := m.session.Current(); ok {
		return m.session.State().Labels[k].Reading
	}
	return annotate.Reading{}
}
