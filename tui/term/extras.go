package term

import (
	"bytes"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Extras are what some terminals know beside drawing. Each is off where a
// terminal is not known to know it.
type Extras struct {
	Sync     bool // mode 2026: what is written in one go is shown in one go
	Title    bool // the window has a title, which is given back
	Progress bool // OSC 9;4: progress in the tab or the task bar
}

// newExtras gives those of a terminal that answered. A terminal that does not know
// OSC 9;4 may show it as a notification, so that only those are sent it that
// are known to draw it (the same as cargo's, with iTerm2 and VTE).
func (s *Session) newExtras(getenv func(string) string, sync bool) Extras {
	e := Extras{Sync: sync, Title: s.Answered && !s.Mux.In}
	switch name := strings.ToLower(s.Brand.Name); {
	case s.Mux.In:
	case name == "ghostty":
		e.Progress = s.Brand.isAtLeast(1, 2)
	case name == "wezterm":
		e.Progress = s.Brand.Version >= "2025" // a date
	case name == "iterm2", name == "iterm.app":
		e.Progress = s.Brand.isAtLeast(3, 6, 6)
	case getenv("WT_SESSION") != "", getenv("ConEmuANSI") == "ON":
		e.Progress = true
	default:
		vte := getenv("VTE_VERSION")
		e.Progress = len(vte) == 4 && vte >= "8000"
	}
	return e
}

// UseExtras has the painter use what a terminal knows. It is called before the
// program runs.
func (p *Painter) UseExtras(s *Session) { p.extras = s.Extras }

// toldState is what the terminal was told beside frames.
type toldState struct {
	title   string
	percent int // of what is under way; -1: nothing is
}

// titledModel is a model that says what stands in the window's title, and how far
// what it runs has come: percent, or -1 where nothing runs.
type titledModel interface {
	WindowTitle() (title string, percent int)
}

func readToldState(m any) toldState {
	if t, ok := m.(titledModel); ok {
		title, percent := t.WindowTitle()
		return toldState{title, percent}
	}
	return toldState{percent: -1}
}

// appendTold appends what the terminal has not been told yet.
func (p *Painter) appendTold(out []byte, now toldState) []byte {
	if p.extras.Title && now.title != p.said.title {
		out = append(out, ansi.SetWindowTitle(now.title)...)
	}
	switch {
	case !p.extras.Progress || now.percent == p.said.percent:
	case now.percent < 0:
		out = append(out, ansi.ResetProgressBar...)
	default:
		out = append(out, ansi.SetProgressBar(now.percent)...)
	}
	p.said = now
	return out
}

// The window's title is kept and given back (XTWINOPS 22 and 23).
var keepTitle, giveTitle = ansi.WindowOp(22, 2), ansi.WindowOp(23, 2)

// addScreenGuards puts around what enters or leaves the alternate screen what the
// terminal is to keep or to give back with it.
func (p *Painter) addScreenGuards(b []byte) []byte {
	on := bytes.Contains(b, []byte(ansi.SetModeAltScreenSaveCursor))
	off := bytes.Contains(b, []byte(ansi.ResetModeAltScreenSaveCursor))
	if on && !p.full && p.extras.Title {
		b = append([]byte(keepTitle), b...)
	}
	if !off || !p.full {
		return b
	}
	if p.extras.Title {
		b = append(b[:len(b):len(b)], giveTitle...)
	}
	if p.extras.Progress && p.said.percent >= 0 {
		b = append(b[:len(b):len(b)], ansi.ResetProgressBar...)
	}
	p.said = toldState{percent: -1}
	return b
}

// wrapSync gives a frame that a terminal shows in one go, if it can.
func (p *Painter) wrapSync(frame []byte) []byte {
	if !p.extras.Sync {
		return frame
	}
	return append(append([]byte(ansi.SetModeSynchronizedOutput), frame...), ansi.ResetModeSynchronizedOutput...)
}
