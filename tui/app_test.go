package tui

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

	"concord/annotate"
	"concord/tui/annotation/annotationtest"
	"concord/tui/widget"
)

var sizes = [][2]int{{60, 24}, {80, 24}, {120, 40}, {200, 50}}

// TestFrames holds every screen's look in every size, and that colours change
// no character of it.
func TestFrames(t *testing.T) {
	frames(t, demo, []scene{
		{"runs", "ada", nil},
		{"queues", "ada", []string{"tab"}},
		{"cancel", "ada", []string{"c"}},
		{"samples", "ada", []string{"enter"}},
		{"sample", "ada", []string{"enter", "enter", "right"}},
		{"blind", "ada", []string{"enter", "down", "down", "enter"}},
		{"accuracy", "ada", []string{"a", "down"}},
		{"levels", "ada", []string{"a", "d", "B", "down", "right"}},
		{"steps", "ada", toReport("steps")},
		{"alignment", "ada", toReport("alignment", "S", "down", "down")},
		{"items", "ada", toReport("alignment", "enter", "tab", "tab")},
		{"parts", "ada", toReport("alignment", "d", "B", "down", "down")},
		{"trend", "ada", toReport("alignment", "S", "S", "d", "d", "down")},
		{"annotators", "ada", toReport("annotators", "down")},
		{"lobby", "ada", []string{"v"}},
		{"name", "", []string{"v"}},
		{"help", "ada", []string{"?"}},
		{"palette", "ada", []string{":"}},
		{"found", "ada", []string{":", "r", "e", "p"}},
	})
}

// scene is what a person sees after keys.
type scene struct {
	name string
	who  string
	keys []string
}

// frames holds the look of scenes of a project.
func frames(t *testing.T, project func() *project, scenes []scene) {
	for _, sc := range scenes {
		for _, s := range sizes {
			inBubble(t, fmt.Sprintf("%s-%dx%d", sc.name, s[0], s[1]), func(t *testing.T) {
				frame := func(p termenv.Profile, dark bool) string {
					a := newApp(t, project(), theme(p, dark), "")
					if sc.who != "" {
						a.person.setAnnotator("ada")
					}
					a.size(s[0], s[1])
					a.press(sc.keys...)
					a.fits()
					return a.View()
				}
				plain := frame(termenv.Ascii, true)
				if ansi.Strip(plain) != plain {
					t.Error("NO_COLOR draws escapes")
				}
				dark, light := frame(termenv.TrueColor, true), frame(termenv.TrueColor, false)
				if ansi.Strip(dark) != plain || ansi.Strip(light) != plain {
					t.Error("colours change what is written")
				}
				if dark == light {
					t.Error("dark and light look the same")
				}
				golden.RequireEqual(t, []byte(annotationtest.TrimRight(plain)))
			})
		}
	}
}

// inBubble runs a subtest so.
func inBubble(t *testing.T, name string, f func(*testing.T)) {
	t.Run(name, func(t *testing.T) { bubble(t, f) })
}

// bubble runs a test in fake time, so that nothing waits, and lets timers run
// out at its end.
func bubble(t *testing.T, f func(*testing.T)) {
	synctest.Test(t, func(t *testing.T) {
		defer time.Sleep(time.Minute)
		f(t)
	})
}

// trimRight takes the spaces at the ends of lines away, which editors do too.
func TestEmptyProjectSaysWhatToDo(t *testing.T) { bubble(t, emptyProject) }

func emptyProject(t *testing.T) {
	a := newApp(t, &project{}, theme(termenv.Ascii, true), "ada")
	a.size(80, 24)
	for _, want := range []string{"concord import predictions", "concord demo", "concord queue create"} {
		if !strings.Contains(a.View(), want) {
			t.Errorf("no %q in\n%s", want, a.View())
		}
	}
	a.press("a")
	if !strings.Contains(a.View(), "No runs yet") {
		t.Errorf("the report says\n%s", a.View())
	}
}

func TestTooSmall(t *testing.T) { bubble(t, tooSmall) }

func tooSmall(t *testing.T) {
	a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
	a.size(39, 10)
	if !strings.Contains(a.View(), "need 40x12") || !strings.Contains(a.View(), "have 39x10") {
		t.Errorf("says %q", a.View())
	}
}

func TestNewsMovesNothing(t *testing.T) { bubble(t, newsMovesNothing) }

