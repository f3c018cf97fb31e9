package term

import (
	"bytes"
	"testing"
)

func typed(in string) string {
	var f replyFilter
	return string(f.releaseIdle(f.filterTyped(nil, []byte(in))))
}

func TestFilter(t *testing.T) {
	check := func(in, want string) {
		t.Helper()
		if got := typed(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
		var f replyFilter // the same, byte by byte
		var out []byte
		for i := range len(in) {
			out = f.filterTyped(out, []byte{in[i]})
		}
		if got := string(f.releaseIdle(out)); got != want {
			t.Errorf("%q in bytes gives %q, want %q", in, got, want)
		}
	}
	keys := []string{
		"abc", "\r\t\x7f", "é好🎉", "\x1b", "\x1b\x1b", "\x1bx", "\x1b[A", "\x1bOP", "\x1b[1;5C",
		"\x1b[200~pasted \x1b]0;x and \x1b[2Jmore\x1b[201~", "\x1b]", "\x1b_", "\x1bP", "\x1b]a", "\x1bPa",
		"\x1b[[A", "\x1b[I", "\x1b[<0;1;1M", "\x1b[3~", "\xff\xfe", "\xe5\xa5",
	}
	for _, k := range keys {
		check(k, k)
	}
	check("a\x1b_Gi=31;OK\x1b\\b", "ab")
	check("a\x1b]11;rgb:1111/2222/3333\x1b\\b", "ab")
	check("a\x1b]11;rgb:1111/2222/3333\ab", "ab")
	check("a\x1bP>|kitty(0.35)\x1b\\b", "ab")
	check("a\x1bP1$r0m\x1b\\b", "ab")
	check("a\x1b[?62;4cb", "ab")
	check("a\x1b[?2026;2$yb", "ab")
	check("a\x1b[6;20;10tb", "ab")
	check("\x1b]11;rgb:1/2\x1b[A", "\x1b[A")
	check("\x1b]11;no end", "")
	check("\x1b[200~p\x1b[201~\x1b_Gi=1\x1b\\q", "\x1b[200~p\x1b[201~q")
}

func TestFilterEndsRepliesWithoutEnd(t *testing.T) {
	in := append([]byte("\x1b]11;"), bytes.Repeat([]byte("x"), maxText)...)
	if got := typed(string(in) + "q"); got[len(got)-1:] != "q" {
		t.Error("typing after a reply without an end is swallowed")
	}
}

func FuzzFilter(f *testing.F) {
	f.Add([]byte("a\x1b_Gi=31;OK\x1b\\b"), 3)
	f.Add([]byte("\x1b[200~x\x1b[201~\x1b]11;rgb:1/2/3\a"), 5)
	f.Fuzz(func(t *testing.T, in []byte, at int) {
		whole := typed(string(in))
		var ft replyFilter
		at = max(0, min(at, len(in)))
		out := ft.filterTyped(ft.filterTyped(nil, in[:at]), in[at:])
		if got := string(ft.releaseIdle(out)); got != whole {
			t.Fatalf("cut at %d: %q, want %q", at, got, whole)
		}
		if len(whole) > len(in) {
			t.Fatalf("%q grew to %q", in, whole)
		}
		if bytes.IndexByte(in, esc) < 0 && whole != string(in) {
			t.Fatalf("%q without an escape became %q", in, whole)
		}
	})
}
