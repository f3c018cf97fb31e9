package adjudicate

import (
	"context"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/tui/annotation"
	"concord/tui/annotation/annotationtest"
)

// What experts differ on among candidates is listed by dataset, beside a queue
// and without one, and leads to where it is settled.
func TestExpertsAreCompared(t *testing.T) {
	curated := func(context.Context, annotate.Annotator) ([]Curated, error) {
		return []Curated{{"pool", 120, curation.Disputes{Resolved: 4}}, {"star", 1500, curation.Disputes{Open: 3, Tied: 2}}}, nil
	}
	for _, q := range []annotate.QueueName{"", queue} {
		c := newCourt()
		m := New(t.Context(), Deps{Deps: annotation.Deps{Queue: q, Annotator: "cy", Theme: theme(termenv.Ascii), Items: c, Pictures: c, Journal: c}, Source: c, Curated: curated})
		m.Resize(80, 24)
		d := &driver{t: t, m: m}
		d.run(m.Init())
		if q != "" {
			d.sees("e: 3 candidates disputed")
			d.press("e")
		}
		d.sees("Expert disagreements", "pool", "120", "star", "≠ 3", "no majority")
		d.press("down")
		if got := m.Update(annotationtest.NewKeyMsg("enter"))(); got != tea.Msg(OpenCuration{"star"}) {
			t.Errorf("enter gives %v", got)
		}
		if m.GoBack() != (q != "") {
			t.Error("a queue is behind the list, or nothing is")
		}
	}
}
