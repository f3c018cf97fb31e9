package label

import (
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// Why something cannot be done now; "" when it can.

func (m *Model) noReveal() string { return m.NoReveal("the extracted answers") }

// noVerdict refuses readings that are no option where an answer is scored.
func (m *Model) noVerdict() string {
	if why := m.NoItem(); why != "" {
		return why
	}
	if labeloption.Scored(&m.Body().Item) {
		return "this answer is scored: 1 to 5 say how right it is"
	}
	return ""
}

func (m *Model) noOther() string {
	switch v := m.item.measure(); {
	case *m.item.space == widget.FullPane:
		return m.Keyed("the answer has the whole screen; {less_room} shows the question beside it")
	case v.question >= v.questionLines:
		return "all of the question is shown"
	case v.focus != m.item.focus:
		return m.Keyed("all of the answer is shown, {up} and {down} scroll the question")
	}
	return ""
}
