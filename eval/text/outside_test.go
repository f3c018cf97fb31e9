package text

import (
	"encoding/csv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// nasty is a little of everything that a sink would act on.
const nasty = "a\x1b[2Jb\u009b31mc\u202ed\x00e\xfff\u200bg\U000e0041h\ti\u2028j\rk\x7f"

func TestCleaners(t *testing.T) {
	for name, c := range map[string]struct{ got, want string }{
		"terminal":       {Outside("a\x1b[2J\u202eb\xff\r\nc\td").ForTerminal(), "a␛[2J<U+202E>b\ufffd\nc d"},
		"line":           {Outside("a\nb\n").ForLine(), "a⏎b"},
		"cell":           {Outside("a\nb\x07").ForCell(), "a␊b␇"},
		"tags":           {Outside("x\U000e0041\u200by").ForCell(), "x<U+E0041>·y"},
		"formula":        {Outside("=1+1").ForCSV(), "'=1+1"},
		"wide formula":   {Outside("＝1+1").ForCSV(), "'＝1+1"},
		"dash":           {Outside("-x").ForCSV(), "'-x"},
		"tab":            {Outside("\tx").ForCSV(), "'\tx"},
		"apostrophe":     {Outside("'=x").ForCSV(), "''=x"},
		"words":          {Outside("it's").ForCSV(), "it's"},
		"markdown":       {Outside("a|b*<i>[x](y)").ForMarkdown(), `a\|b\*&lt;i&gt;\[x\](y)`},
		"latex":          {Outside(`\input{x}%`).ForLaTeX(), `\textbackslash{}input\{x\}\%`},
		"shell":          {Outside("a b'c").ForShell(), `'a b'\''c'`},
		"option":         {Outside("--force").ForShell(), `'--force'`},
		"plain word":     {Outside("gpt-4o").ForShell(), "gpt-4o"},
		"file":           {Outside("../a b:c").ForFileName(), "---a-b-c"},
		"short":          {Outside("  a \n b\x1bcdef").Shorten(4), "a b␛c…"},
		"nothing":        {Outside("").ForTerminal(), ""},
		"other scripts":  {Outside("图像 é").ForLine(), "图像 é"},
		"nothing to see": {Outside("\u3164").ForLine(), "<U+3164>"},
		"unseen marks":   {Outside("a\u034fb\u17b4c\u2065d").ForLine(), "a<U+034F>b<U+17B4>c<U+2065>d"},
		"kept free":      {Outside("a\U000e0080b\ufff0c").ForCell(), "a<U+E0080>b<U+FFF0>c"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", name, c.got, c.want)
		}
	}
}

// FuzzCleaners holds for any text: no sink gets a rune that it would act on,
// and a cell of CSV comes back.
func FuzzCleaners(f *testing.F) {
	f.Add(nasty)
	f.Add("'''=x")
	f.Add("-\r\n")
	f.Fuzz(func(t *testing.T, s string) {
		o := Outside(s)
		for name, out := range map[string]string{
			"terminal": o.ForTerminal(), "line": o.ForLine(), "cell": o.ForCell(), "markdown": o.ForMarkdown(), "latex": o.ForLaTeX(),
			"shell": o.ForShell(), "file": o.ForFileName(), "short": o.Shorten(20),
		} {
			if !utf8.ValidString(out) {
				t.Errorf("%s gives bytes that are no text: %q", name, out)
			}
			for _, r := range out {
				ends := r == '\n' && (name == "terminal" || name == "html")
				if !ends && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029) {
					t.Errorf("%s lets %U through", name, r)
				}
			}
		}
		if got := UnescapeCSV(o.ForCSV()); got != s {
			t.Errorf("%q comes back from CSV as %q", s, got)
		}
		if isSpreadsheetFormula(o.ForCSV()) {
			t.Errorf("a spreadsheet computes %q", o.ForCSV())
		}
		if strings.ContainsAny(o.ForFileName(), "/\\ ") {
			t.Errorf("%q is no part of a file's name", o.ForFileName())
		}
		read, err := csv.NewReader(strings.NewReader("x," + quote(o.ForCSV()) + "\n")).Read()
		if err == nil && !strings.ContainsAny(s, "\r") && len(read) == 2 && UnescapeCSV(read[1]) != s {
			t.Errorf("%q comes back as %q", s, read[1])
		}
	})
}

func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
