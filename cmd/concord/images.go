package main

import (
	"fmt"
	"os"

	"github.com/charmbracelet/lipgloss"
	"github.com/spf13/pflag"

	"concord/tui/term"
)

// imagesVariable says how pictures are shown where no flag does.
const imagesVariable = "CONCORD_IMAGES"

// imagesFlag adds the flag to a command that opens the app.
func (a *app) imagesFlag(fs *pflag.FlagSet) {
	fs.StringVar(&a.images, "images", "", "how pictures are shown: auto, kitty, iterm2, sixel, blocks, ascii or off (default: $"+imagesVariable+", else auto)")
}

// wantImages is how pictures are to be shown: what the flag says, else the
// environment, else what is configured.
func (a *app) wantImages(configured string) (term.Images, error) {
	if a.images != "" {
		want, err := term.ParseImages(a.images)
		if err != nil {
			return want, usageError{fmt.Errorf("--images: %w", err)}
		}
		return want, nil
	}
	said := os.Getenv(imagesVariable)
	if said == "" {
		return term.ParseImages(configured)
	}
	want, err := term.ParseImages(said)
	if err != nil {
		return want, fmt.Errorf("%s: %w", imagesVariable, err)
	}
	return want, nil
}

// probe asks the terminal what it is, and has styles suit what it says.
func probe() *term.Session {
	s := term.Probe(os.Stdin, os.Stdout, os.Environ())
	lipgloss.SetHasDarkBackground(s.Dark)
	lipgloss.SetColorProfile(s.Profile)
	return s
}
