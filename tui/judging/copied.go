package judging

// Copied is the reply under the cursor as the judge gave it, or why there is
// none.
func (m *Model) Copied() (what, text string) {
	l := m.shown.list()
	if l == nil || l.at.At >= len(l.rows) {
		return "", ""
	}
	switch r := &l.rows[l.at.At]; {
	case !r.Visibility.ShowsText():
		return "", ""
	case r.Failure != "":
		return "the error", r.Failure
	default:
		return "the reply", r.Raw
	}
}
