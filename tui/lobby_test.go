package tui

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

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
		a.do(a.lobby.enterPairs())
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

func (p *pairing) Fields(context.Context) ([]Field, error) {
	return []Field{{"mb", []string{"anchor", "otter", "lynx"}}, {"other", []string{"a", "b"}}}, nil
}

func (p *pairing) MakePairs(_ context.Context, o PairOrder) (string, error) {
	p.orders = append(p.orders, o)
	return "queue made", p.err
}

func TestAQueueOfPairsIsMadeInTheApp(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
		p := &pairing{err: errors.New("frozen once it is made")}
		a.deps.Pairer = p
		a.size(80, 24)
		a.press("v", "c")
		for _, want := range []string{"New queue of pairs", "dataset      mb", "of each group of the finest level", "make the queue"} {
			if !strings.Contains(a.View(), want) {
				t.Errorf("no %q:\n%s", want, a.View())
			}
		}
		a.press("2", "down", "down", "right", " ", "down", "right", "down", "3", "down", "left", "down", "down", " ", "enter")
		if !strings.Contains(a.View(), "✗ frozen once it is made") {
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
