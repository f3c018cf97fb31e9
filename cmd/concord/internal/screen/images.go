package screen

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/lipgloss"
	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/tui/term"
	"concord/tui/widget"
)

// ImagesVariable says how pictures are shown where no flag does.
const ImagesVariable = "CONCORD_IMAGES"

// addImagesFlag adds the flag to a command that opens the app.
func addImagesFlag(a *project.Project, fs *pflag.FlagSet) {
	fs.StringVar(&a.Screen.Images, "images", "", "how images are shown: auto, kitty, iterm2, sixel, blocks, ascii or off (default: $"+ImagesVariable+", else auto)")
}

// WantImages is how pictures are to be shown: what the flag says, else the
// environment, else what is configured.
func WantImages(a *project.Project, configured string) (term.Images, error) {
	if a.Screen.Images != "" {
		want, err := term.ParseImages(a.Screen.Images)
		if err != nil {
			return want, cli.Usage(fmt.Errorf("--images: %w", err))
		}
		return want, nil
	}
	said := os.Getenv(ImagesVariable)
	if said == "" {
		return term.ParseImages(configured)
	}
	want, err := term.ParseImages(said)
	if err != nil {
		return want, fmt.Errorf("%s: %w", ImagesVariable, err)
	}
	return want, nil
}

// Pictures are how the app shows pictures on its terminal.
type Pictures struct {
	Manner widget.Manner
	Sent   *term.Graphics // nil: none are sent to the terminal
	Hint   string         // what would show more
}

// PicturesOn chooses how pictures are shown. ctx ends those on the whole
// screen.
func PicturesOn(ctx context.Context, s *term.Session, want term.Images, out io.Writer) Pictures {
	c := s.Choose(want)
	p := Pictures{Hint: c.Hint, Manner: widget.Manner{
		Plain: c.Inline == term.ImagesASCII, Off: c.Inline == term.ImagesOff, Outside: newOutside().show,
	}}
	if c.Inline == term.ImagesKitty {
		p.Sent = term.NewGraphics(out, s, uint8(os.Getpid()%255+1))
		p.Manner.Pixels = p.Sent
	}
	if c.Full == term.ImagesITerm2 || c.Full == term.ImagesSixel {
		p.Manner.Fullscreen = term.NewFullscreen(ctx, s, c.Full)
	}
	return p
}

// Resend is how what the terminal has lost is sent again; nil when nothing is.
func (p *Pictures) Resend() func() error {
	if p.Sent == nil {
		return nil
	}
	return p.Sent.Resend
}

// Close has the terminal forget the pictures.
func (p *Pictures) Close() error {
	if p.Sent == nil {
		return nil
	}
	return p.Sent.Close()
}

// Probe asks the terminal what it is, and has styles suit what it says.
func Probe() *term.Session {
	s := term.Probe(os.Stdin, os.Stdout, os.Environ())
	lipgloss.SetHasDarkBackground(s.Dark)
	lipgloss.SetColorProfile(s.Profile)
	return s
}
