package tui

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

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
	everywhere(t, func(t *testing.T, _ place, o *office) {
		for _, width := range []int{80, 120, 200} {
			whole := anyWord.FindAllString(strings.Join(o.linesAt(width, 150), " "), -1)
			for height := 20; height <= 50; height++ {
				frame, empty := o.linesAt(width, height), 0
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
	})
}

// The title of the pane in front has a rule of its own.
func TestOnePaneIsInFront(t *testing.T) {
	everywhere(t, func(t *testing.T, _ place, o *office) {
		if frame := strings.Join(o.linesAt(200, 50), "\n"); len(frontMark.FindAllString(frame, -1)) != 1 {
			t.Errorf("not one pane is in front:\n%s", frame)
		}
	})
}
