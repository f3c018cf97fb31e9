package tui

import (
	"context"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/adjudicate"
	"concord/tui/curate"
)

// split is a dataset of one candidate that two experts differ on.
type split struct{ curate.Journal }

func (split) Datasets() ([]eval.Dataset, error) {
	return []eval.Dataset{{Name: "pool", Samples: 1, Complete: true}, {Name: "other", Complete: true}}, nil
}

func (split) Open(_ context.Context, d eval.DatasetName, who annotate.Annotator) (curate.Opening, error) {
	b, err := curation.NewBoard(curation.Opening{
		Dataset: d, Expert: who, Panel: curation.Panel{Experts: 2}, Items: []curation.Item{{}},
		Acts: []curation.Act{
			{Dataset: d, Expert: "bo", N: 1, Kind: curation.Judged, Verdict: curation.NeedsImage},
			{Dataset: d, Expert: "cy", N: 1, Kind: curation.Judged, Verdict: curation.Wrong},
		},
	})
	return curate.Opening{Board: b, Cards: []curate.Card{{Sample: eval.Sample{ID: "7", Question: "Who?"}}}}, err
}

func (s split) ReadBoard(ctx context.Context, d eval.DatasetName, who annotate.Annotator, _ func(*eval.Sample)) (*curation.Board, error) {
	o, err := s.Open(ctx, d, who)
	return o.Board, err
}

func (split) Picture(eval.PictureHash) ([]byte, error)                              { return nil, eval.ErrNotFound }
func (split) SyncStream(context.Context, curation.Stream) error                     { return nil }
func (split) StreamState(curation.Stream) (none curation.JournalState)              { return none }
func (split) RefusedActs(curation.Stream) ([]curation.Act, error)                   { return nil, nil }
func (split) RedoRefused(curation.Stream, func([]curation.Act) []curation.Act) bool { return false }
func (split) Changed() <-chan struct{}                                              { return nil }

// What experts differ on is one key away from the queues and from the
// candidates, and leads to the desk on which it is settled.
func TestDisputesLeadToTheirDesk(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := demo()
		p.queues = nil
		th := theme(termenv.Ascii, true)
		a := newApp(t, p, th, "ada")
		a.deps.Compare = func(q annotate.QueueName, w annotate.Annotator) Screen {
			return &reviewing{name: "differing candidates" + q, who: w, closed: &a.closed}
		}
		a.nav.can.curation = true

		a.tabs.curate = curate.New(t.Context(), curate.Deps{Source: split{}, Journal: split{}, Theme: th})
		a.tabs.curate.SetAnnotator("ada")
		a.nav.stacks[TabCurate] = []Screen{a.tabs.curate}
		a.size(80, 24)
		sees := func(want string) {
			t.Helper()
			if !strings.Contains(a.View(), want) {
				t.Errorf("no %q:\n%s", want, a.View())
			}
		}
		a.press("v", "w")
		sees("differing candidates")
		a.send(adjudicate.OpenCuration{Dataset: "pool"})
		sees("adjudicating")
		sees("Who?")
		if a.nav.tab != TabCurate {
			t.Errorf("tab %d", a.nav.tab)
		}
		a.press("ctrl+v")
		sees("differing candidates")
		a.send(adjudicate.OpenCuration{Dataset: "pool"})
		sees("adjudicating")
		if len(a.nav.stacks[TabCurate]) != 1 {
			t.Error("the list stays upon the desk")
		}
	})
}
