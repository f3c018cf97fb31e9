package review

import "slices"

// Why something cannot be done now; "" when it can.

func (m *Model) noFront() string {
	if m.front() < 0 {
		return "no item is in front"
	}
	return ""
}

func (m *Model) noItem() string {
	if why := m.noFront(); why != "" {
		return why
	}
	switch pg := m.page(); {
	case pg == nil:
		return "the item is being read"
	case pg.err != nil:
		return "the item cannot be read"
	}
	return ""
}

func (m *Model) noUndo() string {
	if m.session == nil || !m.session.CanUndo() {
		return "nothing to undo"
	}
	return ""
}

func (m *Model) noRedo() string {
	if m.session == nil || !m.session.CanRedo() {
		return "nothing to redo"
	}
	return ""
}

func (m *Model) noFailure() string {
	// Of the journal itself: its news may be on their way.
	if m.deps.Journal.State().Err == nil {
		return "everything is saved, or about to be"
	}
	return ""
}

func (m *Model) noReveal() string {
	if why := m.noItem(); why != "" {
		return why
	}
	_, k, _ := m.session.Current()
	if _, done := m.session.State().Labels[k]; !done {
		return "the machine's readings are shown after your own answer"
	}
	return ""
}

func (m *Model) noPicture() string {
	if why := m.noItem(); why != "" {
		return why
	}
	if len(m.page().pictures) == 0 {
		return "the item has no picture"
	}
	return ""
}

func (m *Model) noPictures() string {
	if why := m.noPicture(); why != "" {
		return why
	}
	if len(m.page().pictures) == 1 {
		return "the item has one picture only"
	}
	return ""
}

func (m *Model) noPrevious() string {
	if m.session == nil || m.session.At() == 0 {
		return "this is the first item"
	}
	return ""
}

func (m *Model) noNext() string {
	if m.session == nil || m.session.At() >= m.session.Len() {
		return "this is the end of the queue"
	}
	return ""
}

func (m *Model) noOpen() string {
	if m.session == nil || m.session.Open() == 0 {
		return "no item is open"
	}
	return ""
}

func (m *Model) noOther() string {
	switch v := m.measure(); {
	case v.question >= v.questionLines:
		return "all of the question is shown"
	case v.focus != m.focus:
		return "all of the answer is shown, j and k scroll the question"
	}
	return ""
}

// noMeaning is why a key does nothing in the present mode.
func (m *Model) noMeaning(name string) string {
	elsewhere := slices.ContainsFunc(m.table, func(a action) bool { return slices.Contains(a.bind.Keys(), name) })
	switch {
	case !elsewhere:
		return "no key of this screen, ? shows them all"
	case m.mode == picking:
		return "not while options are marked; enter saves, esc goes back"
	case m.mode == zooming:
		return "not over the picture; z or esc goes back"
	case m.mode == guiding:
		return "not over the guideline; i or esc goes back"
	}
	return "not now"
}
