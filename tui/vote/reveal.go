package vote

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// reveal is whose answers the pair in front holds, once asked for.
type reveal struct {
	of   annotate.ItemKey
	done bool
	what blind.RevealedPair
	err  error
}

type unmasked struct {
	of   *Model
	key  annotate.ItemKey
	what blind.RevealedPair
	err  error
}

// toggleReveal opens and closes the models' names and the judges' votes. The
// session refuses before the annotator's own vote, whatever the screen thinks.
func (m *Model) toggleReveal(string) tea.Cmd {
	if m.Mode == annotation.Revealed {
		m.Mode = annotation.Reading
		return nil
	}
	_, k, _ := m.Session.Current()
	ctx, d := m.Context(), m.deps
	look, load, err := m.Session.RevealPair(k, func() (blind.RevealedPair, error) {
		return d.Unmasker.Unmask(ctx, d.Queue, k)
	})
	if err != nil {
		m.Refusal = err.Error()
		return nil
	}
	m.Mode, m.top[panelPane], m.reveal = annotation.Revealed, 0, reveal{of: k}
	return annotation.Show(m.Sitting, look, load, func(what blind.RevealedPair, err error) tea.Msg {
		return unmasked{m, k, what, err}
	})
}

func (m *Model) unmask(msg unmasked) {
	if m.Mode == annotation.Revealed && msg.key == m.reveal.of {
		m.reveal.done, m.reveal.what, m.reveal.err = true, msg.what, msg.err
	}
}

// panel shows what was revealed in the place of the question.
func (m *Model) panel(g geometry) []string {
	width := m.panelWidth(g)
	lines := m.revealLines(width)
	rows := m.panelRows(g)
	from := max(0, min(m.top[panelPane], len(lines)-rows))
	out := []string{annotation.Section(m.Theme, "Whose answers they are", from, rows, len(lines), m.Keyed("{j k} scroll"), true, width)}
	out = append(out, lines[from:min(len(lines), from+rows)]...)
	return widget.Block(out, width, m.high(g))
}

func (m *Model) panelWidth(g geometry) int {
	if g.column {
		return g.wide
	}
	return m.Width
}

func (m *Model) panelRows(g geometry) int { return max(0, m.high(g)-1) }

// panelLast is the first line shown of the open panel when its end is.
func (m *Model) panelLast() int {
	if m.Mode == annotation.Guiding {
		return max(0, len(m.Guide.Text(labeloption.VoteGuideline(m.Spelled)))-max(1, m.Main()-1))
	}
	p := m.Body()
	if p == nil {
		return 0
	}
	g := m.geometry(p)
	return max(0, len(m.revealLines(m.panelWidth(g)))-m.panelRows(g))
}

// revealLines are the names of the models and, as the annotator would have
// said it, what each judge voted in either order.
func (m *Model) revealLines(width int) []string {
	t, r := m.Theme, &m.reveal
	switch {
	case r.err != nil:
		return []string{t.Bad.Render(widget.Line(r.err.Error()))}
	case !r.done:
		return []string{t.Faint.Render("reading…")}
	case r.what.Withheld:
		return faint(m, "Withheld: another item about this sample is open or may come, and one of these answers may stand in it.", width)
	}
	what := &r.what
	names := [2]string{what.Model, what.Against}
	if what.Own.Swapped {
		names[0], names[1] = names[1], names[0]
	}
	var out []string
	for i, n := range names {
		l := "Answer " + string(rune('1'+i)) + "  " + t.Strong.Render(widget.Cut(widget.Line(n), max(1, width-24)))
		if v := what.Own.Vote; v == eval.Answer1 && i == 0 || v == eval.Answer2 && i == 1 {
			l += t.Good.Render("  ▸ your vote")
		}
		out = append(out, l)
	}
	if v := what.Own.Vote; !v.Decided() {
		out = append(out, t.Good.Render("▸ your vote  ")+labeloption.VoteWord(v))
	}
	if len(what.Judges) == 0 {
		return append(out, faint(m, "no judge has voted on this pair", width)...)
	}
	return append(out, m.judged(width)...)
}

// judged are the judges' votes, each with its own words.
func (m *Model) judged(width int) []string {
	t, what := m.Theme, &m.reveal.what
	votes := slices.Clone(what.Judges)
	slices.SortStableFunc(votes, func(a, b eval.Preference) int {
		_, first := what.Preferred(&a)
		_, second := what.Preferred(&b)
		return cmp.Or(cmp.Compare(a.Judge, b.Judge), strings.Compare(method(&a), method(&b)), cmp.Compare(order(second), order(first)))
	})
	last := ""
	var out []string
	for i := range votes {
		p := &votes[i]
		if name := widget.Line(p.Judge) + method(p); name != last {
			out = append(out, "")
			out = append(out, widget.Wrap(name, width)...)
			last = name
		}
		v, same := what.Preferred(p)
		mark := t.Bad.Render("≠ differs")
		switch v {
		case eval.VoteUnset:
			mark = t.Faint.Render("no vote  ")
		case what.Own.Vote:
			mark = t.Good.Render("= agrees ")
		case eval.Answer1, eval.Answer2, eval.SituationOne, eval.SituationTwo:
		}
		shown := "shown as to you"
		if !same {
			shown = "shown the other way round"
		}
		out = append(out, mark+"  "+t.Strong.Render(labeloption.VoteWord(v))+t.Faint.Render("  "+shown))
		for _, l := range widget.Wrap(bounded(p.Raw), max(1, width-4)) {
			out = append(out, t.Faint.Render("  │ "+l))
		}
	}
	return out
}

func order(same bool) int {
	if same {
		return 1
	}
	return 0
}

// method is how a judge was asked, as far as it is not the usual way.
func method(p *eval.Preference) string {
	out := ", without criteria"
	if p.Criteria {
		out = ", with criteria"
	}
	if p.Input != eval.InputUnset && p.Input != eval.SeesImage {
		out += ", seeing " + p.Input.String()
	}
	if p.Repeat > 0 {
		out += ", asked again"
	}
	return out
}

func faint(m *Model, text string, width int) []string {
	var out []string
	for _, l := range widget.Wrap(text, max(1, width)) {
		out = append(out, m.Theme.Faint.Render(l))
	}
	return out
}
