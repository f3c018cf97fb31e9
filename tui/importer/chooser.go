package importer

import (
	"strings"

	"concord/tui/widget"
)

// chooser is the folder in which a file is chosen, and the name that is typed.
type chooser struct {
	folder Folder
	shown  []int // of the folder's entries, those that the filter leaves
	filter string
	at     widget.Cursor
	size   *layout
}

// narrow leaves the entries whose names hold the filter.
func (ch *chooser) narrow(filter string) {
	const longest = 4096
	if len(filter) > longest {
		return
	}
	ch.filter, ch.shown = filter, ch.shown[:0]
	want := strings.ToLower(filter)
	likely := -1
	for i, e := range ch.folder.Entries {
		if isPath(filter) || !strings.Contains(strings.ToLower(e.Name), want) {
			continue
		}
		if likely < 0 && e.Likely {
			likely = len(ch.shown)
		}
		ch.shown = append(ch.shown, i)
	}
	ch.at.Set(max(0, likely), len(ch.shown), ch.size.rows())
}
