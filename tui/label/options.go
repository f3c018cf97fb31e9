package label

import (
	"fmt"
	"strings"

	"concord/annotate"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// optionBlock is the options as the frame has them. They never scroll: where
// there is no room for their whole texts each has a line, else they stand in
// columns, else in pages, and the key of one on another page turns to it.
type optionBlock struct {
	lines    []string
	from, to int // which of the choices stand there
	each     int // how many a page has; 0: all stand there
}

// layOutOptions lays the options out in rows lines at most, if they need more.
func (iv *itemView) layOutOptions(pg *itemPage, width, rows int) optionBlock {
	if all := iv.drawOptions(pg, width); len(all) <= rows {
		return optionBlock{lines: all, to: len(pg.choices)}
	}
	var foot []string
	if !labeloption.IsFixed(&pg.Item) && rows > 1 {
		foot = []string{widget.CutWidth(iv.drawVerdictRow(listVerdicts(), iv.standingReading(), ""), width)}
	}
	rows, n := max(1, rows-len(foot)), len(pg.choices)
	columns := max(1, (n+rows-1)/rows)
	most := max(1, width/annotation.LeastOption)
	if columns <= most {
		return optionBlock{lines: append(iv.drawOptionRows(pg, 0, n, (n+columns-1)/columns, width), foot...), to: n}
	}
	if len(foot) == 0 && rows > 1 {
		foot, rows = []string{""}, rows-1
	}
	each := rows * most
	from := min(iv.turned*each, (n-1)/each*each)
	to := min(n, from+each)
	lines := iv.drawOptionRows(pg, from, to, rows, width)
	if len(foot) > 0 {
		hint := fmt.Sprintf("  page %d of %d: other keys turn it", from/each+1, (n+each-1)/each)
		foot[0] = widget.CutWidth(foot[0]+iv.Theme.Faint.Render(hint), width)
	}
	return optionBlock{append(lines, foot...), from, to, each}
}

// drawOptionRows draws some of the options in rows lines.
func (iv *itemView) drawOptionRows(pg *itemPage, from, to, rows, width int) []string {
	own := iv.standingReading()
	return annotation.DrawOptionRows(iv.Theme, pg.choices[from:to], func(c *labeloption.Option) string { return iv.optionMark(c, own) }, rows, width)
}

// showOption shows the page with a choice, and reports whether another one was shown.
func (iv *itemView) showOption(pg *itemPage, choice int) bool {
	_, v := iv.drawItem(pg)
	o := v.options
	if choice >= o.from && choice < o.to || o.each == 0 {
		return false
	}
	iv.turned = choice / o.each
	iv.Turns++
	return true
}

// verdictWord is a reading that is no option, with the action that says it.
type verdictWord struct {
	key     string
	verdict annotate.ReadingKind
}

// layOutNonOptions gives the readings that are no option, in as many lines as they
// take in this width. A score says it all.
func (pg *itemPage) layOutNonOptions(width int) (lines [][]verdictWord) {
	if labeloption.IsFixed(&pg.Item) {
		return nil
	}
	const around = 6 // cells of mark, key and the air behind a word
	room := 0
	for _, w := range listVerdicts() {
		n := len(w.verdict.String()) + around
		if room < n-2 || lines == nil {
			lines, room = append(lines, nil), width-1
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], w)
		room -= n
	}
	return lines
}

// drawVerdicts draws the readings that are no option, with their keys.
func (iv *itemView) drawVerdicts(pg *itemPage, own annotate.Reading, width int) []string {
	return eval.Map(pg.layOutNonOptions(width), func(words []verdictWord) string {
		return widget.CutWidth(" "+iv.drawVerdictRow(words, own, "  "), width)
	})
}

// drawVerdictRow draws some of them in one line.
func (iv *itemView) drawVerdictRow(words []verdictWord, own annotate.Reading, between string) string {
	parts := make([]string, len(words))
	for i, w := range words {
		mark := "  "
		if own.Kind == w.verdict {
			mark = "▸ "
		}
		parts[i] = iv.Theme.Good.Render(mark) + iv.Theme.Key.Render(iv.SpellKey(w.key)) + " " + w.verdict.String()
	}
	return strings.Join(parts, between)
}

// listVerdicts lists the readings that are no option, with their keys.
func listVerdicts() []verdictWord {
	return []verdictWord{{"none", annotate.SaidNone}, {"several", annotate.SaidAmbiguous}, {"refused", annotate.SaidRefused}}
}
