// Package background tells lipgloss whether the terminal is dark, so that nobody has to ask the terminal.
//
// bubbletea v1 asks in an init of its own and waits five seconds for a terminal that does not answer.
// Packages are initialised in the order of their import paths once what they import is ready; this one
// imports only lipgloss and sorts before github.com, so its answer is there first. That holds only as
// long as it imports nothing that sorts later: its invariant.
package background

import (
	"os"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

func init() { lipgloss.SetHasDarkBackground(IsDark(os.Getenv)) }

// IsDark is whether colours should suit a dark background: what CONCORD_UI_THEME says (dark or light),
// else what COLORFGBG says, else yes. COLORFGBG is set by rxvt, Konsole and others to the colour
// numbers "foreground;background", sometimes with a third field between them.
func IsDark(getenv func(string) string) bool {
	switch strings.ToLower(getenv("CONCORD_UI_THEME")) {
	case "light":
		return false
	case "dark":
		return true
	}
	fields := strings.Split(getenv("COLORFGBG"), ";")
	n, err := strconv.Atoi(fields[len(fields)-1])
	if err != nil || n < 0 || n > 15 {
		return true
	}
	const white, grey = 7, 8
	return n < white || n == grey
}