func newsMovesNothing(t *testing.T) {
	p := demo()
	a := newApp(t, p, theme(termenv.Ascii, true), "ada")
	a.size(80, 24)
	a.press("down")
	under := func() string {
		for _, l := range strings.Split(a.View(), "\n") {
			if strings.HasPrefix(l, "› ") {
				return l[:strings.Index(l, "demo")]
			}
		}
		return ""
	}
	before := under()
	// Rows come in another order, one is new, numbers move.
	p.rows[0], p.rows[2] = p.rows[2], p.rows[0]
	extra := p.rows[1]
	extra.Run.ID = 9
	p.rows = append(p.rows[:1:1], append(p.rows[1:], extra)...)
	for i := range 20 {
		p.rows[1].Progress.Counts.Predictions += i
		a.send(changed{})
	}
	if after := under(); after != before || before == "" {
		t.Errorf("the cursor was on %q and is on %q", before, after)
	}
	if !strings.Contains(a.View(), "Runs  4") {
		t.Error("the new run is not shown")
	}
}

func TestSteering(t *testing.T) { bubble(t, steering) }

func steering(t *testing.T) {
	p := demo()
	a := newApp(t, p, theme(termenv.Ascii, true), "ada")
	a.size(80, 24)
	a.press("p", "c", "enter", "c", "n", "c", "esc", "c", "y", "down", "p", "down", "p", "c")
	want := "[pause 1 cancel 1 resume 2]"
	if got := fmt.Sprint(p.steered); got != want {
		t.Errorf("steered %s, want %s", got, want)
	}
	if !strings.Contains(a.View(), "nothing to cancel") {
		t.Errorf("an action that is not possible does not say why:\n%s", a.View())
	}
	a.press("tab", "p")
	if !strings.Contains(a.View(), "p steers runs") {
		t.Errorf("a key of runs does not say so among the queues:\n%s", a.View())
	}
}

func TestWayToReview(t *testing.T) { bubble(t, wayToReview) }

func wayToReview(t *testing.T) {
	a := newApp(t, demo(), theme(termenv.Ascii, true), "")
	a.size(80, 24)
	see := func(want string) {
		t.Helper()
		if !strings.Contains(a.View(), want) {
			t.Fatalf("no %q in\n%s", want, a.View())
		}
	}
	a.press("tab", "enter") // the first queue, but nobody has a name yet
	see("Your name")
	a.press("enter")
	see("type a name first")
	a.press("q", "a", "B", "enter")
	see("reviewing unparsable as qaB")
	a.press("A", "1", "x")
	see(": A1x")
	a.press("h", "v") // there and back: the review is where it was
	see(": A1x")
	a.press("a") // from a queue to how it is read
	see("[Alignment]")
	see("queue unparsable")
	a.press("v", "esc")
	see("Which queue?")
	if !a.closed {
		t.Error("the review was not closed")
	}
	a.press("down", "enter")
	see("reviewing hard ones")
	a.press("q", "q", "q")
	if !a.quits {
		t.Error("q at the top does not quit")
	}
}

func TestEscapeNeverQuits(t *testing.T) { bubble(t, escapeNeverQuits) }

func escapeNeverQuits(t *testing.T) {
	a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
	a.size(80, 24)
	a.press("enter", "enter", "esc", "esc", "esc", "esc", "a", "esc", "v", "esc", "?", "esc", "esc")
	if a.quits || a.nav.tab != TabRuns || len(a.nav.openStack()) != 1 {
		t.Errorf("quits %v, tab %d, %d screens", a.quits, a.nav.tab, len(a.nav.openStack()))
	}
}

func TestQuitSavesFirst(t *testing.T) { bubble(t, quitSavesFirst) }

func quitSavesFirst(t *testing.T) {
	p := demo()
	p.pending = 3
	a := newApp(t, p, theme(termenv.Ascii, true), "ada")
	a.size(80, 24)
	cmd := a.quit.saveThenQuit()
	if !strings.Contains(a.View(), "saving 3 acts…") {
		t.Errorf("while it saves:\n%s", a.View())
	}
	a.do(cmd)
	if !a.quits || p.pending != 0 {
		t.Errorf("quits %v with %d unsaved", a.quits, p.pending)
	}
}

func TestSavedReports(t *testing.T) { bubble(t, savedReports) }

