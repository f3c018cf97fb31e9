package widget

import (
	_ "embed" // of the legend
	"strings"
	"sync"
)

// legend is the signs and the words of the screens with what they mean, each behind
// what stands before it; a line of one word is the title of those below it. The
// vocabulary of ARCHITECTURE.md has each of the words.
//
//go:embed legend.txt
var legend string

// LegendGroups are the last parts of the help page: signs, and words. They are read once.
var LegendGroups = sync.OnceValue(func() (out []Group) {
	for line := range strings.Lines(legend) {
		sign, means, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			out = append(out, Group{Title: sign})
			continue
		}
		part := &out[len(out)-1]
		part.Keys = append(part.Keys, NewBinding(sign, means, means))
	}
	return out
})

// AddLegendBelow adds the legend below lines that leave most of a large pane empty:
// what the signs and the words of the screens mean.
func (t *Theme) AddLegendBelow(lines []string, width, height int) []string {
	const tall, least = 34, 11 // of the pane, and of what is empty
	for len(lines) > 0 && strings.TrimSpace(stripStyles(lines[len(lines)-1])) == "" {
		lines = lines[:len(lines)-1]
	}
	room := height - len(lines) - 1
	if height < tall || room < least || width < helpColumn {
		return lines
	}
	groups, columns := LegendGroups(), max(1, width/(helpColumn+columnGap))
	for ; len(groups) > 0; groups = groups[:len(groups)-1] { // whole, or no words, or nothing
		all := t.DrawHelp(width, groups...)
		high := len(all)
		if columns > 1 {
			high = min(room-1, max(len(t.DrawHelp(width, groups[0]))+1, (len(all)+columns-1)/columns)) // the words begin a column
		}
		if high > room-1 || len(all) > columns*high {
			continue
		}
		page, _, _ := LayOutInColumns(all, width, high, 0)
		for i := range page {
			page[i] = t.Faint.Render(stripStyles(page[i]))
		}
		return append(append(lines, "", t.DrawSection("Legend", "", false, width)), page...)
	}
	return lines
}
