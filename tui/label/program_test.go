package label

import (
	"context"
	"errors"
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

// disk is an Appender that fails for a while, from the fifth act on.
type disk struct {
	mu   sync.Mutex
	acts []annotate.Act
	bad  bool
}

func (k *disk) Append(_ context.Context, acts []annotate.Act) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	time.Sleep(200 * time.Microsecond)
	if k.bad && len(k.acts) >= 5 {
		return errors.New("disk full")
	}
	k.acts = append(k.acts, acts...)
	return nil
}

func (k *disk) repair() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.bad = false
}

func (k *disk) said() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	var b strings.Builder
	for _, a := range k.acts {
		b.WriteString(string(a.Reading.Choice))
	}
	return b.String()
}

// The real program with the real journal: what is typed of items that are shown,
// on whatever disk, is stored in the order in which it was typed.
func TestProgramStoresWhatIsTyped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, bad := range []bool{false, true} {
		b, k := newBench(120), &disk{bad: bad}
		j := session.NewJournal(k, nil)
		m := New(ctx, Deps{Deps: annotation.Deps{Queue: "unparsable", Annotator: "ann", Theme: annotationtest.NewTheme(termenv.Ascii, true), Items: b, Pictures: b, Journal: j}, Revealer: b})
		p := tea.NewProgram(shell{m}, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutSignalHandler())
		ended := make(chan error, 1)
		go func() {
			_, err := p.Run()
			ended <- err
		}()
		typed := strings.Repeat("aBcdDCbA", 5)
		p.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
		for _, r := range typed {
			see(p)
			p.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		}
		if bad {
			time.Sleep(30 * time.Millisecond)
			k.repair()
			p.Send(annotationtest.NewKeyMsg("ctrl+k"))
		}
		p.Quit()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		m.Close()
		if err := j.Close(ctx); err != nil {
			t.Fatal(err)
		}
		got := k.said()
		if !bad && got != strings.ToUpper(typed) {
			t.Errorf("stored %s, typed %s", got, typed)
		}
		// After a failure the item comes back to the front. What was taken is not
		// lost, and numbers have no gaps.
		if len(got) != m.Acts || len(got) < 5 {
			t.Errorf("stored %d acts, taken %d", len(got), m.Acts)
		}
		for i, a := range k.acts {
			if a.N != uint32(i+1) {
				t.Fatalf("act %d is numbered %d", i+1, a.N)
			}
		}
	}
}
