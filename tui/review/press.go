package review

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/widget"
)

// press takes a key behind those that still wait for their item. Keys come
// one by one: the root takes apart what was read at once.
func (m *Model) press(msg tea.KeyMsg) {
	if msg.Paste && m.mode != noting {
		return // what is pasted into a screen of one-key commands is a mistake
	}
	m.typed = append(m.typed, msg)
}

// replay handles the keys that were pressed, each with its item in front.
func (m *Model) replay() tea.Cmd {
	var cmds []tea.Cmd
	for len(m.typed) > 0 && m.ready() {
		msg := m.typed[0]
		m.typed = m.typed[1:]
		cmds = append(cmds, m.handle(msg))
	}
	return tea.Batch(cmds...)
}

// ready reports whether the item in front is there.
func (m *Model) ready() bool {
	return m.err != nil || m.session != nil && (m.front() < 0 || m.page() != nil)
}

// page is the item in front; nil when there is none, or it is on its way.
func (m *Model) page() *page { return m.pages.get(m.front()) }

func (m *Model) handle(msg tea.KeyMsg) tea.Cmd {
	if m.session == nil {
		return nil
	}
	m.timer.touch(m.deps.Now())
	m.refusal = ""
	name := msg.String()
	for i := range m.table {
		a := &m.table[i]
		if !a.in(m.mode) || !slices.Contains(a.bind.Keys(), name) {
			continue
		}
		if why := a.blocked(m); why != "" {
			m.refusal = name + ": " + why
			return nil
		}
		return a.do(m, name)
	}
	if m.mode == noting {
		var cmd tea.Cmd
		m.note, cmd = m.note.Update(msg)
		return cmd
	}
	m.refusal = widget.Line(name) + ": " + m.noMeaning(name)
	return nil
}

// submit hands an act to the journal: in memory, in order, without waiting.
func (m *Model) submit(a annotate.Act) {
	m.deps.Journal.Submit(a)
	m.saving.Pending++
	m.saving.Err = nil
	m.summary.stale = m.summary.stale || a.Kind != annotate.Looked
}

// label is the action that gives a reading.
func label(r annotate.Reading) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd { return m.label(r) }
}

func (m *Model) label(r annotate.Reading) tea.Cmd {
	a, ok := m.session.Label(r, m.timer.touch(m.deps.Now()))
	if !ok {
		return nil
	}
	m.submit(a)
	return m.moved()
}

func (m *Model) choose(key string) tea.Cmd {
	c, ok := find(m.page().choices, key)
	if !ok {
		m.refusal = key + ": no option has this key"
		return nil
	}
	return m.label(annotate.Reading{Verdict: annotate.PickedOption, Choice: c.Choice})
}

func (m *Model) startPicking(string) tea.Cmd {
	m.mode, m.picked = picking, make(map[eval.Choice]bool)
	return nil
}

func (m *Model) pick(key string) tea.Cmd {
	c, ok := find(m.page().choices, key)
	if !ok {
		m.refusal = key + ": no option has this key"
		return nil
	}
	m.picked[c.Choice] = !m.picked[c.Choice]
	return nil
}

func (m *Model) savePicked(string) tea.Cmd {
	r := annotate.Reading{Verdict: annotate.SaidAmbiguous}
	for _, c := range m.page().choices {
		if m.picked[c.Choice] {
			r.Several = append(r.Several, c.Choice)
		}
	}
	m.mode = reading
	return m.label(r)
}

func (m *Model) skip(string) tea.Cmd {
	if a, ok := m.session.Skip(m.timer.touch(m.deps.Now())); ok {
		m.submit(a)
	}
	return m.moved()
}

func (m *Model) flag(string) tea.Cmd {
	if a, ok := m.session.ToggleFlag(); ok {
		m.submit(a)
	}
	return nil
}

func (m *Model) undo(string) tea.Cmd {
	a, of, ok := m.session.Undo()
	return m.jumped("undid", a, of, ok)
}

func (m *Model) redo(string) tea.Cmd {
	a, of, ok := m.session.Redo()
	return m.jumped("did again", a, of, ok)
}

func (m *Model) jumped(what string, a, of annotate.Act, ok bool) tea.Cmd {
	if !ok {
		return nil
	}
	m.submit(a)
	text := fmt.Sprintf("%s: %s on item %d", what, did(of), m.session.At()+1)
	return tea.Batch(m.moved(), notify(widget.Info, text))
}

func (m *Model) startNote(string) tea.Cmd {
	m.mode = noting
	_, k, _ := m.session.Current()
	m.note.SetValue(m.session.State().Notes[k])
	m.note.CursorEnd()
	return m.note.Focus()
}

func (m *Model) endNote(string) tea.Cmd {
	m.keepNote()
	m.mode = reading
	return nil
}

func (m *Model) keepNote() {
	m.note.Blur()
	if a, ok := m.session.Note(m.note.Value()); ok {
		m.submit(a)
	}
}

func (m *Model) retry(string) tea.Cmd {
	m.deps.Journal.Retry()
	return nil
}

func (m *Model) previous(string) tea.Cmd {
	m.session.Prev()
	return m.moved()
}

func (m *Model) following(string) tea.Cmd {
	m.session.Next()
	return m.moved()
}

func (m *Model) toOpen(string) tea.Cmd {
	m.session.ToOpen()
	return m.moved()
}
