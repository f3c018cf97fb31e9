package samples

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/annotation/annotationtest"
	"concord/tui/pager"
)

// secrets is a source of samples of which every third is blind, and of every
// third next the truth is sealed.
type secrets struct {
	n, pulled int
	who       annotate.Annotator
	pictures  []eval.Picture
}

func (s *secrets) sight(o eval.Ordinal) blind.Visibility {
	return [...]blind.Visibility{blind.AllVisible, blind.TextHidden, blind.TruthHidden}[o%3]
}

func (s *secrets) RowsOfRun(_ context.Context, who annotate.Annotator, _ eval.RunID, want func(*Row) bool) iter.Seq2[Row, error] {
	s.who = who
	return FilterRows(func(yield func(Row, error) bool) {
		for i := range s.n {
			s.pulled++
			r := Row{
				Key: eval.Key{Run: 1, Sample: eval.Ordinal(i)}, Sample: eval.SampleID(fmt.Sprint("s", i)),
				Visibility: s.sight(eval.Ordinal(i)),
			}
			if r.Visibility.ShowsText() {
				r.Text, r.Reading = fmt.Sprint("text-", i), eval.Extraction{Choice: "T", Status: eval.Found}
			}
			if r.Visibility == blind.AllVisible {
				r.Truth, r.Result = "T", Right
			}
			if !yield(r, nil) {
				return
			}
		}
	}, want)
}

func (s *secrets) RowsOfKeys(ctx context.Context, a Ask, _ iter.Seq2[eval.Key, error]) iter.Seq2[Row, error] {
	return s.RowsOfRun(ctx, a.Who, 1, nil)
}

func (s *secrets) DetailInRun(_ context.Context, _ annotate.Annotator, _ eval.RunID, o eval.Ordinal) (Detail, error) {
	sight := s.sight(o)
	options := []eval.Option{{Letter: "A", Text: "one"}, {Letter: "B", Text: "two"}}
	d := Detail{Sample: "s", Question: "what?", Options: options, Blinded: sight != blind.AllVisible, Pictures: s.pictures}
	p := Pass{Visibility: sight, Options: options}
	if sight.ShowsText() {
		p.Text = "the raw text " + strings.Repeat("\x1b[2J long ", 3000)
		p.Readings = []blind.MachineReading{{Extractor: "rules:concord", Extraction: eval.Extraction{Choice: "A", Status: eval.Found, Method: "method"}}}
		p.Labels = []annotate.Label{{Annotator: "bo", Reading: annotate.Reading{Kind: annotate.SaidNone}}}
	}
	if !d.Blinded {
		d.Truth, p.Truth, d.Model = "A", "A", "the-model"
	}
	d.Passes = []Pass{p}
	return d, nil
}

func (s *secrets) SampleDetail(ctx context.Context, who annotate.Annotator, _ eval.DatasetName, o eval.Ordinal) (Detail, error) {
	d, err := s.DetailInRun(ctx, who, 0, o)
	d.Passes, d.Model = nil, ""
	return d, err
}

func (s *secrets) Picture(eval.PictureHash) ([]byte, error) {
	return annotationtest.NewPNG(40, 30), nil
}

func screen(t *testing.T, n int) (*Model, *secrets) {
	s := &secrets{n: n}
	m := New(t.Context(), annotationtest.NewTheme(termenv.Ascii, true), s, "ada", NewRunQuery(s, 1, "a run"))
	t.Cleanup(m.Close)
	m.Resize(100, 30)
	do(m, m.Init())
	return m, s
}

func do(m *Model, cmd tea.Cmd) {
	h := annotationtest.Harness{Screen: m}
	h.Run(cmd)
}

func press(m *Model, keys ...tea.KeyMsg) {
	for _, k := range keys {
		do(m, m.Update(k))
	}
}

var (
	down  = tea.KeyMsg{Type: tea.KeyDown}
	enter = tea.KeyMsg{Type: tea.KeyEnter}
	tab   = tea.KeyMsg{Type: tea.KeyTab}
)

func TestBlindRowsTellNothing(t *testing.T) {
	m, _ := screen(t, 9)
	lines := strings.Split(m.View(), "\n")[3:12]
	for i, l := range lines {
		if i%3 == 1 && (strings.Contains(l, "text-") || strings.Contains(l, "T") || !strings.Contains(l, blindText)) {
			t.Errorf("a blind row tells %q", l)
		}
		if i%3 == 2 && (strings.Contains(l, "✓") || strings.Count(l, "T") != 1) {
			t.Errorf("a sealed row tells its ground truth: %q", l)
		}
		if i%3 == 0 && (!strings.Contains(l, "✓") || !strings.Contains(l, "text-")) {
			t.Errorf("an open row hides something: %q", l)
		}
	}
	press(m, tab) // right only: that a row is there would tell
	if m.List.Len() != 3 || !strings.Contains(m.View(), "6 not shown") {
		t.Errorf("%d rows in\n%s", m.List.Len(), m.View())
	}
}

func TestBlindSampleTellsNothing(t *testing.T) {
	check := func(at int, tells ...string) {
		t.Helper()
		m, _ := screen(t, 9)
		for range at {
			press(m, down)
		}
		press(m, enter)
		v := m.View()
		for _, secret := range []string{"the raw text", "rules:concord", "bo", "the-model", "✓"} {
			want := false
			for _, s := range tells {
				want = want || s == secret
			}
			if strings.Contains(v, secret) != want {
				t.Errorf("sample %d: %q shown is %v\n%s", at, secret, !want, v)
			}
		}
		if strings.Contains(v, "\x1b") {
			t.Error("an escape gets through")
		}
	}
	check(0, "the raw text", "rules:concord", "bo", "the-model", "✓")
	check(1)
	check(2, "the raw text", "rules:concord", "bo")
}

func TestPicturesAreShownInTurn(t *testing.T) {
	m, s := screen(t, 3)
	s.pictures = []eval.Picture{{Name: "gone.png"}, {Hash: "a", Name: "a.png"}, {Hash: "b", Name: "b.png"}}
	sees := func(want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(m.View(), w) {
				t.Errorf("no %q in\n%s", w, m.View())
			}
		}
	}
	next := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(".")}
	press(m, enter)
	sees("image 2 of 3, . next", "a.png") // the first that can be shown
	press(m, next)
	sees("image 3 of 3", "40x30 px  b.png")
	press(m, next)
	sees("image 1 of 3", "no image: gone.png")
}

func TestListIsReadByPages(t *testing.T) {
	m, s := screen(t, 100000)
	if s.pulled > pager.Size {
		t.Errorf("%d rows read for the first page", s.pulled)
	}
	for range pager.Size {
		press(m, down)
	}
	if m.List.CurrentRowNumber()-1 != pager.Size || s.pulled > 3*pager.Size {
		t.Errorf("at row %d after reading %d", m.List.CurrentRowNumber()-1, s.pulled)
	}
}

func TestLongTextIsLaidOutAsFarAsItIsSeen(t *testing.T) {
	m, _ := screen(t, 3)
	press(m, enter)
	if n, all := m.Page.text.Len(); all || n > 100 {
		t.Errorf("%d lines laid out, all: %v", n, all)
	}
	for range 500 {
		press(m, tea.KeyMsg{Type: tea.KeyPgDown})
	}
	if n, all := m.Page.text.Len(); !all || m.Page.scroll != n-m.Page.textHeight() {
		t.Errorf("the end is not reached: line %d of %d", m.Page.scroll, n)
	}
}
