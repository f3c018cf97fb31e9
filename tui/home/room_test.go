package home

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/eval"
)

// The list in which keys move takes room of the others and of what is beside
// or below them, and all of it, also at the next visit.
func TestTheListInFrontFillsTheScreen(t *testing.T) {
	for _, size := range [][2]int{{60, 24}, {80, 24}, {120, 40}, {200, 50}} {
		bubble(t, func(t *testing.T) {
			b := project()
			withVotes(b)
			for i := range 60 {
				r := b.rows[4]
				r.Run.ID += eval.RunID(100 + i)
				b.rows = append(b.rows, r)
			}
			d := sit(t, b, termenv.Ascii, size[0], size[1])
			normal := d.countShownRows(atRuns)
			d.Press(">")
			d.CheckFits(d.width)
			half := d.countShownRows(atRuns)
			d.CheckShows("Judge runs", "Queues")
			d.Press(">")
			d.CheckFits(d.width)
			if full := d.countShownRows(atRuns); full != d.height-above || half > full || half < normal || size[0] < beside && half == normal {
				t.Errorf("%v: %d rows, then %d, then %d", size, normal, half, full)
			}
			if strings.Contains(d.View(), "Queues") {
				t.Errorf("%v: another list in\n%s", size, d.View())
			}
			d.Press("tab")
			d.CheckShows("Judge runs")
			d.Press("tab")
			d.CheckShows("Queues")
			d.CheckFits(d.width)
			again := New(t.Context(), d.theme, Deps{Source: b})
			again.Resize(size[0], size[1]-3)
			if again.countShownRows(atRuns) != d.height-above {
				t.Errorf("%v: %d rows at the next visit", size, again.countShownRows(atRuns))
			}
			d.Press("<", "<", "tab")
			if d.countShownRows(atRuns) != normal {
				t.Errorf("%v: %d rows again", size, d.countShownRows(atRuns))
			}
			d.Press("d", ">", ">")
			d.CheckFits(d.width)
			d.CheckShows("nswers")
		})
	}
}

// Who has imported a dataset and nothing else finds it on the screen, and the
// key that starts a run of it.
func TestDatasetsWithoutARunAreThere(t *testing.T) {
	for _, size := range [][2]int{{60, 24}, {80, 24}, {120, 40}, {200, 50}} {
		bubble(t, func(t *testing.T) {
			all := project()
			b := &bench{choices: all.choices, datasets: []eval.Dataset{
				{Name: "second", Samples: 7, Complete: true, Origin: "second.tsv"},
				{Name: "third\x1b", Samples: 1500, NoTruth: 3, Origin: "third.tsv"},
			}}
			b.choices.Datasets = append(b.choices.Datasets, DatasetChoice{Name: "second", Samples: 7, Kinds: []eval.Kind{eval.KindChoice}})
			d := sit(t, b, termenv.Ascii, size[0], size[1])
			d.CheckFits(d.width)
			d.CheckShows("Datasets without a run", "› ○  second", "third␛", "n asks a model", "n starts a run")
			d.Press("down")
			d.CheckShows("its import has not come to its end")
			d.Press("up", "p")
			if len(d.Notices) != 1 || !strings.Contains(d.Notices[0], "n starts one") {
				t.Errorf("told %q", d.Notices)
			}
			d.Press("n")
			if d.composer.form == nil || d.composer.form.dataset.Value() != "second" {
				t.Fatalf("no form of it:\n%s", d.View())
			}
			d.Press("esc")
			run := all.rows[0]
			run.Run.Config.Dataset = "second"
			b.rows, b.datasets = []Row{run}, b.datasets[:1]
			d.Run(d.Refresh())
			if v := d.View(); strings.Contains(v, "without a run") || d.focus != atRuns {
				t.Errorf("focus %d in\n%s", d.focus, v)
			}
		})
	}
}
