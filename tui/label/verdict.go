package label

import (
	"concord/annotate"
	"concord/tui/labeloption"
)

// verdictWord is a reading that is no option, with its key.
type verdictWord struct {
	key     string
	verdict annotate.Verdict
}

// verdictWords are the readings that are no option, in as many lines as they
// take in this width. A score says it all.
func (pg *page) verdictWords(width int) (lines [][]verdictWord) {
	if labeloption.Scored(&pg.Item) {
		return nil
	}
	const around = 6 // cells of mark, key and the air behind a word
	room := 0
	for _, w := range verdictKeys() {
		n := len(w.verdict.String()) + around
		if room < n-2 || lines == nil {
			lines, room = append(lines, nil), width-1
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], w)
		room -= n
	}
	return lines
}
