package importer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"concord/tui/annotation/annotationtest"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // goldens show when files were changed
	os.Exit(m.Run())
}

// disk is folders and files in memory.
type disk struct {
	looked []string
	order  Order
	err    error
}

func (d *disk) ListFolder(_ context.Context, path string) (Folder, error) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	if path == "" {
		path = "/data"
	}
	return Folder{Path: path, Entries: []Entry{
		{Name: "old", Folder: true, At: at},
		{Name: "notes.txt", Size: 12, At: at},
		{Name: "bench.tsv", Size: 512_000, Likely: true, At: at},
		{Name: "out\x1b[2J.xlsx", Size: 3_400_000, Likely: true, At: at},
	}}, nil
}

func (d *disk) PreviewFile(_ context.Context, path string) (Preview, error) {
	d.looked = append(d.looked, path)
	if d.err != nil {
		return Preview{}, d.err
	}
	p := Preview{Path: path, Format: "tsv", Size: 512_000, Dataset: "bench", Asks: true, Answers: strings.HasSuffix(path, ".xlsx")}
	for i := range 8 {
		p.Rows = append(p.Rows, Row{
			ID: fmt.Sprint(i), Question: "Which shape is \x1b[31mred?", Options: "A circle, B square", Truth: i%2 == 0, Prediction: "The second.", Pictures: 1,
		})
	}
	p.Problems = []string{"bench.tsv:9: the row has no index"}
	return p, nil
}

func (d *disk) ImportFile(_ context.Context, o Order, watch func(read, total int64)) (Outcome, error) {
	watch(1, 2)
	d.order = o
	return Outcome{Summary: "bench: added 8", Left: 1, Problems: []string{"bench.tsv:9: no index"}, Next: "n asks a model."}, d.err
}

func (d *disk) DiagnoseConfig(context.Context) ([]Finding, error) {
	return []Finding{{Check: "config", Verdict: "ok", Text: "found", Good: true}, {Check: "endpoint x", Verdict: "broken", Text: "refused", Advice: "start it"}}, nil
}

// desk is the screen; its commands run on the spot, but for ticks.
type desk struct {
	annotationtest.Harness
	*Model
	disk *disk
	done []Choice
}

func sit(t *testing.T, open bool, width, height int) *desk {
	d := &desk{disk: &disk{}}
	d.Model = New(t.Context(), Deps{Theme: annotationtest.NewTheme(termenv.Ascii, true), Source: d.disk, Open: open})
	d.Harness = annotationtest.Harness{T: t, Screen: d.Model, Root: func(msg tea.Msg) bool {
		switch msg := msg.(type) {
		case ticked:
			return true
		case Done:
			d.done = append(d.done, msg.Choice)
			return true
		}
		return false
	}}
	d.Resize(width, height)
	d.Run(d.Init())
	return d
}

func TestFromNothingToAnImport(t *testing.T) {
	d := sit(t, false, 80, 21)
	d.CheckShows("How do you want to begin?")
	d.Press("down", "enter")
	d.CheckShows("/data", "bench.tsv", "out␛[2J.xlsx")
	d.Press("x", "l", "s")
	d.CheckShows("filter xls")
	d.Press("enter")
	d.CheckShows("nothing is written yet", "Which shape is ␛[31mred?", "left out: bench.tsv:9")
	d.Press("enter")
	d.CheckShows("say which model gave these answers")
	d.Press("m", "q", "enter")
	if want := (Order{Path: "/data/out\x1b[2J.xlsx", Answers: true, Dataset: "bench", Model: "mq"}); d.disk.order != want {
		t.Errorf("imported %+v", d.disk.order)
	}
	d.CheckShows("✓ bench: added 8", "1 row left out:", "n asks a model.")
	d.Press("enter")
	if !slices.Equal(d.done, []Choice{Imported}) {
		t.Errorf("done %v", d.done)
	}
}

