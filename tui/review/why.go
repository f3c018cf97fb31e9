package review

// Why something cannot be done now; "" when it can.

func (m *Model) noReveal() string { return m.NoReveal("the machine's readings") }

func (m *Model) noOther() string {
	switch v := m.measure(); {
	case v.question >= v.questionLines:
		return "all of the question is shown"
	case v.focus != m.focus:
		return "all of the answer is shown, j and k scroll the question"
	}
	return ""
}
