package tui

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"concord/tui/keymap"
	"concord/tui/widget"
)

var (
	// anyWord is a word or number of a frame.
	anyWord = regexp.MustCompile(`[\pL\pN]{2,}`)
	// frontMark is what tells the pane in front from the others, without colours.
	frontMark = regexp.MustCompile(`═{2,}`)
)

// linesAt are the lines of a frame at a size, without colours.
func (o *office) linesAt(width, height int) []string {
	o.size(width, height)
	return strings.Split(ansi.Strip(o.View()), "\n")
}

// linesAt are the lines of a frame at a size, without colours.
func (w *threshold) linesAt(width, height int) []string {
	w.send(tea.WindowSizeMsg{Width: width, Height: height})
	return strings.Split(ansi.Strip(w.View()), "\n")
}

// No place leaves more than ten lines empty while a higher terminal would show
// more of its text: of 50 lines, and of fewer, so that short lists are cut too.
func TestNothingScrollsBesideEmptyLines(t *testing.T) {
	legend := []string{"Legend"}
	for _, g := range widget.LegendGroups() {
		legend = append(legend, anyWord.FindAllString(g.Title, -1)...)
		for _, k := range g.Keys {
			legend = append(legend, anyWord.FindAllString(k.Help().Key+" "+k.Help().Desc, -1)...)
		}
	}
	check := func(t *testing.T, linesAt func(width, height int) []string) {
		for _, width := range []int{80, 120, 200} {
			whole := anyWord.FindAllString(strings.Join(linesAt(width, 150), " "), -1)
			for height := 20; height <= 50; height++ {
				frame, empty := linesAt(width, height), 0
				for _, l := range frame {
					if strings.Trim(l, " │") == "" {
						empty++
					}
				}
				shown := make(map[string]int)
				for _, w := range anyWord.FindAllString(strings.Join(frame, " "), -1) {
					shown[w]++
				}
				if slices.Contains(whole, "Legend") { // fills what is left, and is on the page of keys
					for _, w := range legend {
						shown[w]++
					}
				}
				cut := slices.DeleteFunc(slices.Clone(whole), func(w string) bool {
					shown[w]--
					return shown[w] >= 0
				})
				if empty > 10 && len(cut) > 0 {
					t.Errorf("%dx%d: %d lines are empty, and %q are not shown:\n%s", width, height, empty, cut, strings.Join(frame, "\n"))
				}
			}
		}
	}
	for _, pl := range append(everyPlace(), furtherPlaces()...) {
		inBubble(t, pl.name, func(t *testing.T) { check(t, pl.at(t).linesAt) })
	}
	for name, pl := range beginnings() {
		inBubble(t, name, func(t *testing.T) { check(t, stand(t, nil, pl.keys...).linesAt) })
	}
}

// furtherPlaces are those that are no screen of their own.
func furtherPlaces() []place {
	return []place{
		{name: "scores", keys: toReport("scores")},
		{name: "strengths", keys: toReport("strengths")},
		{name: "palette", keys: []string{"ctrl+p"}},
		{name: "keys", keys: []string{"?"}},
		{name: "keys of the review", keys: []string{"v", "enter", "?"}},
		{name: "review image", keys: []string{"v", "enter", "*"}},
		{name: "votes image", keys: []string{"v", "G", "enter", "*"}},
		{name: "sample image", keys: []string{"enter", "enter", "*"}},
		{name: "criteria image", keys: []string{"b", "down", "enter", "*"}},
		{name: "new run", keys: []string{"n"}},
		{name: "run judge", keys: []string{"J"}},
		{name: "run judge of a queue", keys: []string{"v", "W"}},
		{name: "new queue of pairs", keys: []string{"v", "c"}},
		{name: "review answered", keys: []string{"v", "enter", "1"}},
		{name: "review revealed", keys: []string{"v", "enter", "1", "left", "$"}},
		{name: "review reason", keys: []string{"v", "enter", "ctrl+x"}},
		{name: "votes revealed", keys: []string{"v", "G", "enter", "1", "left", "$"}},
		{name: "votes side by side", keys: []string{"v", "G", "enter", "|"}},
		{name: "compare item", keys: []string{"v", "w", "tab", "enter"}},
		{name: "criteria group", keys: []string{"b", "up"}},
		{name: "criteria review", keys: []string{"b", "down", "enter", "tab"}},
		{name: "criteria history", keys: []string{"b", "down", "enter", "tab", "tab"}},
		{name: "criteria guideline", keys: []string{"b", "down", "enter", "tab", "tab", "tab"}},
		{name: "criteria assign", keys: []string{"b", "down", "w"}},
		{name: "samples wrong", keys: []string{"enter", "tab"}},
		{name: "samples unparsed", keys: []string{"enter", "tab", "tab"}},
		{name: "written sample", keys: []string{"w", "down"}},
		{name: "workshop candidate", keys: []string{"W", "down"}},
		{name: "accuracy", keys: toReport("accuracy")},
		{name: "abilities", keys: toReport("abilities")},
		{name: "leaderboard", keys: toReport("leaderboard")},
		{name: "alignment", keys: toReport("alignment")},
		{name: "annotators", keys: toReport("annotators")},
		{name: "agreement", keys: toReport("how far judges")},
		{name: "people report", keys: toReport("vote alike")},
		{name: "criteria report", keys: toReport("rounds of")},
		{name: "bias", keys: toReport("bias")},
		{name: "dataset", keys: toReport("what is in a")},
	}
}

