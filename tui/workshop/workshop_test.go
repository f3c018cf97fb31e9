package workshop

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/eval"
	"concord/eval/stat"
	"concord/tui/keymap"
	"concord/tui/keymap/keymaptest"
	"concord/tui/widget"
)

// memory is prompts of one judge. A prompt reads as many of ten answers right as it has
// the letter x.
type memory struct {
	bench    Bench
	asked    []string // what was begun with, by prompt and part
	promoted string
	fails    error
}

func (m *memory) ReadTrials(context.Context, annotate.QueueName, string) (Bench, error) {
	b := m.bench
	b.Candidates = slices.Clone(b.Candidates)
	return b, nil
}

func (m *memory) find(prompt string) *Candidate {
	i := slices.IndexFunc(m.bench.Candidates, func(c Candidate) bool { return c.Text == prompt })
	if i < 0 {
		return nil
	}
	return &m.bench.Candidates[i]
}

func (m *memory) KeepPrompt(_ context.Context, o Order) (string, error) {
	if m.fails != nil {
		return "", m.fails
	}
	name := fmt.Sprintf("mini~%08d", len(m.bench.Candidates))
	m.bench.Candidates = append(m.bench.Candidates, Candidate{Name: name, Text: o.Prompt})
	return name, nil
}

func (m *memory) KeepDraft(_ annotate.QueueName, _, text string) error {
	m.bench.Draft = text
	return nil
}

func (m *memory) Estimate(_ context.Context, o Order) (string, error) {
	if c := m.find(o.Prompt); !o.HeldOut && c.Asked || o.HeldOut && slices.Contains(m.asked, c.Name+" held out") {
		return "", nil
	}
	return "about 10 calls, cost 0.1", nil
}

func (m *memory) Start(_ context.Context, o Order) error {
	c := m.find(o.Prompt)
	if o.HeldOut {
		m.asked = append(m.asked, c.Name+" held out")
		return nil
	}
	m.asked = append(m.asked, c.Name)
	c.Asked, c.Agreement = true, stat.NewRate(strings.Count(o.Prompt, "x"), 10)
	if c != &m.bench.Candidates[0] {
		c.Changed = [2][]string{{"3 of m"}, {"4 of m", "5 of m, criterion a"}}
		c.Before, c.Fixed, c.Broken = m.bench.Candidates[0].Name, []eval.Key{{Run: 1, Sample: 3}}, []eval.Key{{Run: 1, Sample: 4}, {Run: 1, Sample: 5}}
	}
	return nil
}

func (m *memory) MeasureHeldOut(_ context.Context, o Order, _ annotate.Annotator) error {
	c := m.find(o.Prompt)
	c.Looked, c.HeldOut = true, stat.NewRate(7, 10)
	m.bench.Looks++
	return nil
}

func (m *memory) Promote(_ context.Context, o Order, _ annotate.Annotator) (string, error) {
	m.promoted = m.find(o.Prompt).Name
	return "prompts/" + m.promoted + ".txt", nil
}

type desk struct {
	t *testing.T
	*Model
	memory *memory
	said   []string
	opened *OpenAnswers
}

func sit(t *testing.T, who annotate.Annotator) *desk {
	s := &memory{bench: Bench{Queue: "q", Judge: "mini", Judges: []string{"mini", "maxi"}, Candidates: []Candidate{{Name: "mini~00000000", Text: "xxxx", Now: true}}}}
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	d := &desk{t: t, memory: s, Model: New(t.Context(), Deps{Theme: widget.NewTheme(r), Source: s, Queue: "q", Who: who})}
	d.Resize(80, 20)
	d.run(d.Init())
	return d
}

func (d *desk) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case widget.Notify:
		d.said = append(d.said, msg.Text)
	case OpenAnswers:
		d.opened = &msg
	default:
		d.run(d.Update(msg))
	}
}

func (d *desk) press(keys ...string) {
	for _, k := range keys {
		if k == "esc" { // the root's
			d.GoBack()
			continue
		}
		d.run(d.Update(keymap.NewKeyMsg(k)))
	}
}

