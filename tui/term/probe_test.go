package term

import (
	"errors"
	"image"
	"image/color"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"
)

// answers is a terminal that answers what it knows, in the order in which it
// is asked.
type answers map[string]string

// ask has a scripted terminal asked.
func (a answers) ask(t *testing.T, environ ...string) (s *Session, typed string, asked string) {
	t.Helper()
	here, there := net.Pipe()
	t.Cleanup(func() { _, _ = here.Close(), there.Close() })
	heard := make(chan string, 1)
	go func() {
		buf := make([]byte, 4096)
		n, err := there.Read(buf)
		if err != nil {
			return
		}
		heard <- string(buf[:n])
		rest := string(buf[:n])
		for rest != "" {
			at := len(rest)
			for q, reply := range a {
				if q != "" && strings.HasPrefix(rest, q) {
					_, _ = io.WriteString(there, reply)
					at = len(q)
				}
			}
			if at == len(rest) {
				at = 1
			}
			rest = rest[at:]
		}
	}()
	r, keys := AskTerminal(here, NewEnvLookup(environ), time.Now().Add(50*time.Millisecond))
	select {
	case asked = <-heard:
	default:
	}
	return NewSession(environ, r, Mux{}), string(keys), asked
}

func TestAsk(t *testing.T) {
	const da1 = "\x1b[?62;c"
	kitty := answers{
		askVersion: "\x1bP>|kitty(0.35.2)\x1b\\", askCell: "\x1b[6;20;10t", askArea: "\x1b[4;800;1200t",
		askBackground: "\x1b]11;rgb:ffff/fafa/f0f0\x1b\\", askKitty: "\x1b_Gi=31;OK\x1b\\", askAttributes: da1,
	}
	check := func(name string, a answers, want Images, environ ...string) *Session {
		t.Helper()
		s, typed, _ := a.ask(t, append([]string{"TERM=xterm-256color"}, environ...)...)
		if got := s.ChooseImages(ImagesAuto); got.Way != want {
			t.Errorf("%s: %v (%s), want %v", name, got.Way, got.Why, want)
		}
		if typed != "" {
			t.Errorf("%s: typed %q", name, typed)
		}
		return s
	}
	s := check("kitty", kitty, ImagesKitty)
	if s.Cell != image.Pt(10, 20) || s.Dark || s.Brand != (Brand{"kitty", "0.35.2"}) || s.Profile != termenv.TrueColor {
		t.Errorf("kitty: %+v", s)
	}
	with := func(q, reply string) answers {
		out := answers{}
		for k, v := range kitty {
			out[k] = v
		}
		out[q] = reply
		return out
	}
	check("old kitty", with(askVersion, "\x1bP>|kitty(0.27.1)\x1b\\"), ImagesPlaced)
	check("ghostty", with(askVersion, "\x1bP>|ghostty 1.0.1\x1b\\"), ImagesKitty)
	check("wezterm", with(askVersion, "\x1bP>|WezTerm 20240203-110809\x1b\\"), ImagesITerm2)
	check("no graphics", with(askKitty, "\x1b_Gi=31;ENOSYS\x1b\\"), ImagesBlocks)
	check("foot", answers{askVersion: "\x1bP>|foot(1.16.2)\x1b\\", askCell: "\x1b[6;20;10t", askAttributes: "\x1b[?62;4;22c"}, ImagesSixel)
	check("sixels and cells of no known size", answers{askAttributes: "\x1b[?62;4;22c"}, ImagesBlocks)
	check("konsole", with(askVersion, "\x1bP>|Konsole 22.12.3\x1b\\"), ImagesPlaced)
	check("konsole without kitty's protocol", answers{askVersion: "\x1bP>|Konsole 22.12.3\x1b\\", askCell: "\x1b[6;20;10t", askAttributes: "\x1b[?62;4;22c"}, ImagesBlocks)
	check("no colours", kitty, ImagesASCII, "NO_COLOR=1")
	check("silent", answers{}, ImagesBlocks)
	check("garbage", answers{askVersion: "\x1bP>|" + strings.Repeat("k", 9000) + "\x1b\\\x1b[6;;t\x1b[6;-1;99999999t\x1b]11;rgb:x/y\x07", askAttributes: da1}, ImagesBlocks)
	check("iTerm2 by its environment", answers{askAttributes: da1}, ImagesITerm2, "TERM_PROGRAM=iTerm.app")
	if s := check("theme over answer", kitty, ImagesKitty, "CONCORD_UI_THEME=dark"); !s.Dark {
		t.Error("CONCORD_UI_THEME does not decide")
	}
}

func TestTypingWhileTheTerminalIsAskedIsKept(t *testing.T) {
	_, typed, _ := answers{askVersion: "a\x1bP>|kitty(0.35.2)\x1b\\b", askAttributes: "\x1b[A\x1b[?62cq"}.ask(t, "TERM=xterm")
	if typed != "ab\x1b[Aq" {
		t.Errorf("typed %q", typed)
	}
}

func TestQuestions(t *testing.T) {
	check := func(want string, environ ...string) {
		t.Helper()
		if got := queriesForTerminal(NewEnvLookup(environ)); got != want {
			t.Errorf("%v: asks %q, want %q", environ, got, want)
		}
	}
	all := askVersion + askCell + askArea + askBackground + askKitty + askSync + askAttributes
	check(all, "TERM=xterm-256color")
	check("", "TERM=dumb")
	check("", "TERM=linux")
	check("", "TERM=screen-256color", "STY=1.x")
	check("")
	check(askBackground+askAttributes, "TERM=xterm-256color", "TERM_PROGRAM=Apple_Terminal")
	check(strings.Replace(all, askKitty, "", 1), "TERM=screen-256color", "TMUX=/tmp/x,1,0")
}