// An enlarged image has all of a large screen: the guideline that stands beside an item goes.
func TestAnEnlargedImageHasTheScreen(t *testing.T) {
	for name, keys := range map[string][]string{"review": {"v", "enter"}, "votes": {"v", "G", "enter"}} {
		inBubble(t, name, func(t *testing.T) {
			beside, alone := place{keys: keys}, place{keys: append(keys, "*")}
			if was := strings.Join(beside.at(t).linesAt(200, 50), "\n"); !strings.Contains(was, "Guideline ─") {
				t.Fatalf("no guideline stands beside the item:\n%s", was)
			}
			if now := strings.Join(alone.at(t).linesAt(200, 50), "\n"); strings.Contains(now, "Guideline ─") {
				t.Errorf("the guideline stands beside the image:\n%s", now)
			}
		})
	}
}

// The smallest screen shows a figure with all of its interval, in every report, column after column.
func TestSmallReportsHaveWholeIntervals(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := place{keys: []string{"a"}}.at(t)
		for range o.tabs.report.PageNames() {
			for range 6 {
				frame := o.linesAt(40, 12)
				for _, l := range frame {
					if _, figure, ok := strings.Cut(l, "% ["); ok && !strings.Contains(figure, "]") {
						t.Fatalf("an interval is cut:\n%s", strings.Join(frame, "\n"))
					}
				}
				o.send(keymap.NewKeyMsg("right"))
			}
			o.send(keymap.NewKeyMsg("tab"))
		}
	})
}

// TestSignsAreInTheLegend: whatever is no letter and no rule is explained, and once.
func TestSignsAreInTheLegend(t *testing.T) {
	const known = "·←→↑↓“”▏▀" // separators, arrows, quotes, where one types, images
	var all strings.Builder
	for _, k := range widget.LegendGroups()[0].Keys {
		all.WriteString(k.Help().Key)
	}
	for _, pl := range append(everyPlace(), furtherPlaces()...) {
		inBubble(t, pl.name, func(t *testing.T) {
			for _, r := range strings.Join(pl.at(t).linesAt(200, 50), "") {
				rule := r >= 0x2500 && r < 0x2580
				if r >= 0x80 && !rule && !unicode.In(r, unicode.L, unicode.M, unicode.N) && !strings.ContainsRune(known+all.String(), r) {
					t.Errorf("%c (%U) is not in the legend", r, r)
				}
			}
		})
	}
}

// The title of the pane in front has a rule of its own, on a small terminal too, and
// whatever is before the screens.
func TestOnePaneIsInFront(t *testing.T) {
	one := func(t *testing.T, frame string) {
		if len(frontMark.FindAllString(frame, -1)) != 1 {
			t.Errorf("not one pane is in front:\n%s", frame)
		}
	}
	for _, pl := range append(everyPlace(), furtherPlaces()...) {
		inBubble(t, pl.name, func(t *testing.T) {
			for o, size := range map[*office][2]int{pl.at(t): {200, 50}, pl.at(t): {80, 23}} {
				one(t, strings.Join(o.linesAt(size[0], size[1]), "\n"))
			}
		})
	}
	bubble(t, func(t *testing.T) {
		for _, pl := range beginnings() {
			w := stand(t, nil, pl.keys...)
			for _, size := range [][2]int{{80, 23}, {200, 50}} {
				one(t, strings.Join(w.linesAt(size[0], size[1]), "\n"))
			}
		}
	})
}
