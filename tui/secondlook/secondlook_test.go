package secondlook

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/review"
	"concord/eval"
	"concord/tui/annotation/annotationtest"
	"concord/tui/keymap"
	"concord/tui/keymap/keymaptest"
	"concord/tui/widget"
)

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// shelf is a queue of four items, whose entries follow from the acts in it.
type shelf struct {
	acts  map[annotate.Annotator][]annotate.Act
	fails error
}

func (s *shelf) put(who annotate.Annotator, o eval.Ordinal, a annotate.Act) {
	a.Queue, a.Annotator, a.N = "q", who, uint32(len(s.acts[who])+1)
	a.Item, a.At = annotate.NewItemKey(eval.Key{Run: 1, Sample: o}), noon.Add(time.Duration(len(s.acts[who]))*time.Minute)
	s.acts[who] = append(s.acts[who], a)
}

func (s *shelf) ListVisibleEntries(context.Context, annotate.Annotator) (out List, err error) {
	for _, e := range review.ListEntries(&annotate.Queue{Name: "q", Rule: annotate.Rule{Dataset: "d"}}, s.acts, nil) {
		out.Rows = append(out.Rows, Row{Entry: e, Sample: eval.SampleID(fmt.Sprint(e.Item.Sample)), Number: int(e.Item.Sample) + 1})
	}
	out.Hidden = 2
	return out, s.fails
}

func (s *shelf) StoreDecisions(_ context.Context, who annotate.Annotator, acts []annotate.Act) (out []annotate.Act, err error) {
	if s.fails != nil {
		return nil, s.fails
	}
	for _, a := range acts {
		s.put(who, a.Item.Sample, a)
		out = append(out, s.acts[who][len(s.acts[who])-1])
	}
	return out, nil
}

type desk struct {
	annotationtest.Harness
	*Model
	shelf *shelf
	open  *OpenItem
}

func sit(t *testing.T, decides bool, width, height int) *desk {
	s := &shelf{acts: make(map[annotate.Annotator][]annotate.Act)}
	label := func(c eval.Choice) annotate.Act {
		return annotate.Act{Kind: annotate.Labelled, Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: c}}
	}
	s.put("ann", 0, label("A"))
	s.put("ann", 0, annotate.Act{Kind: annotate.Flagged})
	s.put("ann", 1, label("A"))
	s.put("ann", 1, annotate.Act{Kind: annotate.Noted, Text: "too small"})
	s.put("ben", 1, label("B"))
	s.put("ben", 2, annotate.Act{Kind: annotate.Commented, Text: "see page 2"})
	d := &desk{shelf: s, Model: New(t.Context(), Deps{
		Theme: annotationtest.NewTheme(termenv.ANSI256, true), Source: s, Who: "cy", Decides: decides, Now: func() time.Time { return noon },
	})}
	d.Harness = annotationtest.Harness{T: t, Screen: d.Model, Root: func(msg tea.Msg) bool {
		open, is := msg.(OpenItem)
		if is {
			d.open = &open
		}
		return is
	}}
	d.Resize(width, height)
	d.Run(d.Init())
	return d
}

// kinds are the entries that are listed, in one line.
func (d *desk) kinds() string {
	var out []string
	for _, r := range d.rows {
		out = append(out, fmt.Sprintf("%s %d", r.Matter, r.Number))
	}
	return strings.Join(out, ", ")
}

func (d *desk) lists(want string) {
	d.T.Helper()
	if got := d.kinds(); got != want {
		d.T.Errorf("lists %q, want %q\n%s", got, want, d.View())
	}
}

func TestFiltersAndDecisions(t *testing.T) {
	d := sit(t, true, 100, 24)
	d.lists("flag 1, comment 3, disagreement 2, note 2")
	d.Press("tab")
	d.lists("flag 1")
	d.Press("x")
	d.lists("")
	d.Press("r")
	d.lists("flag 1")
	d.Press("r", "ctrl+z")
	d.lists("flag 1")
	d.Press("esc", "/", "p", "a", "g", "e", "enter")
	d.lists("comment 3")
	d.Press("enter")
	if d.open == nil || d.open.Entry.Item.Sample != 2 {
		t.Errorf("opens %+v", d.open)
	}
	d.Press("esc", "X")
	d.lists("")
	d.Press("ctrl+z")
	d.lists("flag 1, comment 3, disagreement 2, note 2")
}

func TestAnExclusionHasAReasonAndEnds(t *testing.T) {
	d := sit(t, true, 100, 24)
	d.Press("G", "k", "e", "enter")
	if last := d.Notices[len(d.Notices)-1]; !strings.HasPrefix(last, "type a text") {
		t.Errorf("without a reason: %q", last)
	}
	d.Press("c", "u", "t", "enter")
	d.lists("exclusion 2, flag 1, comment 3, note 2")
	x := annotate.ListExclusions(annotate.FoldStates(d.shelf.acts))
	if len(x) != 1 || x[0].Reason != "cut" || x[0].By != "cy" {
		t.Errorf("excluded %+v", x)
	}
	d.Press("g", "x", "i")
	d.lists("flag 1, comment 3, disagreement 2, note 2")
	d.Press("/", "n", "o", "t", "e", "enter", "E", "b", "a", "d", "enter")
	if x := annotate.ListExclusions(annotate.FoldStates(d.shelf.acts)); len(x) != 1 || x[0].Reason != "bad" {
		t.Errorf("excluded %+v", x)
	}
}

func TestWhoDoesNotDecideCommentsAndFlags(t *testing.T) {
	d := sit(t, false, 80, 23)
	d.Press("G", "x", "e", "X", "E")
	if len(d.shelf.acts["cy"]) != 0 || len(d.Notices) != 4 || d.Notices[0] != "curators, adjudicators and owners decide" {
		t.Errorf("%v, %v", d.shelf.acts["cy"], d.Notices)
	}
	d.Press(",", "I", " ", "s", "e", "e", "enter", "!")
	d.lists("comment 2, flag 1, flag 2, comment 3, disagreement 2, note 2")
	if v := d.View(); !strings.Contains(v, "cy comment: I see") || !strings.Contains(v, "2 shown once you have answered") {
		t.Error(v)
	}
	d.Press("!")
	d.lists("comment 2, flag 1, comment 3, disagreement 2, note 2")
	d.shelf.fails = fmt.Errorf("no space left on device")
	d.Press("!")
	if last := d.Notices[len(d.Notices)-1]; last != "NOT SAVED: no space left on device" {
		t.Errorf("said %q", last)
	}
}

func TestEveryFrameFits(t *testing.T) {
	d := sit(t, true, 80, 24)
	d.Press("x", "r")
	for w := 1; w <= 200; w += 7 {
		for h := 1; h <= 60; h += 5 {
			d.Resize(w, h)
			lines := strings.Split(d.View(), "\n")
			if len(lines) != h {
				t.Fatalf("%dx%d: %d lines", w, h, len(lines))
			}
			for _, l := range lines {
				if widget.TextWidth(l) > w || strings.Contains(l, "␛[") {
					t.Fatalf("%dx%d: %q", w, h, l)
				}
			}
		}
	}
}

func TestKeysAreInTheCatalogue(t *testing.T) {
	d := sit(t, true, 100, 24)
	var all []key.Binding
	for _, g := range d.HelpGroups() {
		all = append(all, g.Keys...)
	}
	for _, missing := range keymaptest.FindMissingKeys(all, keymap.SecondLook) {
		t.Errorf("no key %s", missing)
	}
}
