package widget

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// FuzzWidth holds that what is counted here is what it would be otherwise.
func FuzzWidth(f *testing.F) {
	for _, s := range []string{
		"", "plain", "█▎── 3 of 4 ‹x› …", "\x1b[1;38;5;12mred\x1b[0m", "\x1b[m", "\x1b[31", "\x1b]0;title\a", "a\u0301 e\u0301",
		"■\ufe0f", "●\u200d●", "漢字 한글 👩‍👩‍👧", "\x1b[?25h", "\x1bM", "\t\r\n\x00", "\xff\xfe", "1\ufe0f\u20e3", "─\u0301",
		"\x1b[38;2;1;2;3m✓\x1b[0m", "\x1b[\x1b[0mx", "\u200eאב\u200e", "ok\u0600x", "\x1b[0\xffm",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := TextWidth(s), ansi.StringWidth(s); got != want {
			t.Errorf("%q is %d cells wide, and %d by ansi", s, got, want)
		}
	})
}

func TestSignsTakeOneCell(t *testing.T) {
	for r := rune(0x80); r < 0x3000; r++ {
		if isFrameSign(r) && ansi.StringWidth(string(r)) != 1 {
			t.Errorf("%U takes %d cells", r, ansi.StringWidth(string(r)))
		}
	}
}
