package tui

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

var (
	// anyWord is a word or number of a frame.
	anyWord = regexp.MustCompile(`[\pL\pN]{2,}`)
	// frontMark is what tells the pane in front from the others, without colours.
	frontMark = regexp.MustCompile(`═+`)
)

// linesAt are the lines of a frame at a size, without colours.
func (o *office) linesAt(width, height int) []string {
	o.size(width, height)
	return strings.Split(ansi.Strip(o.View()), "\n")
}

// No place leaves more than ten lines empty while a higher terminal would show
// more of its text: of 50 lines, and of fewer, so that short lists are cut too.
func TestNothingScrollsBesideEmptyLines(t *testing.T) {
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

// The title of the pane in front has a rule of its own. Pages whose parts stand
// in one line mark the part there; both answers of a pair are scrolled at once.
func TestOnePaneIsInFront(t *testing.T) {
	want := map[string]int{
		"votes": 2, "votes reason": 2, "judging": 0, "report": 0, "report page": 0,
		"criteria page": 0, "criteria editor": 0, "curate": 0, "curate filter": 0,
	}
	everywhere(t, func(t *testing.T, pl place, o *office) {
		n, ok := want[pl.name]
		if !ok {
			n = 1
		}
		if frame := strings.Join(o.linesAt(200, 50), "\n"); len(frontMark.FindAllString(frame, -1)) != n {
			t.Errorf("not %d panes are in front:\n%s", n, frame)
		}
	})
}
