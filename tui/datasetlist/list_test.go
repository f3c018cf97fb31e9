package datasetlist

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/exp/golden"

	"concord/eval"
	"concord/tui/widget"
)

// taken is the message of a screen that gets an overview.
type taken func() tea.Cmd

// reader reads overviews, and counts how often.
type reader struct {
	times int
	fail  error
}

func (r *reader) read(d eval.DatasetName) (v Overview, err error) {
	r.times++
	for _, s := range []eval.Sample{
		{Kind: eval.KindChoice, Question: "Where is the \x1b[2J cat?", Pictures: []eval.Picture{{Hash: "aa"}}},
		{Kind: eval.KindOpen, Question: "Who painted it?", Pictures: []eval.Picture{{Name: "lost.png"}}},
		{Kind: eval.KindOpen, Question: "What is in " + string(d) + "?"},
	} {
		v.AddSample(&s)
	}
	v.Work = func(s *widget.Sheet) { s.AddField("for you", "2 to judge") }
	v.Groups = func(width, _ int) []string { return []string{widget.FitWidth("all 0 of 3", width)} }
	return v, r.fail
}

func newTestList(r *reader) (*List, func() tea.Msg) {
	l := &List{Theme: widget.NewTheme(lipgloss.NewRenderer(io.Discard)), Title: "Which dataset?", Empty: "None yet."}
	return l, func() tea.Msg {
		cmd := l.ReadOverview(r.read, func(take func() tea.Cmd) tea.Msg { return taken(take) })
		if cmd == nil {
			return nil
		}
		if cmd = cmd().(taken)(); cmd == nil {
			return nil
		}
		return cmd()
	}
}

func draw(l *List, width, height int) string {
	l.Resize(width, height)
	keys := []key.Binding{widget.NewBinding("enter", "open", "enter")}
	lines := widget.FitBox(l.DrawLines(func(k string) string { return k }, keys), width, height)
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// An overview is read once for each dataset that comes to the front, and anew when the
// datasets are.
func TestOverviewIsReadOnce(t *testing.T) {
	r := &reader{}
	l, read := newTestList(r)
	if read(); r.times != 0 || !strings.Contains(draw(l, 80, 23), "None yet.") {
		t.Errorf("no dataset, and %d were read", r.times)
	}
	all := func() []eval.Dataset {
		return []eval.Dataset{{Name: "a", Samples: 3, Complete: true}, {Name: "half"}, {Name: "b", Samples: 3, Complete: true}}
	}
	if only := l.SetDatasets(all()); only != "" || len(l.All) != 2 {
		t.Errorf("the only one of %v is %q", l.All, only)
	}
	draw(l, 80, 23)
	for range 3 {
		read()
		l.MoveCursor(tea.KeyMsg{Type: tea.KeyDown})
		read()
		l.MoveCursor(tea.KeyMsg{Type: tea.KeyUp})
	}
	if d, ok := l.CurrentDataset(); r.times != 2 || !ok || d.Name != "a" {
		t.Errorf("read %d times, %v in front", r.times, d)
	}
	r.fail = errors.New("gone")
	l.SetDatasets(all())
	if m, ok := read().(widget.Notify); !ok || !strings.Contains(m.Text, "read dataset a: gone") || r.times != 3 {
		t.Errorf("%v, read %d times", m, r.times)
	}
	if s := draw(l, 80, 23); !strings.Contains(s, "1 with · 2 without") {
		t.Errorf("what was read before is gone:\n%s", s)
	}
	if only := l.SetDatasets(all()[:1]); only != "a" {
		t.Errorf("the only one is %q", only)
	}
}

func TestGolden(t *testing.T) {
	l, read := newTestList(&reader{})
	l.SetDatasets([]eval.Dataset{{Name: "a", Samples: 3, NoTruth: 1, Complete: true, Origin: "a.json"}, {Name: "b", Complete: true}})
	out := draw(l, 80, 23) + "\n"
	read()
	for _, size := range [][2]int{{200, 26}, {80, 23}, {40, 12}, {20, 4}} {
		out += draw(l, size[0], size[1]) + "\n"
	}
	golden.RequireEqual(t, []byte(out))
}
