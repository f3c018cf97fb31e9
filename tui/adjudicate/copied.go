package adjudicate

// Copied is the answer on the item view; on the list, the sample's id.
func (m *Model) Copied() (what, text string) {
	switch {
	case m.desk != nil:
		return m.desk.Copied()
	case m.listing && !m.experts && m.diffs.at.At < len(m.diffs.places):
		return "the sample's id", string(m.diffs.all.Items[m.diffs.places[m.diffs.at.At]].Sample)
	}
	return "", ""
}
