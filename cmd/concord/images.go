package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/lipgloss"
	"github.com/spf13/pflag"

	"concord/tui/term"
	"concord/tui/widget"
)

// imagesVariable says how pictures are shown where no flag does.
const imagesVariable = "CONCORD_IMAGES"

// addImagesFlag adds the flag to a command that opens the app.
func addImagesFlag(a *app, fs *pflag.FlagSet) {
	fs.StringVar(&a.shown.images, "images", "", "how pictures are shown: auto, kitty, iterm2, sixel, blocks, ascii or off (default: $"+imagesVariable+", else auto)")
}

// wantImages is how pictures are to be shown: what the flag says, else the
// environment, else what is configured.
func wantImages(a *app, configured string) (term.Images, error) {
	if a.shown.images != "" {
		want, err := term.ParseImages(a.shown.images)
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

// pictures are how the app shows pictures on its terminal.
type pictures struct {
	manner widget.Manner
	sent   *term.Graphics // nil: none are sent to the terminal
	hint   string         // what would show more
}

// picturesOn chooses how pictures are shown. ctx ends those on the whole
// screen.
func picturesOn(ctx context.Context, s *term.Session, want term.Images, out io.Writer) pictures {
	c := s.Choose(want)
	p := pictures{hint: c.Hint, manner: widget.Manner{
		Plain: c.Inline == term.ImagesASCII, Off: c.Inline == term.ImagesOff, Outside: newOutside().show,
	}}
	if c.Inline == term.ImagesKitty {
		p.sent = term.NewGraphics(out, s, uint8(os.Getpid()%255+1))
		p.manner.Pixels = p.sent
	}
	if c.Full == term.ImagesITerm2 || c.Full == term.ImagesSixel {
		p.manner.Stage = term.NewStage(ctx, s, c.Full)
	}
	return p
}

// resend is how what the terminal has lost is sent again; nil when nothing is.
func (p *pictures) resend() func() error {
	if p.sent == nil {
		return nil
	}
	return p.sent.Resend
}

// close has the terminal forget the pictures.
func (p *pictures) close() error {
	if p.sent == nil {
		return nil
	}
	return p.sent.Close()
}

// probe asks the terminal what it is, and has styles suit what it says.
func probe() *term.Session {
	s := term.Probe(os.Stdin, os.Stdout, os.Environ())
	lipgloss.SetHasDarkBackground(s.Dark)
	lipgloss.SetColorProfile(s.Profile)
	return s
}
