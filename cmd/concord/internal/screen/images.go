package screen

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/project"
	"concord/store"
	"concord/tui/keymap"
	"concord/tui/term"
	"concord/tui/widget"
)

// ImagesVariable says how pictures are shown where no flag does.
const ImagesVariable = "CONCORD_IMAGES"

// ChooseImages chooses how pictures are shown: by the flag, else the environment, else the configuration.
func ChooseImages(a *project.Project, configured string) (term.Images, error) {
	if a.Screen.Images != "" {
		want, err := term.ParseImages(a.Screen.Images)
		if err != nil {
			return want, cli.NewUsageError(fmt.Errorf("--images: %w", err))
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
	UseInline(*term.Inline)
	UseExtras(*term.Session)
}

// NewImageOutput chooses how images are shown. Two that share a terminal, as two
// windows of tmux do, tell theirs apart by id, 1 to 255.
func NewImageOutput(s *term.Session, want term.Images, out Canvas, id uint8) Pictures {
	out.UseExtras(s)
	c := s.ChooseImages(want)
	p := Pictures{Hint: c.Hint, Manner: widget.Manner{Plain: c.Way == term.ImagesASCII, Off: c.Way == term.ImagesOff}}
	switch c.Way {
	case term.ImagesKitty:
		p.sent = term.NewGraphics(out, s, id)
		p.Manner.Pixels = p.sent
	case term.ImagesPlaced, term.ImagesITerm2, term.ImagesSixel:
		inline := term.NewInline(s, c.Way)
		out.UseInline(inline)
		p.Manner.Pixels = inline
	case term.ImagesUnset, term.ImagesAuto, term.ImagesBlocks, term.ImagesASCII, term.ImagesOff:
	}
	return p
}

// WithDesktopViewer has images open in the desktop's program, too.
func (p Pictures) WithDesktopViewer() Pictures {
	p.Manner.Outside = (&desktopViewer{getenv: os.Getenv, start: startWithoutWaiting}).openImageCopy
	return p
}

// ResendImagesFunc is how what the terminal has lost is sent again; nil when nothing is.
func (p *Pictures) ResendImagesFunc() func() error {
	if p.sent == nil {
		return nil
	}
	return p.sent.ResendAll
}

// Close has the terminal forget the pictures.
func (p *Pictures) Close() error {
	if p.sent == nil {
		return nil
	}
	return p.sent.Close()
}

// ProbeAndStyle asks the terminal what it is, and has styles suit what it says.
func ProbeAndStyle() *term.Session {
	s := term.ProbeTerminal(os.Stdin, os.Stdout, os.Environ())
	lipgloss.SetHasDarkBackground(s.Dark)
	lipgloss.SetColorProfile(s.Profile)
	return s
}

// desktopViewer shows pictures by the program that the desktop has for them. Where
// there is no desktop, as over SSH, it says where a copy lies.
type desktopViewer struct {
	getenv func(string) string
	start  func(name string, args ...string) error

	mu     sync.Mutex
	folder string // of the copies; "": not made yet
}

// startWithoutWaiting runs a program and does not wait for it to be closed.
func startWithoutWaiting(name string, args ...string) error {
	cmd := exec.Command(name, args...) //nolint:noctx // it outlives the app
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
}

// viewerProgram is what opens a file on this desktop; "" when there is none.
func (o *desktopViewer) viewerProgram() string {
	switch {
	case o.getenv("SSH_CONNECTION") != "" || o.getenv("SSH_TTY") != "":
		return ""
	case runtime.GOOS == "darwin":
		return "open"
	case o.getenv("WAYLAND_DISPLAY") != "" || o.getenv("DISPLAY") != "":
		return "xdg-open"
	}
	return ""
}

// makeCopyFolder gives the folder of the copies. Screens ask for it beside each other.
func (o *desktopViewer) makeCopyFolder() (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.folder == "" {
		dir, err := os.MkdirTemp("", "concord-")
		if err != nil {
			return "", fmt.Errorf("make a folder: %w", err)
		}
		o.folder = dir
	}
	return o.folder, nil
}

// odd is what a file's name is better without.
var odd = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// openImageCopy writes a copy of a picture, has it opened, and says what it did. Copies lie in a folder of
// the app's own, in the system's for temporary files, which the system empties.
func (o *desktopViewer) openImageCopy(data []byte, format, name string) (string, error) {
	folder, err := o.makeCopyFolder()
	if err != nil {
		return "", err
	}
	name = strings.Trim(odd.ReplaceAllString(filepath.Base(name), "_"), "._-")
	name = strings.TrimSuffix(name[:min(len(name), 80)], filepath.Ext(name))
	name = cmp.Or(name, "picture")
	sum := sha256.Sum256(data) // two pictures of one name are two copies
	path := filepath.Join(folder, fmt.Sprintf("%s-%x.%s", name, sum[:4], format))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return "", fmt.Errorf("write a copy: %w", err)
	}
	if p := o.viewerProgram(); p != "" && o.start(p, path) == nil {
		return path + " is opened with " + p, nil
	}
	return path + " is a copy; no desktop here can show it", nil
}

// IsAccessibleSet reports whether the environment asks for prompts in lines, as
// other tools take it: ACCESSIBLE set to anything but 0 or false.
func IsAccessibleSet(getenv func(string) string) bool {
	v := getenv("ACCESSIBLE")
	on, err := strconv.ParseBool(v)
	return v != "" && (err != nil || on)
}

// UsesPrompts reports whether the app goes without a screen: by flag, environment or configuration.
func UsesPrompts(a *project.Project) bool {
	if a.Screen.Lines {
		return true
	}
	c, err := config.LoadScreenSettings(a.ConfigPlaces())
	return err == nil && c.UISettings().Accessible // what is wrong with it the screen says
}

// NewClipboardCopier puts texts onto the terminal's clipboard.
func NewClipboardCopier(out interface{ CopyToClipboard(string) error }) func(string) tea.Cmd {
	return func(text string) tea.Cmd {
		return func() tea.Msg {
			if err := out.CopyToClipboard(text); err != nil {
				return widget.Notify{Level: widget.Problem, Text: "copy: " + err.Error()}
			}
			return nil
		}
	}
}

// RequireTerminal refuses a command whose output is no terminal for the app.
func RequireTerminal(a *project.Project) error {
	if a.Held != nil {
		return fmt.Errorf("%w: the app opens in the process that holds the project", store.ErrLocked)
	}
	if UsesPrompts(a) {
		return nil
	}
	return term.CheckTerminal(os.Stdin, os.Stdout, os.Getenv)
}

// Preferences is how a person wants the screen, by flags, environment and files.
type Preferences struct {
	Renderer *lipgloss.Renderer
	Keys     *keymap.Keymap
	Mouse    bool // its wheel and clicks are sent; without, it selects text
	Stay     bool // an answer stays in front until its person goes on
}

// AddFlags adds what is wanted of the screen to a command that opens it.
func AddFlags(a *project.Project, fs *pflag.FlagSet) {
	fs.StringVar(&a.Screen.Images, "images", "", "how images are shown: auto, kitty, iterm2, sixel, blocks, ascii or off (default: $"+ImagesVariable+", else auto)")
	fs.StringVar(&a.Screen.As, "as", "", "the `name` to work under (default: asked for)")
	fs.StringVar(&a.Screen.Theme, "theme", "", "the screen's `colours`: auto, dark, light or none (default: as configured, else auto)")
	fs.BoolVar(&a.Screen.Unlocked, "unlock", false, "allow everything on this machine, whatever role the annotator has over SSH")
	fs.BoolVar(&a.Screen.Lines, "accessible", IsAccessibleSet(os.Getenv), "no screen: label and vote by prompts in lines, for screen readers, bad lines and dumb terminals (also ACCESSIBLE=1)")
}

// NewPreferences reads flags and configuration.
func NewPreferences(a *project.Project, c *config.Config) (Preferences, error) {
	ui := c.UISettings()
	if a.Screen.Theme != "" {
		if !slices.Contains(config.ThemeNames(), a.Screen.Theme) {
			return Preferences{}, cli.NewUsageError(fmt.Errorf("--theme %s: there are %s", a.Screen.Theme, strings.Join(config.ThemeNames(), ", ")))
		}
		ui.Theme = a.Screen.Theme
	}
	r := lipgloss.DefaultRenderer() // what bubbles are drawn by, too
	widget.SetRendererTheme(r, ui.Theme)
	return Preferences{Renderer: r, Keys: c.Keys(), Mouse: ui.Mouse, Stay: !ui.AutoAdvance}, nil
}

// AddMouseOption adds what the program needs to know of it.
func (t *Preferences) AddMouseOption(of []tea.ProgramOption) []tea.ProgramOption {
	if t.Mouse {
		of = append(of, tea.WithMouseCellMotion())
	}
	return of
}
