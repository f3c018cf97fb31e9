package markdown

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"concord/tui/widget"
)

func theme(p termenv.Profile) *widget.Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	return widget.NewTheme(r)
}

func TestMarkdownIsReadable(t *testing.T) {
	check := func(in string, width int, want ...string) {
		t.Helper()
		got := Parse(in).LayOut(theme(termenv.Ascii), width, nil)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%q in %d:\n%s\nwant\n%s", in, width, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	check("", 20)
	check("The **blue** one, _I_ think.", 40, "The blue one, I think.")
	check("one two three four", 9, "one two", "three", "four")
	check("line one\nline two  \nline three", 40, "line one", "line two", "line three")
	check("# Title\n\ntext", 40, "# Title", "", "text")
	check("Text:\n- one two three four five\n- two\n  1. deep", 16, "Text:", "", "• one two three", "  four five", "• two", "  1. deep")
	check("3. three\n4. four", 40, "3. three", "4. four")
	check("> said\n> again", 40, "│ said", "│ again")
	check("```go\nif a  {\n\tb\n}\n```", 40, "  if a  {", "      b", "  }")
	check("a\n\n---\n\nb", 40, "a", "", "────────────────────", "", "b")
	check("[here](http://x.y/z) and <http://a.b> and [http://c.d](http://c.d)", 80, "here <http://x.y/z> and http://a.b and http://c.d")
	check("![a cat](cat.png)", 40, "[image] a cat <cat.png>")
	check("~~no~~ yes", 40, "~~no~~ yes")
	check("5 &lt; 6 &amp; \\*not\\* a_b_c <b>x</b>", 60, "5 < 6 & *not* a_b_c <b>x</b>")
	check("|a|bb|\n|-|-:|\n|one|2|", 40, "a   │ bb", "────┼───", "one │  2")
	check("|model|points|remark|\n|-|-:|-|\n|m0|1.5|some long remark that wraps|\n|m1|20|short|", 34,
		"model │ points │ remark", "──────┼────────┼──────────────────", "m0    │    1.5 │ some long remark", "      │        │ that wraps", "m1    │     20 │ short")
	check("|alpha|beta|\n|-|-|\n|one two three|four|", 14, "│ alpha", "│ beta", "", "│ one two", "  three", "│ four")
	check("答案是选项因为图中的三角形是黄色的", 13, "答案是选项因", "为图中的三角", "形是黄色的")
	check("abcdefghijklmnop", 6, "abcdef", "ghijkl", "mnop")
	check("x &#27;[2J `\x1b]0;t\x07` y\rz", 40, "x ␛[2J ␛]0;t␇ y␍z")
}

func TestPlainKeepsWhatWasWritten(t *testing.T) {
	got := ParsePlain("  a   **b**\n\n\tc\n").LayOut(theme(termenv.Ascii), 20, nil)
	if want := "  a   **b**||    c"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", strings.Join(got, "|"), want)
	}
}

func TestDifferencesAreMarked(t *testing.T) {
	check := func(a, b, wantA, wantB string) {
		t.Helper()
		x, y := Parse(a), Parse(b)
		d, ok := CompareDocs(x, y)
		if !ok {
			t.Fatalf("%q and %q are not compared", a, b)
		}
		th := theme(termenv.Ascii)
		gotA, gotB := strings.Join(x.LayOut(th, 200, d.A), " "), strings.Join(y.LayOut(th, 200, d.B), " ")
		if gotA != wantA || gotB != wantB {
			t.Errorf("%q\n%q, want\n%q\n%q", gotA, gotB, wantA, wantB)
		}
	}
	check("A red car.", "A blue car", "A «red» car.", "A «blue» car")
	check("The same", "the **same**!", "The same", "the same!")
	check("", "all of it", "", "«all of it»")
	check("There are three dogs on the lawn.", "There are three dogs and two cats on the lawn.",
		"There are three dogs on the lawn.", "There are three dogs «and two cats» on the lawn.")
	check("one long answer about the weather in the north of a land", "nothing at all is said here but the words of somebody else entirely",
		"«one long answer about the weather in the north of a land»", "«nothing at all is said here but the words of somebody else entirely»")
	check("|a|b|\n|-|-|\n|1|2|", "|a|b|\n|-|-|\n|1|3|", "a │ b ──┼──── 1 │ «2»", "a │ b ──┼──── 1 │ «3»")
}

// Where the terminal can, a difference is underlined, and not by colour alone.
func TestDifferencesAreUnderlined(t *testing.T) {
	x := Parse("a b")
	if got := x.LayOut(theme(termenv.ANSI), 20, []bool{false, true})[0]; !strings.Contains(got, "4") || strings.Contains(got, "«") {
		t.Errorf("%q", got)
	}
}

