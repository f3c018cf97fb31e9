package doctor

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"golang.org/x/term"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/project"
	screenpkg "concord/cmd/concord/internal/screen"
	"concord/eval"
	screen "concord/tui/term"
)

// Terminal is what there is to see of a terminal.
type Terminal struct {
	fit           error // why the app cannot be drawn; nil when it can
	width, height int   // 0 when not known
	colours       string
	dark          bool
	session       *screen.Session // what it answered; nil when it was not asked
	images        screen.Images   // how pictures are wished for
	wrong         error           // with that wish
	getenv        func(string) string
}

// NewTerminal asks the terminal what it is and what it can show.
func NewTerminal(a *project.Project) Terminal {
	s := Terminal{fit: screen.ErrNoTerminal, getenv: os.Getenv}
	configured := ""
	if c, err := config.LoadScreenSettings(a.ConfigPlaces()); err == nil { // what is wrong with it is told elsewhere
		configured = c.UISettings().Images
	}
	s.images, s.wrong = screenpkg.ChooseImages(a, configured)
	f := cli.TerminalOf(a.Out)
	if f != nil {
		s.fit = screen.CheckTerminal(os.Stdin, f, os.Getenv)
	}
	if s.fit == nil {
		s.session = screenpkg.ProbeAndStyle()
	}
	s.colours, s.dark = lipgloss.ColorProfile().Name(), lipgloss.HasDarkBackground()
	if f == nil {
		return s
	}
	if w, h, err := term.GetSize(int(f.Fd())); err == nil {
		s.width, s.height = w, h
	}
	return s
}

// The smallest terminal that every screen fits on.
const (
	leastWidth  = 60
	leastHeight = 24
)

// CheckTerminal checks what the app needs of a terminal.
func CheckTerminal(s Terminal, all *Findings) {
	const check = "terminal"
	switch {
	case errors.Is(s.fit, screen.ErrNoTerminal):
		all.addOK(check, "%v", s.fit)
	case s.fit != nil:
		all.addWarning(check, "", "%v", s.fit)
	case s.width < leastWidth || s.height < leastHeight:
		all.addWarning(check, "make it larger", "%dx%d cells: the app wants %dx%d", s.width, s.height, leastWidth, leastHeight)
	default:
		all.addOK(check, "%dx%d cells, TERM=%s%s", s.width, s.height, s.getenv("TERM"), s.describeMultiplexer())
	}
	if name, value := findLocaleVariable(s.getenv); !isUTF8(value) {
		all.addWarning("locale", "export LC_ALL=C.UTF-8, or another UTF-8 locale", "%s is no UTF-8 locale: lines and images may come out as question marks", formatVariable(name, value))
	} else {
		all.addOK("locale", "%s", formatVariable(name, value))
	}
	if s.fit != nil {
		return
	}
	s.addTerminalAnswers(all)
	background := eval.Either(s.dark, "taken for dark (CONCORD_UI_THEME=light if it is not)", "taken for light (CONCORD_UI_THEME=dark if it is not)")
	if s.session != nil && s.session.Background != nil {
		background = strings.Replace(background, "taken for", "which the terminal says is", 1)
	}
	if s.getenv("CONCORD_UI_THEME") != "" {
		background = "as CONCORD_UI_THEME says"
	}
	switch {
	case s.getenv("NO_COLOR") != "":
		all.addOK("colours", "none, as NO_COLOR says")
	case strings.EqualFold(s.colours, "Ascii"):
		all.addWarning("colours", "set TERM to what your terminal is, such as xterm-256color", "none: TERM=%s has none", s.getenv("TERM"))
	default:
		all.addOK("colours", "%s, background %s", s.colours, background)
	}
}

// addTerminalAnswers tells what the terminal answered, and how pictures are shown on it.
func (s Terminal) addTerminalAnswers(all *Findings) {
	if s.wrong != nil {
		all.addBroken("images", "", "%v", s.wrong)
		return
	}
	if s.session == nil {
		return
	}
	said := eval.Either(s.session.Brand.Name == "", "does not say what it is", "is "+s.session.Brand.String())
	if s.session.Mux.In {
		said = "around tmux " + said
	}
	said += eval.Either(!s.session.Answered, ", and answers nothing (within "+screen.AnswerWaitTime(os.Getenv).String()+")", "")
	if c := s.session.Cell; c.X > 0 {
		said += fmt.Sprintf(", cells of %dx%d px", c.X, c.Y)
	}
	all.addOK("answers", "the terminal %s", said)
	c := s.session.ChooseImages(s.images)
	shown := fmt.Sprintf("%s: %s", cmp.Or(imageLooks[c.Way], c.Way.String()), c.Why)
	if c.Hint != "" {
		all.addWarning("images", c.Hint, "%s", shown)
		return
	}
	all.addOK("images", "%s", shown)
}

// imageLooks say how pictures look that are shown in a way.
var imageLooks = map[screen.Images]string{
	screen.ImagesKitty:  "sharp (kitty's protocol)",
	screen.ImagesPlaced: "sharp (kitty's protocol)",
	screen.ImagesITerm2: "sharp (iTerm2's protocol)",
	screen.ImagesSixel:  "sharp (sixel)",
	screen.ImagesBlocks: "half blocks",
	screen.ImagesASCII:  "characters by their lightness",
	screen.ImagesOff:    "none",
}

// describeMultiplexer names what stands between concord and the terminal.
func (s Terminal) describeMultiplexer() string {
	var in []string
	if s.getenv("TMUX") != "" {
		in = append(in, "tmux")
	} else if s.getenv("STY") != "" {
		in = append(in, "screen")
	}
	if s.getenv("SSH_CONNECTION") != "" {
		in = append(in, "ssh")
	}
	return eval.Either(len(in) == 0, "", ", through "+strings.Join(in, " and "))
}

// findLocaleVariable finds the variable that decides about characters, and what it says.
func findLocaleVariable(getenv func(string) string) (name, value string) {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := getenv(name); v != "" {
			return name, v
		}
	}
	return "LANG", ""
}

func isUTF8(locale string) bool {
	l := strings.ToLower(locale)
	return strings.Contains(l, "utf-8") || strings.Contains(l, "utf8")
}

func formatVariable(name, value string) string {
	return eval.Either(value == "", name+" is not set, which", name+"="+value)
}
