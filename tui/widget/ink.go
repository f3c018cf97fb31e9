package widget

import (
	"strings"
	"sync/atomic"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Ink is a style that colours text and does nothing else. What it writes before
// and behind a text is found out once for a terminal: a frame has some hundred
// of them, and a team of thirty looks at as many frames.
type Ink struct {
	lipgloss.Style
	by   *lipgloss.Renderer
	kept *atomic.Pointer[strokes]
}

// strokes are what is written around a text on one kind of terminal.
type strokes struct {
	profile     termenv.Profile
	dark        bool
	open, close string
}

func inked(r *lipgloss.Renderer, s lipgloss.Style) Ink {
	return Ink{s, r, new(atomic.Pointer[strokes])}
}

// Render colours a text, as the style would.
func (i Ink) Render(parts ...string) string {
	text := strings.Join(parts, " ")
	if i.kept == nil || strings.ContainsAny(text, "\n\r\t") {
		return i.Style.Render(text)
	}
	k := i.kept.Load()
	if k == nil || k.profile != i.by.ColorProfile() || k.dark != i.by.HasDarkBackground() {
		k = i.found()
		i.kept.Store(k)
	}
	return k.open + text + k.close
}

// found finds them out by a letter.
func (i Ink) found() *strokes {
	open, shut, _ := strings.Cut(i.Style.Render("x"), "x")
	return &strokes{i.by.ColorProfile(), i.by.HasDarkBackground(), open, shut}
}
