package tui

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/annotate"
)

// A queue of pairs is voted on, and one is found where nobody named it.
func TestPairsAreVotedOn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := demo()
		p.queues[1].Rule.From = annotate.FromPairs
		a := newApp(t, p, theme(termenv.Ascii, true), "ada")
		a.size(80, 24)
		a.press("v")
		if !strings.Contains(a.View(), "pairs") {
			t.Errorf("the list does not say what is voted on:\n%s", a.View())
		}
		a.press("down", "enter")
		if !strings.Contains(a.View(), "votes on hard ones") {
			t.Errorf("no votes:\n%s", a.View())
		}
		a.press("esc")
		a.do(a.tabs.queues.enterForPairs())
		if !strings.Contains(a.View(), "votes on hard ones") {
			t.Errorf("the only queue of pairs is not opened:\n%s", a.View())
		}
	})
}

// pairing is a Pairer that keeps what it was asked for.
type pairing struct {
	orders []PairOrder
	err    error
}

func (p *pairing) FormFields(context.Context) ([]Field, error) {
	return []Field{{"mb", []string{"anchor", "otter", "lynx"}}, {"other", []string{"a", "b"}}}, nil
}

func (p *pairing) DrawPairQueue(_ context.Context, o PairOrder) (string, error) {
	p.orders = append(p.orders, o)
	return "queue made", p.err
}

func TestAQueueOfPairsIsMadeInTheApp(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
		p := &pairing{err: errors.New("frozen once it is made: name that one with --anchor")}
		a.deps.Pairer = p
		a.size(80, 24)
		a.press("v", "c")
		for _, want := range []string{"New queue of pairs", "dataset     mb", "of each group of the finest level", "make the queue"} {
			if !strings.Contains(a.View(), want) {
				t.Errorf("no %q:\n%s", want, a.View())
			}
		}
		a.press("2", "down", "down", "right", " ", "down", "right", "down", "3", "down", "left", "down", "down", " ", "enter")
		if !strings.Contains(a.View(), "✗ frozen once it is made: name that one in the field anchor") {
			t.Errorf("the trouble is not said:\n%s", a.View())
		}
		p.err = nil
		a.press("enter")
		if !strings.Contains(a.View(), "Which queue?") || !strings.Contains(a.View(), "queue made") {
			t.Errorf("not back at the list:\n%s", a.View())
		}
		want := PairOrder{Name: "votes2", Dataset: "mb", Models: []string{"otter"}, Anchor: "anchor", Sample: "3", Overlap: 2, By: "ada"}
		if len(p.orders) != 2 || !reflect.DeepEqual(p.orders[1], want) {
			t.Errorf("ordered %+v, want %+v", p.orders, want)
		}
	})
}

// Letters that are read at once are text where text is typed, also when they
// are the name of a key.
func TestWordsThatNameKeysAreText(t *testing.T) {
	bubble(t, func(t *testing.T) {
		write := func(a *app, text string) { a.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)}) }
		for _, word := range []string{"left", "end", "up", "tab", "enter", "esc", "ctrl+c", "ctrl+shift+pgdown", "backspace"} {
			a := newApp(t, demo(), theme(termenv.Ascii, true), "")
			a.size(80, 24)
			a.press("v")
			write(a, "x")
			write(a, word)
			a.press("enter")
			if a.person.who != annotate.Annotator("x"+word) {
				t.Errorf("%q was typed, and the name is %q\n%s", "x"+word, a.person.who, a.View())
			}
		}
		a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
		a.deps.Pairer = &pairing{}
		a.size(80, 24)
		a.press("v", "c")
		write(a, "up")
		write(a, " a long name of a queue")
		if !strings.Contains(a.View(), "votesup a long name of a queue") {
			t.Errorf("the name of the queue is not as it was typed:\n%s", a.View())
		}
	})
}

// Somebody else takes over: what was open is left, a slip is taken back, and
// the next one begins at what is theirs.
func TestSomebodyElseTakesOver(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
		a.size(80, 24)
		a.press("v", "down", "enter", "ctrl+w")
		if !a.closed || a.person.who != "" || !strings.Contains(a.View(), "Who is annotating?") || !strings.Contains(a.View(), "esc stay ada") {
			t.Errorf("still ada's:\n%s", a.View())
		}
		a.press("esc")
		if a.person.who != "ada" || a.nav.tab != TabReview {
			t.Errorf("as %q:\n%s", a.person.who, a.View())
		}
		a.press("ctrl+w")
		a.press("bo")
		a.press("enter")
		if a.person.who != "bo" || !strings.Contains(a.View(), "as bo") || !strings.Contains(a.View(), "Which queue?") {
			t.Errorf("as %q:\n%s", a.person.who, a.View())
		}
		a.press("enter")
		if !strings.Contains(a.View(), " as bo: ") {
			t.Errorf("the queue is not bo's:\n%s", a.View())
		}
	})
}