// The file under the cursor is one that can be imported, and what it holds can
// be said otherwise than was found out.
func TestWhatAFileHoldsIsAPersonsChoice(t *testing.T) {
	d := sit(t, true, 80, 21)
	d.Press("enter")
	d.Press("up", "right", "down", "down", "m", "enter")
	if !d.disk.order.Answers || d.disk.order.Model != "m" || d.disk.order.Path != "/data/bench.tsv" {
		t.Errorf("imported %+v", d.disk.order)
	}
}

func TestAPathCanBeTyped(t *testing.T) {
	d := sit(t, true, 80, 21)
	d.Press("/tmp/a b.csv", "enter")
	if !slices.Equal(d.disk.looked, []string{"/tmp/a b.csv"}) {
		t.Errorf("looked at %q", d.disk.looked)
	}
}

func TestWhatCannotBeReadSaysWhy(t *testing.T) {
	d := sit(t, true, 80, 21)
	d.disk.err = errors.New("read bench.tsv: no column index")
	d.Press("enter")
	d.CheckShows("✗ read bench.tsv: no column index", "notes.txt")
	d.Press("esc")
	if strings.Contains(d.View(), "no column") {
		t.Error("the error stays after esc")
	}
}

func TestTheOtherWaysToBegin(t *testing.T) {
	d := sit(t, false, 80, 21)
	d.Press("enter")
	if !slices.Equal(d.done, []Choice{Demo}) {
		t.Errorf("done %v", d.done)
	}
	d.Press("down", "down", "enter")
	d.CheckShows("ok     config", "broken endpoint x", "start it")
	if !d.GoBack() || d.GoBack() {
		t.Error("esc leaves one level, and no more than there are")
	}
}

func TestGolden(t *testing.T) {
	for _, size := range [][2]int{{60, 21}, {120, 37}} {
		for name, keys := range map[string][]string{"menu": nil, "folder": {"down", "enter"}, "preview": {"down", "enter", "x", "enter"}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := sit(t, false, size[0], size[1])
				d.Press(keys...)
				golden.RequireEqual(t, d.View())
			})
		}
	}
}

// No step has a line wider, or more lines, than there is room.
func TestEverySizeFits(t *testing.T) {
	for _, keys := range [][]string{nil, {"down", "enter"}, {"down", "enter", "x", "enter"}, {"down", "enter", "enter", "enter"}, {"down", "down", "enter"}} {
		d := sit(t, false, 80, 21)
		d.Press(keys...)
		for w := 1; w <= 200; w += 7 {
			for h := 1; h <= 40; h += 3 {
				d.Resize(w, h)
				lines := strings.Split(d.View(), "\n")
				for _, l := range lines {
					if ansi.StringWidth(l) > w {
						t.Fatalf("%v at %dx%d: %d cells: %q", keys, w, h, ansi.StringWidth(l), l)
					}
				}
				if len(lines) > h {
					t.Fatalf("%v at %dx%d: %d lines", keys, w, h, len(lines))
				}
			}
		}
	}
}

// On a large screen the beginning of the file under the cursor stands beside the list, and
// is read once.
func TestFileStandsBesideTheList(t *testing.T) {
	d := sit(t, true, 200, 50)
	if v := ansi.Strip(d.View()); !strings.Contains(v, "First rows of bench.tsv") || !strings.Contains(v, "questions: enter says") {
		t.Error(v)
	}
	d.Press("down")
	if v := ansi.Strip(d.View()); !strings.Contains(v, "predictions: enter says") || strings.Contains(v, "First rows of bench.tsv") {
		t.Error(v)
	}
	d.Press("home")
	if v := ansi.Strip(d.View()); strings.Contains(v, "First rows") || len(d.disk.looked) != 2 {
		t.Errorf("%v were read:\n%s", d.disk.looked, v)
	}
	d.disk.err = errors.New("no column of questions")
	d.Press("down", "down")
	if v := ansi.Strip(d.View()); !strings.Contains(v, "no column of questions") {
		t.Error(v)
	}
}