// What only some terminals know is sent to no other.
func TestExtras(t *testing.T) {
	check := func(version, mode string, want Extras, environ ...string) {
		t.Helper()
		all := answers{askAttributes: "\x1b[?62;c"}
		if version != "" {
			all[askVersion] = "\x1bP>|" + version + "\x1b\\"
		}
		if mode != "" {
			all[askSync] = mode
		}
		if s, _, _ := all.ask(t, append(environ, "TERM=xterm-256color")...); s.Extras != want {
			t.Errorf("%s, %q, %v: %+v, want %+v", version, mode, environ, s.Extras, want)
		}
	}
	check("", "", Extras{Title: true})
	check("XTerm(379)", "\x1b[?2026;0$y", Extras{Title: true})
	check("kitty(0.26.5)", "\x1b[?2026;2$y", Extras{Sync: true, Title: true})
	check("ghostty 1.2.0", "\x1b[?2026;2$y", Extras{Sync: true, Title: true, Progress: true})
	check("ghostty 1.1.0", "\x1b[?2026;2$y", Extras{Sync: true, Title: true})
	check("WezTerm 20240203-110809", "", Extras{Title: true})
	check("iTerm2 3.6.6", "", Extras{Title: true, Progress: true})
	check("", "", Extras{Title: true, Progress: true}, "WT_SESSION=x")
	check("", "", Extras{Title: true, Progress: true}, "VTE_VERSION=8003")
	check("", "", Extras{Title: true}, "VTE_VERSION=7600")
	if s := NewSession([]string{"TERM=linux"}, Replies{}, Mux{}); s.Extras != (Extras{}) {
		t.Errorf("the console: %+v", s.Extras)
	}
}

func TestTmux(t *testing.T) {
	check := func(answer string, want Images, hint bool) {
		t.Helper()
		environ := []string{"TERM=tmux-256color", "TMUX=x", "TERM_PROGRAM=tmux"}
		c := NewSession(environ, Replies{Complete: true, Version: "tmux 3.4"}, parseTmuxReply(answer)).ChooseImages(ImagesAuto)
		if c.Way != want || c.Hint != "" != hint {
			t.Errorf("%q: %v, hint %q", answer, c.Way, c.Hint)
		}
	}
	check("on\txterm-kitty\tkitty(0.35.2)\n", ImagesKitty, false)
	check("all\txterm-ghostty\tghostty 1.1.0\n", ImagesKitty, false)
	check("on\txterm-ghostty\t\n", ImagesKitty, false)
	check("on\txterm-kitty\t\n", ImagesBlocks, false) // of no known age
	check("off\txterm-kitty\tkitty(0.35.2)\n", ImagesBlocks, true)
	check("on\txterm-256color\tWezTerm 2024\n", ImagesBlocks, false)
	check("\t\t", ImagesBlocks, false)
	check("", ImagesBlocks, false)
}

func TestParseImages(t *testing.T) {
	for i := ImagesUnset; i <= ImagesOff; i++ {
		if got, err := ParseImages(strings.ToUpper(i.String())); got != i || err != nil {
			t.Errorf("%v is read as %v, %v", i, got, err)
		}
	}
	if _, err := ParseImages("jpeg"); err == nil || !strings.Contains(err.Error(), "auto, kitty") {
		t.Errorf("jpeg: %v", err)
	}
	s := NewSession([]string{"TERM=xterm-256color"}, Replies{}, Mux{})
	for _, want := range []Images{ImagesKitty, ImagesITerm2, ImagesSixel, ImagesBlocks, ImagesASCII, ImagesOff} {
		if c := s.ChooseImages(want); c.Way != want {
			t.Errorf("%v gives %+v", want, c)
		}
	}
}

func TestColour(t *testing.T) {
	check := func(s string, want color.Color) {
		t.Helper()
		if got, _ := parseColor(s); got != want {
			t.Errorf("%q is %v, want %v", s, got, want)
		}
	}
	check("rgb:f/0/8", color.RGBA64{0xffff, 0, 0x8888, 0xffff})
	check("rgba:1111/2222/3333/ffff", color.RGBA64{0x1111, 0x2222, 0x3333, 0xffff})
	check("rgb:11111/2/3", nil)
	check("rgb://", nil)
	check("#112233", nil)
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("\x1bP>|kitty(0.35.2)\x1b\\\x1b[6;20;10t\x1b]11;rgb:ff/ff/ff\a\x1b_Gi=31;OK\x1b\\\x1b[?62;4c"))
	f.Add([]byte("\x1b[?c\x1b]11;rgb:\x1b_G\x1b[6;t"))
	f.Fuzz(func(t *testing.T, in []byte) {
		r := ParseReplies(in)
		for _, c := range r.Version {
			if c < ' ' || c > '~' {
				t.Fatalf("version %q", r.Version)
			}
		}
		if r.Cell.X < 0 || r.Cell.Y < 0 || len(r.Version) > longest {
			t.Fatalf("%+v", r)
		}
		_ = parseTmuxReply(string(in))
		_ = NewSession([]string{"TERM=xterm"}, r, Mux{}).ChooseImages(ImagesAuto)
	})
}

// A line that fails is a terminal that says nothing.
type broken struct{}

func (broken) Read([]byte) (int, error)        { return 0, io.EOF }
func (broken) Write([]byte) (int, error)       { return 0, errors.New("gone") }
func (broken) SetReadDeadline(time.Time) error { return nil }

func TestAskOfABrokenLine(t *testing.T) {
	if r, typed := AskTerminal(broken{}, NewEnvLookup([]string{"TERM=xterm"}), time.Now()); r.Complete || typed != nil {
		t.Errorf("%+v, %q", r, typed)
	}
}
