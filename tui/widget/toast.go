package widget

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Level tells how much a notice matters. The zero value is unset.
type Level uint8

// The levels.
const (
	LevelUnset Level = iota
	Info             // fades by itself
	Problem          // stays until it is dismissed
)

// Notify is the message by which any screen shows a notice.
type Notify struct {
	Level Level
	Text  string
}

// Tell shows a notice.
func Tell(level Level, text string) tea.Cmd { return Send(Notify{Level: level, Text: text}) }

// Send is a command that has nothing to do but to give a message.
func Send(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// fade is how long an Info is shown.
const fade = 4 * time.Second

// Toasts are the notices that are shown: problems until they are dismissed,
// the newest info until it fades.
type Toasts struct {
	Copy string // how the key is written that copies a problem; "" for none

	problems []string
	info     string
	until    time.Time
}

// Add shows a notice, and returns when to look again whether it has faded;
// 0: it stays.
func (ts *Toasts) Add(n Notify, now time.Time) time.Duration {
	if n.Level == Problem {
		for _, p := range ts.problems {
			if p == n.Text {
				return 0
			}
		}
		ts.problems = append(ts.problems, n.Text)
		return 0
	}
	ts.info, ts.until = n.Text, now.Add(fade)
	return fade
}

// Fade takes the info away when its time has come.
func (ts *Toasts) Fade(now time.Time) {
	if !now.Before(ts.until) {
		ts.info = ""
	}
}

// Dismiss takes the oldest problem away, and reports whether there was one.
func (ts *Toasts) Dismiss() bool {
	if len(ts.problems) == 0 {
		return false
	}
	ts.problems = ts.problems[1:]
	return true
}

// Problem is the oldest problem shown, whole, for copying; "" for none.
func (ts *Toasts) Problem() string {
	if len(ts.problems) == 0 {
		return ""
	}
	return ts.problems[0]
}

// most is how many lines of a problem are shown.
const most = 3

// Toasts draws up to three lines of the oldest problem; none when there is
// none.
func (t *Theme) Toasts(ts *Toasts, width int) []string {
	right := t.Key.Render("esc") + t.KeyText.Render(" dismiss")
	if ts.Copy != "" {
		right += "  " + t.Key.Render(ts.Copy) + t.KeyText.Render(" copy")
	}
	p := ts.Problem()
	if p == "" {
		return nil
	}
	lines := Wrap("✗ "+p, max(1, width-Width(right)-2))
	if len(lines) > most {
		lines = append(lines[:most-1:most-1], lines[most-1]+"…")
	}
	for i, l := range lines {
		if i > 0 {
			right = ""
		}
		lines[i] = Ends(t.Bad.Render(l), right, width)
	}
	return lines
}

// Info draws the info in at most width cells; "" when there is none.
func (t *Theme) Info(ts *Toasts, width int) string {
	if ts.info == "" {
		return ""
	}
	return Cut(t.Accent.Render("• ")+Line(ts.info), width)
}