func savedReports(t *testing.T) {
	a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
	a.size(120, 40)
	a.press(toReport("alignment", "S")...)
	said := a.View()
	a.press("d", "d")
	said += a.View() // over time
	a.press("d")
	for _, want := range []string{"saved as report 1 at 09:30:00", "calibrations", "today", "saved report 1", "by ada, as it would come out today"} {
		if !strings.Contains(said+a.View(), want) {
			t.Errorf("no %q in\n%s", want, said+a.View())
		}
	}
	a.send(changed{})
	if !strings.Contains(a.View(), "new data since 09:30:00") {
		t.Errorf("news is not told of:\n%s", a.View())
	}
	if len(a.project.saved) != 1 || a.project.saved[0].By != "ada" {
		t.Errorf("saved %+v", a.project.saved)
	}
}

// Who has yet to answer a queue sees its rates, and nothing small enough to
// tell how an item was labelled; what is saved is whole for everybody.
func TestAlignmentIsVeiledBeforeTheQueueIsAnswered(t *testing.T) {
	bubble(t, alignmentIsVeiled)
}

func alignmentIsVeiled(t *testing.T) {
	p := demo()
	p.left = map[annotate.Annotator]int{"ada": 3}
	look := func(who annotate.Annotator) (view string, opened bool) {
		a := newApp(t, p, theme(termenv.Ascii, true), who)
		a.size(120, 40)
		a.press(toReport("alignment", "S", "d", "B", "down", "enter")...)
		if opened = len(a.nav.openStack()) > 1; opened {
			a.press("esc")
		}
		a.fits()
		return a.View(), opened
	}
	v, opened := look("ada")
	if opened || !strings.Contains(v, "until you have answered all: 3 items left") || !strings.Contains(v, "22/26") ||
		strings.Contains(v, "perception") || strings.Count(v, "person") > 1 {
		t.Errorf("with 3 items left, items open: %v\n%s", opened, v)
	}
	v, opened = look("bo")
	if !opened || strings.Contains(v, "until you have answered") || !strings.Contains(v, "perception") || strings.Count(v, "person") < 2 {
		t.Errorf("with none left, items open: %v\n%s", opened, v)
	}
	if len(p.saved) != 2 || string(p.saved[0].Rows) != string(p.saved[1].Rows) || !strings.Contains(string(p.saved[0].Rows), `"annotator"`) {
		t.Error("what is saved depends on who looks")
	}
}

func TestLabelsMakeTheReportNew(t *testing.T) { bubble(t, labelsMakeTheReportNew) }

func labelsMakeTheReportNew(t *testing.T) {
	p := demo()
	a := newApp(t, p, theme(termenv.Ascii, true), "ada")
	a.size(80, 24)
	a.press(toReport("alignment")...)
	read := p.reads
	a.press("h", "a")
	if p.reads != read {
		t.Error("numbers that are still true are computed again")
	}
	p.acted = 3 // labels were stored meanwhile
	a.press("h", "a")
	if p.reads == read {
		t.Error("the alignment rate knows nothing of labels that were stored")
	}
}

func TestProblemsStay(t *testing.T) { bubble(t, problemsStay) }

func problemsStay(t *testing.T) {
	a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
	a.size(80, 24)
	a.send(widget.Notify{Level: widget.Problem, Text: "disk \x1b[31mfull"})
	a.send(widget.Notify{Level: widget.Info, Text: "done"})
	a.send(faded{})
	a.fits()
	if v := a.View(); !strings.Contains(v, "disk ␛[31mfull") {
		t.Errorf("the problem is not shown:\n%s", v)
	}
	a.press("esc")
	if strings.Contains(a.View(), "disk") {
		t.Error("esc does not dismiss a problem")
	}
}

func TestPanicIsReported(t *testing.T) {
	p := demo()
	a := newApp(t, p, theme(termenv.Ascii, true), "ada")
	a.size(80, 24)
	a.nav.stacks[TabRuns] = append(a.nav.stacks[TabRuns], broken{&reviewing{}})
	var out strings.Builder
	prog := tea.NewProgram(a.Model, tea.WithInput(nil), tea.WithOutput(&out), tea.WithoutSignals(), tea.WithAltScreen())
	_, err := prog.Run()
	if err == nil || !strings.Contains(err.Error(), "panic") {
		t.Errorf("the end is %v", err)
	}
	if !strings.Contains(out.String(), "\x1b[?1049l") || !strings.Contains(out.String(), "\x1b[?25h") {
		t.Error("the terminal is not restored")
	}
}

type broken struct{ *reviewing }

func (broken) View() string { panic("a screen is broken") }
