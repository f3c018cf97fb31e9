package tui

import (
	"context"
	"iter"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/eval"
	"concord/tui/keymap"
)

// shelf is what there is to find.
type shelf struct{ asked *[]string }

func (shelf) Datasets(context.Context) ([]eval.DatasetName, error) {
	return []eval.DatasetName{"mmbench"}, nil
}

func (s shelf) FindSamples(_ context.Context, text string, _ int) ([]Found, bool, error) {
	*s.asked = append(*s.asked, text)
	return []Found{{Dataset: "mmbench", Ordinal: 2, ID: "241", Question: "Which zebra?"}}, false, nil
}

func (shelf) FirstAnswers(_ context.Context, _ eval.DatasetName, o eval.Ordinal) iter.Seq2[eval.Key, error] {
	return func(yield func(eval.Key, error) bool) { yield(eval.Key{Run: 1, Sample: o}, nil) }
}

func TestPalette(t *testing.T) { bubble(t, paletteFinds) }

func paletteFinds(t *testing.T) {
	a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
	var asked, copied []string
	a.deps.Search, a.finder.source = shelf{&asked}, shelf{&asked}
	a.finder.commands = []Command{{Usage: "concord export labels", Short: "What people said"}}
	a.deps.Copy = func(s string) tea.Cmd { copied = append(copied, s); return nil }
	a.deps.Review = func(q annotate.QueueName, w annotate.Annotator) Screen {
		return &labelling{reviewing{name: q, who: w}}
	}
	a.spell(choose(t, chose("undo", "f9")))
	a.size(80, 24)
	open := func(text string) {
		t.Helper()
		a.send(keymap.NewKeyMsg("ctrl+p"))
		if a.finder.palette == nil {
			t.Fatal("it is closed")
		}
		a.press(text)
	}
	sees := func(want string) {
		t.Helper()
		if !strings.Contains(a.View(), want) {
			t.Errorf("no %q in\n%s", want, a.View())
		}
	}

	open("unparsable")
	sees("› queue    unparsable")
	a.press("enter")
	sees("reviewing unparsable with f9s as ada")

	// A key of the screen, by the person's key and sent as the screen's own.
	open("undo")
	sees("› do       undo                                                           f9 │")
	a.press("enter")
	sees("as ada: ctrl+z")
	// What the root does, and what is typed is no command.
	open("q?[")
	a.press("esc")
	if a.finder.palette != nil {
		t.Error("esc does not close it")
	}
	sees("as ada: ctrl+z")

	open("report: steps")
	a.press("enter")
	sees("[Steps]")

	open("shell labels")
	a.press("enter")
	sees("in a shell: concord export labels (copied")
	if len(copied) != 1 || copied[0] != "concord export labels" {
		t.Errorf("copied %q", copied)
	}

	asked = nil
	open("zebra?")
	time.Sleep(time.Second)
	sees("› sample   241  Which zebra?")
	a.press("enter")
	sees("241 of mmbench")
	if len(asked) != 1 || asked[0] != "zebra?" {
		t.Errorf("searched for %q", asked)
	}

	// Where text is typed there is none.
	a.send(keymap.NewKeyMsg("ctrl+w"))
	a.press(":")
	if a.finder.palette != nil {
		t.Error("a colon in a name opens it")
	}
}