func (d *desk) shows(texts ...string) {
	d.t.Helper()
	for _, text := range texts {
		if frame := d.View(); !strings.Contains(frame, text) {
			d.t.Errorf("no %q in\n%s", text, frame)
		}
	}
}

func (d *desk) lastSaid() string {
	if len(d.said) == 0 {
		return ""
	}
	return d.said[len(d.said)-1]
}

// A prompt is written, its cost shown, asked, compared, looked at, and promoted; and not
// before.
func TestAPromptIsTriedAndPromoted(t *testing.T) {
	d := sit(t, "ann")
	d.shows("0000 (now)", "not asked yet")
	d.press("r")
	d.shows("about 10 calls, cost 0.1")
	d.press("n")
	if len(d.memory.asked) != 0 {
		t.Fatalf("asked %q before somebody agreed", d.memory.asked)
	}
	d.press("r", "y")
	d.shows("40.0%")

	d.press("e", "x", "x", "ctrl+z", "ctrl+y", "ctrl+k")
	d.shows("about 10 calls")
	d.press("y")
	d.shows("60.0%", "1 beside 00000000: 3 of m", "2 beside 00000000: 4 of m; 5 of m, criterion a")
	if want := []string{"mini~00000000", "mini~00000001"}; !slices.Equal(d.memory.asked, want) {
		t.Errorf("asked %q", d.memory.asked)
	}
	d.press("enter")
	if o := d.opened; o == nil || o.Extractor != "mini~00000001" || len(o.Fixed) != 1 || len(o.Broken) != 2 {
		t.Errorf("opened %+v", o)
	}

	d.press("p")
	if !strings.Contains(d.lastSaid(), "held-out") || d.memory.promoted != "" {
		t.Errorf("said %q, promoted %q", d.lastSaid(), d.memory.promoted)
	}
	d.press("m", "y", "m")
	d.shows("70.0%", "1 look at them saved")
	d.press("p")
	d.shows("becomes the prompt of mini")
	d.press("y")
	if d.memory.promoted != "mini~00000001" || !strings.Contains(d.lastSaid(), "prompts/mini~00000001.txt") {
		t.Errorf("promoted %q, said %q", d.memory.promoted, d.lastSaid())
	}
}

// What is written is there again after the editor and the page were left, and what does
// not read is named.
func TestADraftIsKept(t *testing.T) {
	d := sit(t, "")
	d.press("e", "y", "o", "u")
	d.shows("being written: {{examples 4}} shows labelled answers")
	d.press("esc")
	if d.memory.bench.Draft != "youxxxx" {
		t.Errorf("kept %q", d.memory.bench.Draft)
	}
	d.run(d.Refresh())
	d.shows("Another one has been begun")
	d.memory.fails = errors.New("template: unexpected {{")
	d.press("e", "ctrl+k")
	d.shows("youxxxx", "unexpected {{")
	d.Close()
	if d.memory.bench.Draft != "youxxxx" || !d.IsTyping() {
		t.Errorf("kept %q", d.memory.bench.Draft)
	}
	d.press("esc", "r", "y", "m")
	if !strings.Contains(d.lastSaid(), "say who you are first") {
		t.Errorf("a look by nobody: said %q", d.lastSaid())
	}
	d.press("enter")
	if !strings.Contains(d.lastSaid(), "the first that was tried") {
		t.Errorf("said %q", d.lastSaid())
	}
}

func TestKeysAreInTheCatalogue(t *testing.T) {
	d := sit(t, "ann")
	var all []key.Binding
	for _, g := range d.HelpGroups() {
		if g.Title != writeGroup { // keys of a text are everywhere the same
			all = append(all, g.Keys...)
		}
	}
	for _, missing := range keymaptest.FindMissingKeys(all, place) {
		t.Errorf("no key %s", missing)
	}
}

// A prompt that was only looked at in the editor is no draft.
func TestNothingWrittenIsNoDraft(t *testing.T) {
	d := sit(t, "ann")
	d.press("e", "esc")
	if d.memory.bench.Draft != "" {
		t.Errorf("kept %q", d.memory.bench.Draft)
	}
}
