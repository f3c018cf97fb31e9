package curate

// Copied is the id of the candidate in front.
func (m *Model) Copied() (what, text string) {
	if c := m.cards.card(); c != nil {
		return "the sample's id", string(c.Sample.ID)
	}
	return "", ""
}
