package judging

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"concord/eval"
	"concord/tui/annotation/annotationtest"
)

// desk is the screen, driven without a terminal and in fake time.
type desk struct {
	annotationtest.Harness
	*Model
	asked []tea.Msg // of the root
	now   time.Time
}

// sit has commands run to their end, those that wait for time too; the beat of every
// second is left out.
func sit(t *testing.T, b *bench, p termenv.Profile, width, height int) *desk {
	d := &desk{now: clock}
	d.Model = New(t.Context(), Deps{
		Source: b, Control: b, Scheduler: b, Theme: annotationtest.NewTheme(p, true), Now: func() time.Time { return d.now },
	})
	d.Harness = annotationtest.Harness{T: t, Screen: d.Model, Root: func(msg tea.Msg) bool {
		switch msg.(type) {
		case second:
			return true
		case Started:
			d.asked = append(d.asked, msg)
			return true
		}
		return false
	}}
	d.Resize(width, height-3) // less the root's header and footer
	return d
}

func (d *desk) page() *desk {
	d.OpenJob("votes/1/2", false)
	d.Run(d.Init())
	return d
}

func (d *desk) newForm() *desk {
	d.OpenForm("")
	d.Run(d.Init())
	return d
}

// TestGolden holds the looks of the screen in the sizes that people have, and
// that colours change no character of them.
func TestGolden(t *testing.T) {
	scenes := []struct {
		name string
		set  func(*bench)
		form bool
		keys []string
	}{
		{name: "results"},
		{name: "positions", keys: []string{"G"}},
		{name: "unparsed", keys: []string{"tab", "down"}},
		{name: "failed", keys: []string{"e"}},
		{name: "reply", keys: []string{"tab", "enter"}},
		{name: "cancel", keys: []string{"c"}},
		{name: "paused", set: func(b *bench) {
			b.rows[0].Progress.State, b.rows[0].Progress.Why = eval.Paused, "the budget of 5 is spent"
		}},
		{name: "stored", set: func(b *bench) {
			b.rows[0].Live, b.rows[0].Progress, b.rows[0].Shares, b.rows[0].Priced = false, eval.Progress{}, 0, false
		}},
		{name: "form", form: true},
		{name: "models", form: true, keys: []string{"down", "down", "up"}},
		{name: "sees", form: true, keys: []string{"down", "down", "down", "down", "down"}},
		{name: "confirm", form: true, keys: []string{"down", " ", "left", " ", "enter"}},
		{name: "refused", form: true, set: func(b *bench) {
			b.refused = errors.New("votes of gpt-judge on runs 1 and 2 were made with other settings:\n  edge: was 512, is 1024")
		}},
		{name: "empty", form: true, set: func(b *bench) { b.choices = Choices{Trouble: "concord.toml:12: unknown key \"tempo\""} }},
	}
	for _, sc := range scenes {
		for _, s := range [][2]int{{60, 24}, {80, 24}, {120, 40}, {200, 50}} {
			t.Run(fmt.Sprintf("%s-%dx%d", sc.name, s[0], s[1]), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					frame := func(p termenv.Profile) string {
						b := project()
						if sc.set != nil {
							sc.set(b)
						}
						d := sit(t, b, p, s[0], s[1])
						if sc.form {
							d.newForm()
						} else {
							d.page()
						}
						d.Press(sc.keys...)
						d.CheckFits(d.shown.width)
						return d.View()
					}
					plain := frame(termenv.Ascii)
					if ansi.Strip(frame(termenv.TrueColor)) != plain {
						t.Error("colours change what is written")
					}
					golden.RequireEqual(t, []byte(annotationtest.TrimRight(plain)))
				})
			})
		}
	}
}
