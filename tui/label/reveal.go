package label

import (
	"maps"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// reveal is what the machine made of the item in front, once asked for.
type reveal struct {
	of   annotate.ItemKey
	done bool
	what blind.Revealed
	err  error
}

type shown struct {
	of   *Model
	key  annotate.ItemKey
	what blind.Revealed
	err  error
}

// toggleReveal opens and closes the machine's readings. The session refuses
// before the annotator's own answer, whatever the screen thinks.
func (m *Model) toggleReveal(string) tea.Cmd {
	if m.Mode == annotation.Revealed {
		m.Mode = annotation.Reading
		return nil
	}
	_, k, _ := m.Session.Current()
	ctx, d := m.Context(), m.deps
	look, load, err := m.Session.Reveal(k, func(truth bool) (blind.Revealed, error) {
		return d.Revealer.Reveal(ctx, d.Queue, k, truth)
	})
	if err != nil {
		m.Refusal = err.Error()
		return nil
	}
	m.Mode, m.top[panelPane], m.reveal = annotation.Revealed, 0, reveal{of: k}
	return annotation.Show(m.Sitting, look, load, func(what blind.Revealed, err error) tea.Msg {
		return shown{m, k, what, err}
	})
}

func (m *Model) unveil(msg shown) {
	if m.Mode == annotation.Revealed && msg.key == m.reveal.of {
		m.reveal.done, m.reveal.what, m.reveal.err = true, msg.what, msg.err
	}
}

// revealLines are the readings of each extractor with whether they agree, and
// the judges' own words.
func (m *Model) revealLines(width int) []string {
	t, r := m.Theme, &m.reveal
	switch {
	case r.err != nil:
		return []string{t.Bad.Render(widget.Line(r.err.Error()))}
	case !r.done:
		return []string{t.Faint.Render("reading…")}
	}
	out := m.told(width)
	if len(r.what.Readings) == 0 {
		out = append(out, t.Faint.Render("no extractor has read this answer"))
	}
	for _, x := range r.what.Readings {
		mark := t.Bad.Render("≠ differs")
		switch {
		case m.drewFrom(x.Extractor):
			mark = t.Faint.Render("left out ") // the queue is what it cannot read
		case x.Agrees:
			mark = t.Good.Render("= agrees ")
		}
		out = append(out, mark+"  "+widget.Line(x.Extractor)+"  "+t.Strong.Render(labeloption.MachineWord(x)))
		if x.Raw == "" {
			continue
		}
		for _, l := range widget.Wrap(bounded(x.Raw), max(1, width-13)) {
			out = append(out, strings.Repeat(" ", 9)+t.Faint.Render("│ "+l))
		}
	}
	return out
}

// told is what is said of the item itself: in one line, if it fits.
func (m *Model) told(width int) []string {
	what := &m.reveal.what
	parts := []string{"you " + labeloption.Word(what.Own), "model " + widget.Line(what.Model)}
	if what.Model == "" {
		parts[1] = "model withheld: another queue asks you about this answer"
	}
	switch {
	case what.Truth != "":
		parts = append(parts, "truth "+string(what.Truth))
	case what.Withheld:
		parts = append(parts, "truth withheld: another item on this sample is open or may come")
	case what.Own.Verdict != annotate.Scored: // of one that is scored the right answer stands above
		parts = append(parts, "no ground truth")
	}
	if line := strings.Join(parts, "   "); widget.Width(line) <= width {
		return []string{line}
	}
	var out []string
	for _, p := range parts {
		out = append(out, widget.Wrap(p, width)...)
	}
	return out
}

// agreement is how often a judge reads what the annotator does.
type agreement struct {
	extractor string
	agree, n  int
}

// summary is what is shown when a queue is done.
type summary struct {
	asked   bool
	acts    int // made when it was asked for
	done    bool
	against []agreement
	err     error
}

type compared struct {
	of      *Model
	against []agreement
	err     error
}

func (s *summary) take(msg compared) {
	s.done, s.against, s.err = true, msg.against, msg.err
}

// compare reveals the judges' readings of all that was answered, once the
// queue is done and its end is in front. It counts as the alignment report
// does: what is flagged is left out. How the rules do on what they mostly
// cannot read takes that report to say.
func (m *Model) compare() tea.Cmd {
	s := m.Session
	if m.Growing || s.Len() == 0 || s.Open() > 0 || m.Front() >= 0 || m.summary.asked && m.summary.acts == m.Acts {
		return nil
	}
	m.summary = summary{asked: true, acts: m.Acts}
	ctx, d := m.Context(), m.deps
	st, flagged := annotate.State{Labels: maps.Clone(s.State().Labels)}, maps.Clone(s.State().Flagged)
	return func() tea.Msg {
		out := compared{of: m}
		at := make(map[string]int)
		for k := range st.Labels {
			if flagged[k] {
				continue
			}
			r, err := blind.Reveal(st, k, func() (blind.Revealed, error) {
				return d.Revealer.Totals(ctx, d.Queue, k)
			})
			if err != nil {
				out.err = err
				break
			}
			for _, x := range r.Readings {
				i, ok := at[x.Extractor]
				if !x.Judge {
					continue
				}
				if !ok {
					i = len(out.against)
					at[x.Extractor] = i
					out.against = append(out.against, agreement{extractor: x.Extractor})
				}
				out.against[i].n++
				if x.Agrees {
					out.against[i].agree++
				}
			}
		}
		return out
	}
}
