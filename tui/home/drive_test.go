package home

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"concord/eval"
	"concord/tui/annotation/annotationtest"
	"concord/tui/widget"
)

// desk is the screen, driven without a terminal and in fake time.
type desk struct {
	annotationtest.Harness
	*Model
	asked []tea.Msg // of the root
}

// sit has commands run to their end, those that wait for time too; the beat of every
// second is left out.
func sit(t *testing.T, b *bench, p termenv.Profile, width, height int) *desk {
	d := &desk{Model: New(t.Context(), theme(p), Deps{Source: b, Control: b, Scheduler: b, Jobs: b, JobControl: b, Now: func() time.Time { return clock }})}
	d.Harness = annotationtest.Harness{T: t, Screen: d.Model, Root: func(msg tea.Msg) bool {
		switch msg.(type) {
		case second:
			return true
		case OpenAnswers, OpenSamples, OpenReport, OpenQueue, OpenJob, NewVotes:
			d.asked = append(d.asked, msg)
			return true
		}
		return false
	}}
	d.Resize(width, height-3) // less the root's header and footer
	d.Run(d.Init())
	return d
}

func theme(p termenv.Profile) *widget.Theme { return annotationtest.NewTheme(p, true) }

// bubble runs a test in fake time.
func bubble(t *testing.T, f func(*testing.T)) { synctest.Test(t, f) }

// TestGolden holds the looks of the screen in the sizes that people have, and
// that colours change no character of them.
func TestGolden(t *testing.T) {
	long := func(b *bench) {
		b.rows[0].Run.Config.Model = strings.Repeat("a-model-with-a-long-name-", 5)
		b.rows[0].Run.Config.Dataset = "datensatz-データセット-مجموعة-\x1b[31m-red"
		b.rows[0].Progress.LastFailure = strings.Repeat("very long ", 50)
		b.rows[0].Progress.Judges[0].Judge = "a judge whose name is long \x1b[1m"
	}
	scenes := []struct {
		name string
		set  func(*bench)
		keys []string
	}{
		{"list", nil, nil},
		{"detail", nil, []string{"d"}},
		{"answers", nil, []string{"d", "tab", "down"}},
		{"errors", nil, []string{"e"}},
		{"holding", nil, []string{"down", "d"}},
		{"budget", nil, []string{"down", "down"}},
		{"failed", nil, []string{"down", "down", "down"}},
		{"ended", func(b *bench) {
			r := &b.rows[3]
			r.Live, r.Progress.State, r.Progress.Err = false, eval.StateUnset, nil
			r.Progress.Why = "ask llava: configuration: 429 too many requests: the account has no credit left"
		}, []string{"down", "down", "down"}},
		{"form", nil, []string{"n"}},
		{"judges", nil, []string{"n", "down", "down", "down", "down", "down", "down", " ", "g", "p", "t", "-", "j", " "}},
		{"estimate", func(b *bench) { b.existing = &Existing{Run: 5, Same: true} }, []string{"n", "down"}},
		{"confirm", nil, []string{"n", "enter"}},
		{"why", nil, []string{"n", "down", "g"}},
		{"refused", func(b *bench) { b.refused = fmt.Errorf("dataset mmbench_dev: half of its images are missing") }, []string{"n"}},
		{"differences", func(b *bench) {
			b.existing = &Existing{Run: 5, Differences: []eval.Difference{
				{Field: "prompts", Was: "choice en v1 3fa9c1d2", Is: "choice en v2 77e01b2c"},
				{Field: "judges", Was: "", Is: "gpt-judge"},
				{Field: "edge", Was: "1024", Is: "512"},
			}}
		}, []string{"n", "enter"}},
		{"empty", func(b *bench) { b.choices = Choices{Trouble: "concord.toml:12: unknown key \"tempo\""} }, []string{"n"}},
		{"long", long, nil},
		{"judging", beingJudged, []string{"G"}},
		{"judgings", withVotes, []string{"tab", "down"}},
		{"end", withVotes, []string{"tab", "c"}},
		{"jury", nil, []string{"J", "q", "w", " "}},
		{"jury-imported", beingJudged, []string{"G", "d", "J", "o", " "}},
	}
	for _, sc := range scenes {
		for _, s := range [][2]int{{60, 24}, {80, 24}, {120, 40}, {200, 50}} {
			t.Run(fmt.Sprintf("%s-%dx%d", sc.name, s[0], s[1]), func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					frame := func(p termenv.Profile) string {
						b := project()
						if sc.set != nil {
							sc.set(b)
						}
						d := sit(t, b, p, s[0], s[1])
						d.Press(sc.keys...)
						d.CheckFits(d.width)
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
