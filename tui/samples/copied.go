package samples

// Copied is the answer of the shown pass as the model gave it, or why there is
// none; on the list, the sample's id.
func (m *Model) Copied() (what, text string) {
	d := m.detail
	switch {
	case d == nil && m.list.Row() != nil:
		return "the sample's id", string(m.list.Row().Sample)
	case d == nil:
		return "", ""
	case d.at < len(d.Passes):
		p := &d.Passes[d.at]
		switch {
		case !p.Visibility.ShowsText():
			return "", ""
		case p.Failure != nil:
			return "the error", p.Failure.Error()
		}
		return "the answer", p.Text
	}
	return "the question", d.Question
}
