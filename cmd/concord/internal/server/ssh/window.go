package ssh

import "sync"

// The sizes that a terminal can have, in cells; beyond them a screen would cost
// more than anybody can read.
const (
	mostCols, mostRows   = 1000, 500
	usualCols, usualRows = 80, 24
)

// window is the size of a terminal, and a mark that it changed.
type window struct {
	changed chan struct{}

	mu         sync.Mutex
	cols, rows int
}

func newWindow() *window {
	return &window{changed: make(chan struct{}, 1), cols: usualCols, rows: usualRows}
}

// set takes what a client says; 0 is for not known.
func (w *window) set(cols, rows uint32) {
	c, r := int(min(cols, mostCols)), int(min(rows, mostRows))
	if c == 0 || r == 0 {
		c, r = usualCols, usualRows
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if c == w.cols && r == w.rows {
		return
	}
	w.cols, w.rows = c, r
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

func (w *window) size() (cols, rows int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cols, w.rows
}
