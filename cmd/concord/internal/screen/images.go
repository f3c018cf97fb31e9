package screen

import (
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
	sent   *term.Graphics // nil: none are sent beside the frames
	Hint   string         // what would show more
}

// Canvas is a terminal's output: frames and images share it.
type Canvas interface {
	io.Writer
	DrawInline(*term.Inline)
}

// PicturesOn chooses how images are shown. Two that share a terminal, as two
// windows of tmux do, tell theirs apart by id, 1 to 255.
func PicturesOn(s *term.Session, want term.Images, out Canvas, id uint8) Pictures {
	c := s.Choose(want)
	p := Pictures{Hint: c.Hint, Manner: widget.Manner{Plain: c.Way == term.ImagesASCII, Off: c.Way == term.ImagesOff}}
	switch c.Way {
	case term.ImagesKitty:
		p.sent = term.NewGraphics(out, s, id)
		p.Manner.Pixels = p.sent
	case term.ImagesPlaced, term.ImagesITerm2, term.ImagesSixel:
		inline := term.NewInline(s, c.Way)
		out.DrawInline(inline)
		p.Manner.Pixels = inline
	case term.ImagesUnset, term.ImagesAuto, term.ImagesBlocks, term.ImagesASCII, term.ImagesOff:
	}
	return p
}

// Outside has images open in the desktop's program, too.
func (p Pictures) Outside() Pictures {
	p.Manner.Outside = newOutside().show
	return p
}

// Resend is how what the terminal has lost is sent again; nil when nothing is.
func (p *Pictures) Resend() func() error {
	if p.sent == nil {
		return nil
	}
	return p.sent.Resend
}

// Close has the terminal forget the pictures.
func (p *Pictures) Close() error {
	if p.sent == nil {
		return nil
	}
	return p.sent.Close()
}

// Probe asks the terminal what it is, and has styles suit what it says.
func Probe() *term.Session {
	s := term.Probe(os.Stdin, os.Stdout, os.Environ())
	lipgloss.SetHasDarkBackground(s.Dark)
	lipgloss.SetColorProfile(s.Profile)
	return s
}
