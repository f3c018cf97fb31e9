package term

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

func TestChangesLeaveAloneWhatIsShown(t *testing.T) {
	check := func(shown, frame, want string) {
		t.Helper()
		var was []string
		if shown != "" {
			was = strings.Split(shown, "/")
		}
		if got := string(appendChanges(nil, was, strings.Split(frame, "/"), 4, nil)); got != want {
			t.Errorf("%s to %s: %q, want %q", shown, frame, got, want)
		}
	}
	check("", "abcd/efgh", "\x1b[Habcd\x1b[2;1Hefgh")
	check("abcd/efgh", "abcd/efgh", "")
	check("abcd/efgh", "abcd/ijkl", "\x1b[2;1Hijkl")
	check("abcd", "abcd/efgh", "\x1b[2;1Hefgh")
	// What a shorter line leaves is erased before it is written: at the end of
	// a full line an erasure would take its last letter.
	check("abcd", "ab", "\x1b[H\x1b[Kab")
	check("abcd", "\x1b[1;38;5;3mab\x1b[m\x1b[2mcd\x1b[m", "\x1b[H\x1b[1;38;5;3mab\x1b[m\x1b[2mcd\x1b[m")
	check("abcd", "\x1b[1mäb\x1b[m", "\x1b[H\x1b[K\x1b[1mäb\x1b[m")
	check("abcd", "界界", "\x1b[H\x1b[K界界")
}

// painter is one whose writes are kept, with the screen full and known.
func painter(shown ...string) (*Painter, *bytes.Buffer) {
	var out bytes.Buffer
	p := NewPainter(&out)
	p.full, p.shown, p.width, p.height = true, shown, 2, 3
	return p, &out
}

// slow is a terminal that reads when it is told to.
type slow struct {
	bytes.Buffer
	read chan struct{}
}

func (s *slow) Write(b []byte) (int, error) {
	<-s.read
	return s.Buffer.Write(b)
}

func TestPainterSkipsToTheNewestFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &slow{read: make(chan struct{})}
		p := NewPainter(out)
		p.full, p.shown, p.width, p.height = true, []string{""}, 2, 1
		for _, frame := range []string{"aa", "bb", "cc"} {
			p.queueFrame([]string{frame}, nil, toldState{percent: -1}) // does not wait
			synctest.Wait()
		}
		out.read <- struct{}{}
		out.read <- struct{}{}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := out.String(); got != "\x1b[Haa\x1b[H\x1b[Hcc\x1b[H" {
			t.Errorf("written %q", got)
		}
	})
}

func TestPainterKnowsWhatClearsTheScreen(t *testing.T) {
	check := func(written, want string) {
		t.Helper()
		p, out := painter("aa", "bb")
		if _, err := io.WriteString(p, written); err != nil {
			t.Fatal(err)
		}
		out.Reset()
		p.next = []string{"aa", "bb"}
		p.paintNext()
		if got := out.String(); got != want {
			t.Errorf("after %q: %q, want %q", written, got, want)
		}
	}
	whole := "\x1b[Haa\x1b[2;1Hbb\x1b[3;1H\x1b[J\x1b[3;1H"
	check("\x1b[?25l", "")
	check(ansi.EraseEntireScreen, whole)
	check(ansi.SetModeAltScreenSaveCursor, whole)
	check(ansi.ResetModeAltScreenSaveCursor, "")
	check(ansi.ResetModeAltScreenSaveCursor+ansi.SetModeAltScreenSaveCursor, whole)
	check("frame of "+mark, "")
}

func TestPainterForgetsWhatWaitsWhenItsScreenIsLeft(t *testing.T) {
	p, out := painter("aa")
	p.next = []string{"bb"}
	for _, s := range []string{ansi.ResetModeAltScreenSaveCursor, ansi.SetModeAltScreenSaveCursor} {
		if _, err := io.WriteString(p, s); err != nil {
			t.Fatal(err)
		}
	}
	out.Reset()
	if p.paintNext() || out.Len() > 0 {
		t.Errorf("painted %q over another program's screen", out)
	}
}

// A title and progress are told once, go with a frame that is shown in one go, and
// are given back with the screen; a terminal that knows none of it gets none.
func TestPainterTellsWhatTheTerminalKnows(t *testing.T) {
	write := func(p *Painter, s string) {
		if _, err := io.WriteString(p, s); err != nil {
			t.Fatal(err)
		}
	}
	check := func(e Extras, want string) {
		t.Helper()
		p, out := painter("aa")
		p.extras, p.full = e, false
		write(p, ansi.SetModeAltScreenSaveCursor)
		for range 2 {
			p.next, p.says = []string{"bb"}, toldState{"runs", 40}
			p.paintNext()
		}
		write(p, ansi.ResetModeAltScreenSaveCursor)
		if got := out.String(); got != want {
			t.Errorf("%+v: %q, want %q", e, got, want)
		}
	}
	on, frame, off := ansi.SetModeAltScreenSaveCursor, "\x1b[Hbb\x1b[2;1H\x1b[J\x1b[3;1H", ansi.ResetModeAltScreenSaveCursor
	check(Extras{}, on+frame+off)
	check(Extras{Sync: true}, on+"\x1b[?2026h"+frame+"\x1b[?2026l"+off)
	check(Extras{Title: true}, keepTitle+on+frame+"\x1b]2;runs\a"+off+giveTitle)
	check(Extras{Progress: true}, on+frame+"\x1b]9;4;1;40\a"+off+"\x1b]9;4;0\a")
}

// sized is a program that fills its terminal with a letter, and clears it.
type sized struct {
	width, height int
	letter        string
}

func (s sized) Init() tea.Cmd { return nil }

func (s sized) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case string:
		s.letter = msg
		return s, tea.ClearScreen
	}
	return s, nil
}

func (s sized) View() string {
	line := strings.Repeat(s.letter, s.width)
	return line + strings.Repeat("\n"+line, max(0, s.height-1))
}

func TestPaintedOnAnEmulatedScreen(t *testing.T) {
	s := &screen{em: vt.NewEmulator(20, 5)}
	go func() { _, _ = io.Copy(io.Discard, s.em) }()
	out := NewPainter(s)
	p := tea.NewProgram(out.WrapModel(sized{letter: "a"}), tea.WithInput(nil), tea.WithOutput(out), tea.WithAltScreen(), tea.WithoutSignals())
	ended := make(chan error, 1)
	go func() { _, err := p.Run(); ended <- err }()
	filled := func(with string, width, height int) func() bool {
		return func() bool {
			want := strings.Repeat(strings.Repeat(with, width)+"\n", height)
			return strings.TrimRight(s.em.String(), "\n ") == strings.TrimRight(want, "\n")
		}
	}
	p.Send(tea.WindowSizeMsg{Width: 20, Height: 5})
	s.await(t, "a frame of 20x5", filled("a", 20, 5))
	p.Send("b")
	s.await(t, "another frame, on a screen that was cleared", filled("b", 20, 5))
	s.mu.Lock()
	s.em.Resize(12, 3)
	s.mu.Unlock()
	p.Send(tea.WindowSizeMsg{Width: 12, Height: 3})
	s.await(t, "a frame of 12x3", filled("b", 12, 3))
	p.Quit()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if raw := s.raw.String(); strings.Contains(raw, mark) || strings.LastIndex(raw, "b") > strings.LastIndex(raw, ansi.ResetModeAltScreenSaveCursor) {
		t.Errorf("ends with %q", raw[max(0, len(raw)-200):])
	}
}
