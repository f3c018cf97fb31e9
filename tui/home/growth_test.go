package home

import (
	"testing"
	"time"

	"github.com/muesli/termenv"

	"concord/eval"
)

// What is kept of a run is bounded, spans all of it, and ends where it ended.
func TestGrowth(t *testing.T) {
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	var g progressHistory
	for i := range 3 * 3600 {
		g.addCount(i, at.Add(time.Duration(i)*time.Second))
	}
	if n := len(g.done); n < most/2 || n > most {
		t.Errorf("keeps %d samples of three hours", n)
	}
	g.addFinalCount(20000, at.Add(4*time.Hour))
	g.addFinalCount(30000, at.Add(5*time.Hour))
	if last := g.done[len(g.done)-1]; last != 20000 || g.at.Sub(g.from) != 4*time.Hour {
		t.Errorf("ends with %v after %v", last, g.at.Sub(g.from))
	}
	g.addCount(20001, at.Add(6*time.Hour)) // taken up again
	if len(g.done) != 1 || g.step != time.Second {
		t.Errorf("a run that was taken up again has %d samples each %v", len(g.done), g.step)
	}
}

func TestGrowthIsDrawn(t *testing.T) {
	d := sit(t, project(), termenv.Ascii, 200, 50)
	run := d.runs.rows[0].Run.ID
	d.growths = map[eval.RunID]*progressHistory{run: {done: []float64{0, 10, 40}, step: time.Second, from: clock, at: clock.Add(2 * time.Second)}}
	for _, keys := range [][]string{nil, {"d"}} {
		d.Press(keys...)
		d.CheckShows("Answers over time", "40 in 2 s, 20.0/s on average", "█")
		d.CheckFits(d.width)
	}
}
