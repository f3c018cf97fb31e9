package widget

import (
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// TintRenderer makes a renderer draw for a dark or a light background, or without
// colours ("none"). Any other name leaves it as the terminal was found to be.
func TintRenderer(r *lipgloss.Renderer, theme string) {
	switch theme {
	case "dark":
		r.SetHasDarkBackground(true)
	case "light":
		r.SetHasDarkBackground(false)
	case "none":
		r.SetColorProfile(termenv.Ascii)
	}
}
