package tui

import (
	"context"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/eval"
	"concord/tui/newqueue"
)

// drawing is a source of queues that keeps what it was asked for.
type drawing struct {
	p    *project
	made []newqueue.Order
}

func (d *drawing) LoadFormChoices(context.Context) (newqueue.Stock, error) {
	return newqueue.Stock{Pools: []newqueue.DatasetPool{{Dataset: "demo", Runs: []newqueue.Run{{ID: 1, Name: "otter-7b"}, {ID: 2, Name: "lynx-vl"}}}}, Taken: []annotate.QueueName{"unparsed"}}, nil
}

func (d *drawing) PreviewDraw(context.Context, newqueue.Order) (newqueue.Drawn, error) {
	return newqueue.Drawn{Items: 3, Population: 9}, nil
}

func (d *drawing) CreateQueue(_ context.Context, o newqueue.Order) (string, error) {
	d.made = append(d.made, o)
	q := d.p.queues[0]
	q.Name = o.Name
	d.p.queues = append(d.p.queues, q)
	return "queue made", nil
}

// A queue to label is made from a run, from the queues, and from the list of
// queues to work on; it opens at once.
func TestAQueueToLabelIsMadeInTheApp(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, way := range []struct {
			keys string
			run  eval.RunID
		}{{"down l", 2}, {"tab l", 0}, {"v l", 0}} {
			p := demo()
			a := newApp(t, p, theme(termenv.Ascii, true), "ada")
			d := &drawing{p: p}
			a.deps.NewQueues = d
			a.size(80, 24)
			a.press(strings.Fields(way.keys)...)
			a.fits()
			if !strings.Contains(a.View(), "This draws 3 predictions of 9") {
				t.Fatalf("%s: no form:\n%s", way.keys, a.View())
			}
			a.press("enter")
			if len(d.made) != 1 || d.made[0].Run != way.run || d.made[0].By != "ada" {
				t.Errorf("%s: made %+v", way.keys, d.made)
			}
			if !strings.Contains(a.View(), "reviewing unparsed-2 as ada") || !strings.Contains(a.View(), "queue made") {
				t.Errorf("%s: the queue is not open:\n%s", way.keys, a.View())
			}
			a.press("esc", "esc")
			if a.nav.tab != TabRuns || len(a.nav.openStack()) != 1 {
				t.Errorf("%s: the form is still there:\n%s", way.keys, a.View())
			}
		}
	})
}
