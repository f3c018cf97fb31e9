package cli

import (
	"bytes"
	"io"
	"strings"

	"golang.org/x/term"

	"concord/tui/widget"
)

// WriteColumns prints rows with their cells aligned, two spaces apart.
func WriteColumns(w io.Writer, rows [][]string) error {
	var widths []int
	for _, r := range rows {
		for i, cell := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], widget.Width(Visible(cell)))
		}
	}
	var b bytes.Buffer
	for _, r := range rows {
		var line strings.Builder
		for i, cell := range r {
			cell = Visible(cell)
			line.WriteString(cell + strings.Repeat(" ", widths[i]-widget.Width(cell)+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := b.WriteTo(w)
	return err
}

// Width is how many cells a table may take; 0 is no limit.
func (e *Env) Width() int {
	if f := Terminal(e.Out); f != nil {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			return w
		}
	}
	return 0
}
