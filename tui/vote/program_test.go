package vote

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/session"
	"concord/tui/annotation"
	"concord/tui/annotation/annotationtest"
)

// shell is the least of a root: it has the screen's model as its own.
type shell struct{ m *Model }

func (s shell) Init() tea.Cmd { return s.m.Init() }
func (s shell) View() string  { return s.m.View() }
func (s shell) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		s.m.Resize(size.Width, size.Height)
		return s, nil
	}
	if ask, ok := msg.(shows); ok {
		ask <- s.m.ItemInFront() != nil
		return s, nil
	}
	return s, s.m.Update(msg)
}

// shows asks whether the frame has an item in front.
type shows chan bool

// see waits until it has.
func see(p *tea.Program) {
	for ask := make(shows, 1); ; time.Sleep(100 * time.Microsecond) {
		if p.Send(ask); <-ask {
			return
		}
	}
}

// disk is an Appender that keeps what it is given.
type disk struct {
	mu   sync.Mutex
	acts []annotate.Act
}

func (k *disk) Append(_ context.Context, acts []annotate.Act) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.acts = append(k.acts, acts...)
	return nil
}

func (k *disk) said() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	var b strings.Builder
	for _, a := range k.acts {
		b.WriteString(string("-12=0"[a.Reading.Vote]))
	}
	return b.String()
}

// The real program with the real journal: what is typed of pairs that are shown is
// stored in the order in which it was typed.
func TestProgramStoresWhatIsTyped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b, k := newBench(40), &disk{}
	j := session.NewJournal(k, nil)
	m := New(ctx, Deps{Deps: annotation.Deps{Queue: "pairs", Annotator: "ann", Theme: annotationtest.NewTheme(termenv.ANSI256, true), Items: b, Pictures: b, Journal: j}, Revealer: b})
	p := tea.NewProgram(shell{m}, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutSignalHandler())
	ended := make(chan error, 1)
	go func() {
		_, err := p.Run()
		ended <- err
	}()
	typed := strings.Repeat("12=01", 6)
	p.Send(tea.WindowSizeMsg{Width: 120, Height: 40})
	for _, r := range typed {
		see(p)
		p.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	deadline := time.Now().Add(10 * time.Second)
	for len(k.said()) < len(typed) && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	p.Quit()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	m.Close()
	if err := j.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if got := k.said(); got != typed {
		t.Errorf("stored %s, typed %s", got, typed)
	}
}
