package report

import (
	"context"
	"io"
	"iter"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/eval"
	"concord/tui/widget"
)

// slow is a source whose questions come when the test lets them.
type slow struct {
	Source
	step  chan struct{}
	scans int
}

func (s *slow) Runs() ([]eval.Run, error) {
	return []eval.Run{{ID: 1, Config: eval.Config{Dataset: "d", Model: "m", Strategy: eval.Vanilla, Modality: eval.WithImage}}}, nil
}

func (s *slow) Datasets() ([]eval.Dataset, error) {
	return []eval.Dataset{{Name: "d", Samples: 1_000_000}}, nil
}

func (s *slow) Comparisons(context.Context) ([]eval.ComparisonProgress, error) { return nil, nil }

func (s *slow) Queues() ([]annotate.Queue, error) { return nil, nil }

func (s *slow) Judgments(context.Context, eval.RunID) iter.Seq2[eval.Judgment, error] {
	return func(func(eval.Judgment, error) bool) {}
}

func (s *slow) Questions(ctx context.Context, _ eval.Run) iter.Seq2[eval.Question, error] {
	s.scans++
	return func(yield func(eval.Question, error) bool) {
		for i := 0; ; i++ {
			if i%4096 == 0 {
				select {
				case _, more := <-s.step:
					if !more {
						return
					}
				case <-ctx.Done():
					yield(eval.Question{}, context.Cause(ctx))
					return
				}
			}
			q := eval.Question{Sample: eval.Sample{Ordinal: eval.Ordinal(i), Kind: eval.KindChoice}}
			if !yield(q, nil) {
				return
			}
		}
	}
}

func screen(t *testing.T, s Source) *Model {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	r.SetHasDarkBackground(true)
	m := New(t.Context(), widget.NewTheme(r), s, func() time.Time { return time.Unix(0, 0).UTC() })
	m.Resize(100, 30)
	return m
}

// start runs the command that computes beside the test; the other one ticks.
func start(t *testing.T, cmd tea.Cmd) <-chan tea.Msg {
	t.Helper()
	batch, ok := cmd().(tea.BatchMsg)
	if !ok || len(batch) != 2 {
		t.Fatal("computing is not a command with ticks beside it")
	}
	done := make(chan tea.Msg, 1)
	go func() { done <- batch[1]() }()
	return done
}

func TestComputingShowsProgressAndStops(t *testing.T) {
	s := &slow{step: make(chan struct{})}
	m := screen(t, s)
	done := start(t, m.Enter())
	s.step <- struct{}{}
	s.step <- struct{}{} // 4,096 questions have gone by, and up to as many since
	if v := m.View(); !strings.Contains(v, "loading 4,096 of 1,000,000") && !strings.Contains(v, "loading 8,192 of 1,000,000") {
		t.Errorf("no progress in\n%s", v)
	}
	if m.Enter() != nil {
		t.Error("a second computation beside the first")
	}
	if !m.GoBack() || m.GoBack() {
		t.Error("escape stops a computation once")
	}
	m.Update(<-done)
	if v := m.View(); !strings.Contains(v, "Stopped before the report was ready") {
		t.Errorf("after stopping:\n%s", v)
	}
}

func TestFiguresAreKeptUntilFactsChange(t *testing.T) {
	s := &slow{step: make(chan struct{})}
	close(s.step)
	m := screen(t, s)
	m.Update(<-start(t, m.Enter()))
	if m.Enter() != nil || s.scans != 1 {
		t.Error("numbers that are still true are computed again")
	}
	m.MarkStale()
	if v := m.View(); !strings.Contains(v, "new data since 00:00:00") {
		t.Errorf("not told that they are old:\n%s", v)
	}
	done := start(t, m.Enter())
	m.MarkStale() // facts change while they are read
	m.Update(<-done)
	if s.scans != 2 || !m.currentReader().shownFigures().stale {
		t.Errorf("%d scans, stale %v", s.scans, m.currentReader().shownFigures().stale)
	}
}

// Figures that are computed for one person are not shown to another.
func TestAnotherPersonComputesAnew(t *testing.T) {
	s := &slow{step: make(chan struct{})}
	close(s.step)
	m := screen(t, s)
	m.SetAnnotator("ada")
	m.at = indexOfPage(m.readers, alignmentPage)
	for range 2 { // while they are computed, and after
		done := start(t, m.Enter())
		m.SetAnnotator(m.who + "a")
		m.Update(<-done)
		if m.currentReader().shownFigures() != nil || m.work != nil {
			t.Fatal("numbers of somebody else are shown")
		}
		m.Update(<-start(t, m.Enter()))
		if m.currentReader().shownFigures() == nil {
			t.Fatal("no numbers of one's own")
		}
		m.SetAnnotator(m.who + "a")
	}
}
