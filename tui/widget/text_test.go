package widget

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

func plainTheme() *Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	r.SetHasDarkBackground(true)
	return NewTheme(r)
}

func TestClean(t *testing.T) {
	check := func(in, want string) {
		t.Helper()
		if got := CleanText(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
	check("plain text\nof two lines", "plain text\nof two lines")
	check("\x1b[31mred\x1b[0m", "␛[31mred␛[0m")
	check("\x1b]0;title\x07", "␛]0;title␇")
	check("a\tb", "a   b")
	check("abcd\tb\n\tc", "abcd    b\n    c")
	check("one\r\ntwo\rthree", "one\ntwo␍three")
	check("\x00\x7f", "␀␡")
	check("\u009b31m", "<U+009B>31m")
	check("a\xffb\xc3", "a\ufffdb\ufffd")
	check("safe\u202egnp.exe", "safe<U+202E>gnp.exe")
	check("zero\u200bwidth\ufeff", "zero·width·")
	check("👩\u200d👩\u200d👧", "👩👩👧")
	check("👍🏽 ok ❤\ufe0f", "👍 ok ❤")
	check("e\u0301", "e\u0301")
	check("Z"+strings.Repeat("\u0310", 50)+"algo", "Z"+strings.Repeat("\u0310", 4)+"·algo")
	check("\u0301x", "◌\u0301x")
	check("a\u2028b", "a\nb")
	check("答案是B。", "答案是B。")
	check("שלום", "שלום")
	if got := CleanLine("a\nb\n"); got != "a⏎b" {
		t.Errorf("Line = %q", got)
	}
}

func TestWrap(t *testing.T) {
	check := func(in string, width int, want ...string) {
		t.Helper()
		got := WrapText(in, width)
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("Wrap(%q, %d) = %q, want %q", in, width, got, want)
		}
	}
	check("", 10, "")
	check("short", 10, "short")
	check("the quick brown fox", 10, "the quick", "brown fox")
	check("exactly10c next", 10, "exactly10c", "next")
	check("unbreakablelongword", 8, "unbreaka", "blelongw", "ord")
	check("a\n\nb", 5, "a", "", "b")
	check("答案是选项B", 5, "答案", "是选", "项B")
	check("字", 1, "…")
	check("ab cd", 1, "a", "b", "c", "d")
	check("🇩🇪🇫🇷🇩🇪", 5, "🇩🇪🇫🇷", "🇩🇪")
	check("שלום", 10, mark+"שלום"+mark)
}

func FuzzWrap(f *testing.F) {
	f.Add("\x1b[2J\x1b]52;c;AAAA\x07", 7)
	f.Add("a\u0301\u200d👩\u200d👧 \u202e العربية\t|", 3)
	f.Add(strings.Repeat("\u1160", 40)+"\U000E0041\U0001F1E9\U0001F1EA", 5)
	f.Fuzz(func(t *testing.T, s string, width int) {
		width = 1 + abs(width)%200
		lines := WrapText(s, width)
		for _, l := range lines {
			if w := ansi.StringWidth(l); w > width {
				t.Fatalf("Wrap(%q, %d): line %q is %d wide", s, width, l, w)
			}
			if !utf8.ValidString(l) {
				t.Fatalf("line %q is no UTF-8", l)
			}
			for _, r := range l {
				if r < 0x20 || r >= 0x7f && r < 0xa0 {
					t.Fatalf("line %q lets %U through", l, r)
				}
			}
		}
		if again := NewText(s, width).LayOutWhole(); again.lines != len(lines) {
			t.Fatalf("Whole has %d lines, Wrap %d", again.lines, len(lines))
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}

func TestTextPagesAgreeWithWrap(t *testing.T) {
	raw := strings.Repeat("some words of 日本語 and a\ttab, then more\n", 400)
	want := WrapText(raw, 23)
	x := NewText(raw, 23)
	for from := 0; ; from += 7 {
		x.LayOutTo(from + 7)
		got := x.LinesFrom(from, 7)
		if len(got) == 0 {
			break
		}
		for i, l := range got {
			if l != want[from+i] {
				t.Fatalf("line %d = %q, want %q", from+i, l, want[from+i])
			}
		}
	}
	if n, all := x.Len(); n != len(want) || !all {
		t.Errorf("Len = %d, %v; want %d", n, all, len(want))
	}
}

// A key on a text of 10 MB must not be felt: the first page and a page deep
// inside an indexed text come within milliseconds.
func TestLargeTextIsQuick(t *testing.T) {
	for name, raw := range map[string]string{
		"words":   strings.Repeat("lorem ipsum dolor ", 10<<20/18),
		"no ends": strings.Repeat("x", 10<<20),
		"blank":   strings.Repeat(" ", 10<<20),
		"lines":   strings.Repeat("\n", 10<<20),
		"escapes": strings.Repeat("\x1b", 10<<20),
	} {
		start := time.Now()
		x := NewText(raw, 80)
		x.LayOutTo(60)
		x.LinesFrom(0, 60)
		first := time.Since(start)
		start = time.Now()
		whole := x.LayOutWhole()
		index := time.Since(start)
		n, _ := whole.Len()
		start = time.Now()
		whole.LinesFrom(n-60, 60)
		last := time.Since(start)
		t.Logf("%s: first page %v, index %v, last page %v", name, first, index, last)
		if limit := 50 * time.Millisecond; first > limit || last > limit {
			t.Errorf("%s: first page took %v, last page %v", name, first, last)
		}
	}
}

func TestFitAndEnds(t *testing.T) {
	check := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check(FitWidth("ab", 4), "ab  ")
	check(FitWidth("abcdef", 4), "abc…")
	check(FitWidth("答案是", 4), "答… ")
	check(FitWidth("x", 0), "")
	check(JoinEnds("left", "right", 12), "left   right")
	check(JoinEnds("a long left", "right", 12), "a lon… right")
	check(JoinEnds("left", "", 6), "left  ")
	check(JoinEnds("left", "right", 5), "right")
	check(JoinEnds("left", "right", 4), "rig…")
	check(DescribeTooSmall(40, 12), "")
	check(DescribeTooSmall(39, 12), "need 40x12, have 39x12")
}

func TestFooterKeepsWhatMatters(t *testing.T) {
	th := plainTheme()
	keys := []key.Binding{
		key.NewBinding(key.WithKeys("s"), key.WithHelp("s", "skip")),
		key.NewBinding(key.WithKeys("u"), key.WithHelp("u", "undo"), key.WithDisabled()),
		key.NewBinding(key.WithKeys("f"), key.WithHelp("f", "flag")),
		key.NewBinding(key.WithKeys("?"), key.WithHelp("?", "help")),
	}
	if got, want := th.DrawFooter(30, keys...), "s skip   f flag   ? help      "; got != want {
		t.Errorf("Footer = %q, want %q", got, want)
	}
	if got, want := th.DrawFooter(16, keys...), "s skip   ? help "; got != want {
		t.Errorf("Footer = %q, want %q", got, want)
	}
	page := strings.Join(th.DrawHelp(40, Group{"Keys", keys}), "\n")
	if !strings.Contains(page, "u  undo (not now)") {
		t.Errorf("help does not list what is disabled:\n%s", page)
	}
}

// Without colours what is marked stands between signs, and no line gets wider.
func TestMarkedWithoutColours(t *testing.T) {
	x := NewText("just a lonely fish in the centre", 16).LayOutWhole()
	x.MarkRanges(CachedStyle{Style: lipgloss.NewStyle()}, []Range{{From: 8, To: 11}})
	lines := x.LinesFrom(0, 3)
	if !strings.Contains(lines[0], "just a l«one»ly") {
		t.Errorf("%q", lines)
	}
	for _, l := range lines {
		if TextWidth(l) > 16 {
			t.Errorf("%q is wider than 16", l)
		}
	}
}
