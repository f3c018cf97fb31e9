package adjudicate

// Copied is the answer on the desk; on the list, the sample's id.
func (m *Model) Copied() (what, text string) {
	switch {
	case m.desk != nil:
		return m.desk.Copied()
	case m.listing && !m.experts && m.at.At < len(m.places):
		return "the sample's id", string(m.all.Items[m.places[m.at.At]].Sample)
	}
	return "", ""
}
