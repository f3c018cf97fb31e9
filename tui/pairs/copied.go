package pairs

// Copied is both answers of the pair that is open, as the models gave them; on
// the list, the sample's id.
func (m *Model) Copied() (what, text string) {
	switch p := m.page; {
	case p == nil && m.list.Row() != nil:
		return "the sample's id", string(m.list.Row().Sample)
	case p == nil || !p.loaded || p.Blinded:
		return "", ""
	default:
		a, b := p.Answers[0].Text, p.Answers[1].Text
		return "both answers", "Answer 1:\n" + a + "\n\nAnswer 2:\n" + b + "\n"
	}
}
