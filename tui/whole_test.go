package tui

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"concord/annotate/curation"
	"concord/tui/curate"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// everySize has the long form of the test below draw each size from 10x3 to
// 200x60 instead of a few.
const everySize = "CONCORD_EVERY_SIZE"

// counting is the journal of a candidate that counts what is handed over.
type counting struct {
	split
	n *int
}

func (c counting) Submit(curation.Act) { *c.n++ }

// answered is a screen on which items are answered, what of an item has to be on
// the frame, and a key that answers.
type answered struct {
	place  string
	keys   keymap.Place
	shown  []string
	answer string
}

func answeredScreens() []answered {
	return []answered{
		{"review", keymap.Review, []string{"Which", "┃ The", "A a sq", "B a st", "0 none", "- refused"}, "b"},
		{"votes", keymap.Votes, []string{"Which", "Answer 1", "Answer 2", "┃ The", "first", "second", "= ", "0 "}, "2"},
		{"curate", keymap.Curate, []string{"Who?", "1", "2", "3", "4", "5"}, "2"},
	}
}

func sizesOfTerminals() (out [][2]int) {
	if os.Getenv(everySize) == "" {
		return [][2]int{{10, 3}, {30, 8}, {39, 24}, {40, 11}, {40, 12}, {59, 24}, {60, 20}, {80, 23}, {100, 13}, {200, 60}}
	}
	for w := 10; w <= 200; w += 5 {
		for h := 3; h <= 60; h += 3 {
			out = append(out, [2]int{w, h})
		}
	}
	return out
}

// pressed are the keys of a place, and all that could be an option. Those that
// lead away from the item are not among them.
func pressedAt(at keymap.Place) (out []string) {
	away := []string{"ctrl+c", "esc", "[", "]", "ctrl+p", ":", "?", "f1", "ctrl+w", "ctrl+g", "ctrl+l", "q", "h", "v", "a", "b", "ctrl+v", "ctrl+o", "ctrl+x"}
	for _, s := range keymap.Catalogue() {
		for _, a := range s.Actions {
			if s.Place == at {
				out = append(out, a.Keys...)
			}
		}
	}
	out = slices.DeleteFunc(out, func(k string) bool { return slices.Contains(away, k) })
	for c := 'a'; c <= 'z'; c++ {
		out = append(out, string(c), strings.ToUpper(string(c)))
	}
	return append(out, "1", "2", "3", "4", "5", "6", "7", "8", "9")
}

// No key records anything unless the frame shows the item, what can be said of
// it, and the response; under the least size none records at all.
func TestNoKeyRecordsWhatIsNotShown(t *testing.T) {
	for _, sc := range answeredScreens() {
		i := slices.IndexFunc(everyPlace(), func(p place) bool { return p.name == sc.place })
		pl := everyPlace()[i]
		for _, size := range sizesOfTerminals() {
			inBubble(t, fmt.Sprintf("%s-%dx%d", sc.place, size[0], size[1]), func(t *testing.T) {
				recordsWhatIsShown(t, sc, pl, size)
			})
		}
	}
}

func recordsWhatIsShown(t *testing.T, sc answered, pl place, size [2]int) {
	o, n := newOffice(t), 0
	o.tabs.curate = curate.New(t.Context(), curate.Deps{Source: split{}, Journal: counting{n: &n}, Theme: o.theme})
	o.tabs.curate.SetAnnotator("ada")
	o.nav.stacks[TabCurate] = []Screen{o.tabs.curate}
	for _, k := range pl.keys {
		o.send(keymap.NewKeyMsg(k))
	}
	o.size(size[0], size[1])
	o.do(o.nav.topScreen().Refresh())
	acts := func() int { return len(o.notebook.Acts) + n }
	press := func(k string) (before string, recorded bool) {
		before, was := ansi.Strip(o.View()), acts()
		_, cmd := o.HandleKey(keymap.NewKeyMsg(k), o.FrontItem(), time.Hour)
		o.do(cmd)
		return before, acts() > was
	}
	tooSmall := widget.DescribeTooSmall(size[0], size[1]) != ""
	wholly := func(frame string) bool {
		frame = strings.Join(strings.Fields(frame), " ")
		return !slices.ContainsFunc(sc.shown, func(w string) bool { return !strings.Contains(frame, w) })
	}
	for _, k := range pressedAt(sc.keys) {
		before, recorded := press(k)
		switch {
		case recorded && tooSmall:
			t.Fatalf("%q recorded something on %v", k, size)
		case recorded && k != "ctrl+z" && k != "ctrl+y" && !wholly(before):
			t.Fatalf("%q recorded something of what is not shown:\n%s", k, before)
		}
		if r, ok := o.nav.topScreen().(Recorder); !ok || r == nil {
			t.Fatalf("%q leads away:\n%s", k, o.View())
		}
		for o.nav.topScreen().IsTyping() {
			o.send(tea.KeyMsg{Type: tea.KeyEsc})
		}
		o.nav.topScreen().GoBack()
		if recorded {
			press("ctrl+z")
		}
	}
	for range 9 {
		press("left")
	}
	if before, recorded := press(sc.answer); !tooSmall && (!recorded || !wholly(before)) {
		t.Errorf("%s recorded %v on\n%s", sc.answer, recorded, before)
	}
}
