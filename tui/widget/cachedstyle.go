package widget

import (
	"strings"
	"sync/atomic"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// CachedStyle is a style that colours text and does nothing else. The escape
// sequences around a text are computed once for a terminal: a frame has some
// hundred coloured texts, and a team of thirty looks at as many frames.
type CachedStyle struct {
	lipgloss.Style
	by   *lipgloss.Renderer
	kept *atomic.Pointer[strokes]
}

// strokes holds the escape sequences around a text on one kind of terminal.
type strokes struct {
	profile     termenv.Profile
	dark        bool
	open, close string
}

func cachedStyle(r *lipgloss.Renderer, s lipgloss.Style) CachedStyle {
	return CachedStyle{s, r, new(atomic.Pointer[strokes])}
}

// Render colours a text, as the style would.
func (i CachedStyle) Render(parts ...string) string {
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

// found computes the sequences by colouring a letter.
func (i CachedStyle) found() *strokes {
	open, shut, _ := strings.Cut(i.Style.Render("x"), "x")
	return &strokes{i.by.ColorProfile(), i.by.HasDarkBackground(), open, shut}
}
