package widget

import (
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

func TestBar(t *testing.T) {
	th := plainTheme()
	check := func(width int, share float64, want string) {
		t.Helper()
		if got := th.DrawBar(width, share); got != want {
			t.Errorf("%v of %d: %q, want %q", share, width, got, want)
		}
	}
	check(4, 0, "────")
	check(4, 0.5, "━━──")
	check(4, 0.03125, "╾───")
	check(4, 0.00001, "╾───")
	check(4, 0.99999, "━━━╸")
	check(4, 1, "━━━━")
	check(4, 7, "━━━━")
	check(4, math.NaN(), "────")
	check(0, 0.5, "")
}

func TestInterval(t *testing.T) {
	th := plainTheme()
	check := func(low, value, high float64, want string) {
		t.Helper()
		if got := th.DrawInterval(10, low, value, high); got != want {
			t.Errorf("%v..%v..%v: %q, want %q", low, value, high, got, want)
		}
	}
	check(0.2, 0.5, 0.8, "━━[──●──]·")
	check(0.51, 0.55, 0.59, "━━━━━●····")
	check(0, 0, 0, "●·········")
	check(1, 1, 1, "━━━━━━━━━●")
	check(0, 0.95, 1, "[────────●")
}

func TestTableKeepsItsSize(t *testing.T) {
	th := plainTheme()
	tb := Table{
		Columns: []Column{{Title: "name", Width: 4, Grow: 2}, {Title: "n", Width: 3, Right: true}, {Title: "more", Width: 5, Least: 30, Grow: 1}},
		Rows:    50,
		Row:     func(int) []string { return []string{"some 很长的 name", "12345", "x"} },
		Focused: true,
	}
	for w := range 60 {
		for h := range 12 {
			tb.Cursor.MoveTo(w*3, tb.Rows, h-1)
			lines := th.DrawTable(tb, w, h)
			if w > 0 && len(lines) != h {
				t.Fatalf("%dx%d: %d lines", w, h, len(lines))
			}
			for _, l := range lines {
				if TextWidth(l) != w {
					t.Fatalf("%dx%d: %q is %d wide", w, h, l, TextWidth(l))
				}
			}
			if w > 20 && h > 1 && !strings.Contains(strings.Join(lines, "\n"), cross) {
				t.Fatalf("%dx%d: the cursor is out of sight", w, h)
			}
		}
	}
}

func TestToastsFadeAndStay(t *testing.T) {
	var ts Toasts
	now := time.Unix(0, 0)
	ts.AddNotice(Notify{Info, "saved"}, now)
	ts.AddNotice(Notify{Problem, "disk full"}, now)
	ts.AddNotice(Notify{Problem, "disk full"}, now)
	th := plainTheme()
	if got := th.DrawInfo(&ts, 40); got != "• saved" {
		t.Errorf("info %q", got)
	}
	ts.FadeInfo(now.Add(fade))
	if got := th.DrawInfo(&ts, 40); got != "" {
		t.Errorf("info after fading: %q", got)
	}
	if got := th.DrawToasts(&ts, 40); len(got) != 1 || !strings.Contains(got[0], "disk full") {
		t.Errorf("problems: %q", got)
	}
	if !ts.DismissOldest() || ts.DismissOldest() {
		t.Error("one dismissal takes away one problem")
	}
}

// With sixteen colours, what may be overlooked is no louder than the rest.
func TestSixteenColoursKeepTheirMeaning(t *testing.T) {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.ANSI)
	for _, dark := range []bool{false, true} {
		r.SetHasDarkBackground(dark)
		th := NewTheme(r)
		seen := make(map[string]string)
		for name, style := range map[string]CachedStyle{
			"faint": th.Faint, "accent": th.Accent, "good": th.Good, "bad": th.Bad, "warn": th.Warn,
		} {
			out := style.Render("x")
			if other, taken := seen[out]; taken {
				t.Errorf("dark %v: %s looks like %s", dark, name, other)
			}
			seen[out] = name
		}
		if got := th.Faint.Render("x"); got != "\x1b[90mx\x1b[0m" {
			t.Errorf("dark %v: faint is %q", dark, got)
		}
	}
}

// What is said to be below is what scrolling will show.
func TestColumnsCountWhatIsBelow(t *testing.T) {
	lines := []string{"a", "b", "c", "d", "e"}
	check := func(width, height, top int, first string, want int) {
		t.Helper()
		if page, _, more := LayOutInColumns(lines, width, height, top); more != want || page[0][:1] != first {
			t.Errorf("%d lines from %d in %d columns: %q, %d more, want %s first, %d more", height, top, width/4, page, more, first, want)
		}
	}
	check(4, 2, 0, "a", 3)
	check(4, 2, 2, "c", 1)
	check(4, 2, 9, "d", 0)
	check(8, 2, 0, "a", 1)
	check(8, 3, 1, "a", 0)
}

// A title that is longer than its line leaves the mark of the pane in front.
func TestALongTitleLeavesTheMark(t *testing.T) {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	th := NewTheme(r)
	for _, note := range []string{"", strings.Repeat("of many words ", 9)} {
		for width := 12; width <= 200; width += 47 {
			line := th.DrawSection(strings.Repeat("a long title ", 20), note, true, width)
			if !strings.Contains(line, "══") || TextWidth(line) != width {
				t.Errorf("%d cells: %q", width, line)
			}
		}
	}
}
