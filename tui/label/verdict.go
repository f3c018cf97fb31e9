package label

import (
	"strings"

	"concord/annotate"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// verdictWord is a reading that is no option, with the action that says it.
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

// verdicts are the readings that are no option, with their keys.
func (iv *itemView) verdicts(pg *page, own annotate.Reading, width int) []string {
	var out []string
	for _, words := range pg.verdictWords(width) {
		out = append(out, widget.Cut(" "+iv.verdictRow(words, own, "  "), width))
	}
	return out
}

// verdictRow is some of them in one line.
func (iv *itemView) verdictRow(words []verdictWord, own annotate.Reading, between string) string {
	parts := make([]string, len(words))
	for i, w := range words {
		mark := "  "
		if own.Verdict == w.verdict {
			mark = "▸ "
		}
		parts[i] = iv.Theme.Good.Render(mark) + iv.Theme.Key.Render(iv.Spelled(w.key)) + " " + w.verdict.String()
	}
	return strings.Join(parts, between)
}

// verdictKeys are the readings that are no option, with their keys.
func verdictKeys() []verdictWord {
	return []verdictWord{{"none", annotate.SaidNone}, {"several", annotate.SaidAmbiguous}, {"refused", annotate.SaidRefused}}
}
