package criteria

// Copied is the id of the sample in front.
func (m *Model) Copied() (what, text string) {
	if m.dataset == "" || m.loading {
		return "", ""
	}
	if i, ok := m.front(); ok && i < len(m.rows) {
		return "the sample's id", string(m.rows[i].Sample.ID)
	}
	return "", ""
}