func nasty() []string {
	return []string{
		strings.Repeat(">", 60000), strings.Repeat("[", 60000), strings.Repeat("*a ", 20000), strings.Repeat("`", 60000),
		strings.Repeat("- ", 30000), strings.Repeat("![", 30000), strings.Repeat("<", 60000), strings.Repeat("a|", 30000) + "\n" + strings.Repeat("-|", 30000),
		strings.Repeat("&#27;", 10000), strings.Repeat("_*", 30000), strings.Repeat("寬", 20000), strings.Repeat("x", 60000),
		"\x1b[2J\x1b]8;;http://a\x07b\x1b]8;;\x07 \u202emirror `\x1b[31m` [\x1b](\x1b) <a\x1b> |\x1b|\n|-|\n|\x9b|",
		"A\xff\xfe\xc3( is it \xed\xa0\x80 B", "الإجابة هي (B) لأن **المשולש** הצהוב", "👩‍👩‍👧‍👦 the 🟨🔺 is ❤️ 🇩🇪🇫🇷",
		"A" + strings.Repeat("\u0336\u0310", 500), strings.Repeat("\u200d\ufe0f\u200b", 1000), "a\n\n\n\n\n-\n-\n  -\n1.\n>\n|\n|-|\n",
		strings.Repeat("#", 30) + " x\n" + strings.Repeat(" ", 5000) + "y", strings.Repeat("1. > - ", 8000), strings.Repeat("[a](", 15000), strings.Repeat("a\n", 30000),
	}
}

func checkLines(t *testing.T, lines []string, width int) {
	t.Helper()
	for _, l := range lines {
		if w := widget.TextWidth(l); w > width && width > 1 {
			t.Fatalf("a line of %d cells in %d: %q", w, width, l)
		}
		for _, r := range ansi.Strip(l) {
			if r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e {
				t.Fatalf("%U reaches the terminal: %q", r, l)
			}
		}
	}
}

func TestNastyTextIsLaidOutInTime(t *testing.T) {
	th := theme(termenv.ANSI)
	for _, s := range nasty() {
		start := time.Now()
		d := Parse(s[:min(len(s), Limit)])
		for _, width := range []int{1, 2, 7, 40} {
			checkLines(t, d.LayOut(th, width, nil), width)
		}
		if took := time.Since(start); took > 8*time.Second {
			t.Errorf("%.20q took %v", s, took)
		}
	}
}

func TestLongTextsAreComparedInTimeOrNotAtAll(t *testing.T) {
	var a, b strings.Builder
	for i := range most {
		a.WriteString(string(rune('a'+i%7)) + string(rune('a'+i*i%11)) + " ")
		b.WriteString(string(rune('a'+i%5)) + string(rune('a'+i*i%13)) + " ")
	}
	start := time.Now()
	if _, ok := CompareDocs(Parse(a.String()), Parse(b.String())); !ok {
		t.Error("not compared")
	}
	if took := time.Since(start); took > 8*time.Second {
		t.Errorf("took %v", took)
	}
	if _, ok := CompareDocs(ParsePlain(a.String()+"x"), ParsePlain("b")); ok {
		t.Error("a text of more words was compared")
	}
}

func TestDeepNestingIsLeftAsItWasWritten(t *testing.T) {
	check := func(s string, want int) {
		t.Helper()
		if got := countNesting(s); got != want {
			t.Errorf("%.20q is nested %d deep, want %d", s, got, want)
		}
	}
	check("", 0)
	check("> > 1. - x > y", 4)
	check("a > b\n* c", 1)
	check(strings.Repeat("-", 200)+"\n"+strings.Repeat("*", 200), 0)
	check(strings.Repeat(">", 200), 200)
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range nasty() {
		f.Add(s[:min(len(s), 300)], 20)
	}
	f.Add("|a|b|\n|-|-:|\n|**x**|`y`|\n\n1. > - ~~z~~ [q](r)", 9)
	th := theme(termenv.Ascii)
	f.Fuzz(func(t *testing.T, s string, width int) {
		if width < 2 || width > 200 || len(s) > 4000 {
			t.Skip()
		}
		d, p := Parse(s), ParsePlain(s)
		diff, ok := CompareDocs(d, p)
		if !ok {
			t.Skip()
		}
		checkLines(t, d.LayOut(th, width, diff.A), width)
		checkLines(t, p.LayOut(th, width, diff.B), width)
	})
}

func TestParts(t *testing.T) {
	check := func(from, to, want string) {
		t.Helper()
		var b strings.Builder
		for _, p := range DiffWords(from, to) {
			b.WriteString(string(p.Op) + "[" + p.Text + "]")
		}
		if b.String() != want {
			t.Errorf("%q to %q: got %s, want %s", from, to, &b, want)
		}
	}
	check("", "", "")
	check("", "a b", "+[a b]")
	check("a b", "", "-[a b]")
	check("a b c", "a b c", "=[a b c]")
	check("count ten sticks", "count twelve sticks", "=[count ]-[ten ]+[twelve ]=[sticks]")
	check("a b c d", "a x c y d", "=[a ]-[b ]+[x ]=[c ]+[y ]=[d]")
	check("a\nb", "a b", "-[a\n]+[a ]=[b]")
}

func FuzzParts(f *testing.F) {
	f.Add("a b c", "a x c")
	f.Add(" \n", "")
	f.Fuzz(func(t *testing.T, from, to string) {
		var a, b strings.Builder
		for _, p := range DiffWords(from, to) {
			if p.Op != '+' {
				a.WriteString(p.Text)
			}
			if p.Op != '-' {
				b.WriteString(p.Text)
			}
		}
		if a.String() != from || b.String() != to {
			t.Fatalf("%q, %q became %q, %q", from, to, &a, &b)
		}
	})
}
