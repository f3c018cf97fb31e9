package table

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/rivo/uniseg"

	"concord/annotate/agree"
	"concord/eval/stat"
)

// sheet is a small table with everything that renderers have to handle.
func sheet() Table {
	k := agree.Coefficient{Value: 0.5, Low: 0.25, High: 0.75, Interval: true, N: 4}
	return Table{
		Name:    "sheet",
		Columns: []Column{{Name: "model"}, {Name: "kind"}, {Name: "accuracy", Kind: KindRate}, {Name: "kappa", Kind: KindCoefficient}, {Name: "n_left", Kind: KindCount}},
		Rows: [][]Cell{
			{NewText("模型一"), NewText("same"), NewRate(stat.NewRate(796, 1176)), NewCoefficient(k), NewCount(1234567)},
			{NewText("b_1 & 50%"), NewText("same"), NewRate(stat.NewRate(1, 9)), NewCoefficient(agree.Coefficient{N: 9, Undefined: "only one class is used"}), NewCount(0)},
			{NewText("c|*"), NewText("same"), NewRate(stat.UndefinedRate("the file holds no ground truth for any question")), NewBlank(), NewBlank()},
		},
		Notes: []string{"A note."},
	}
}

func TestText(t *testing.T) {
	check := func(width int, want string) {
		t.Helper()
		if got := string(sheet().RenderText(width)); got != want {
			t.Errorf("width %d:\n%s\nwant\n%s", width, got, want)
		}
	}
	check(0, `sheet · kind same
model      accuracy                           kappa                          n left
───────────────────────────────────────────────────────────────────────────────────
模型一     67.7% [65.0, 70.3]  796/1,176      0.500 [0.250, 0.750] few    1,234,567
b_1 & 50%   11.1% [2.0, 43.5]        1/9 few  - (only one class is used)          0
c|*        - [1]
[1] the file holds no ground truth for any question
A note.
`)
	check(50, `sheet · kind same
model      accuracy
────────────────────────────────────────────
模型一     67.7% [65.0, 70.3]  796/1,176
b_1 & 50%   11.1% [2.0, 43.5]        1/9 few
c|*        - [1]

model      kappa                          n left
────────────────────────────────────────────────
模型一     0.500 [0.250, 0.750] few    1,234,567
b_1 & 50%  - (only one class is used)          0
[1] the file holds no ground truth for any question
A note.
`)
	if got := string(Table{Name: "accuracy"}.RenderText(80)); got != "accuracy: nothing to report\n" {
		t.Errorf("an empty report: %q", got)
	}
}

// A heading that is wider than the line is broken behind its commas.
func TestCaption(t *testing.T) {
	check := func(width int, want string, parts ...string) {
		t.Helper()
		var b strings.Builder
		printCaption(&b, parts, width)
		if b.String() != want {
			t.Errorf("%d: %q, want %q", width, b.String(), want)
		}
	}
	check(0, "votes · d · 0 one, two\n", "votes", "d", "0 one, two")
	check(14, "votes · d\n  0 one, two\n", "votes", "d", "0 one, two")
	check(14, "votes · d\n  0 one, two,\n  three, four\n", "votes", "d", "0 one, two, three, four")
	check(9, "votes\n  a,b,, ,\n  c,\n", "votes", "a,b,, , c,")
	check(24, "votes · d · 0 one, two,\n  three, four\n", "votes", "d", "0 one, two, three, four")
}

func TestMarkdown(t *testing.T) {
	want := `| model | kind | accuracy | kappa | n\_left |
| --- | --- | --: | --: | --: |
| 模型一 | same | 67.7% \[65.0, 70.3\]  796/1,176 | 0.500 \[0.250, 0.750\] few | 1,234,567 |
| b\_1 &amp; 50% | same | 11.1% \[2.0, 43.5\]  1/9 few | - (only one class is used) | 0 |
| c\|\* | same | - (the file holds no ground truth for any question) |  |  |

A note.
`
	if got := string(sheet().RenderMarkdown()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLaTeX(t *testing.T) {
	const rows = `\toprule
model & accuracy & kappa & n left \\
\midrule
模型一 & 67.7\% {[}65.0, 70.3]  796/1,176 & 0.500 {[}0.250, 0.750] few & 1,234,567 \\
b\_1 \& 50\% & 11.1\% {[}2.0, 43.5]  1/9 few & - (only one class is used) & 0 \\
c|* & - {[}1] &  &  \\
\bottomrule
\end{tabular}
`
	const wide = "% Some letters are not Latin: xelatex with \\usepackage{xeCJK}, or lualatex with luatexja, has fonts for them.\n"
	want := `% A note.
% In every row: kind same
% [1] the file holds no ground truth for any question
` + wide + `{\small\setlength{\tabcolsep}{4pt}
\begin{tabular}{lrrr}
` + rows + "}\n"
	if got := string(sheet().RenderLaTeX(nil)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	want = `% A note.
` + wide + `\begin{table}
\centering
\caption{Three models \& more (kind same). [1] the file holds no ground truth for any question.}\label{tab:three-}
\small\setlength{\tabcolsep}{4pt}
\begin{tabular}{lrrr}
` + rows + "\\end{table}\n"
	if got := string(sheet().RenderLaTeX(&Paper{Caption: "Three models & more.", Label: "tab:three}"})); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestLaTeXFits deals a wide table out until each part is as wide as a text at most.
func TestLaTeXFits(t *testing.T) {
	wide := Table{Name: "wide", Columns: ParseColumns("model")}
	row := []Cell{NewText("a-model-of-some-name")}
	for i := range 12 {
		wide.Columns = append(wide.Columns, Column{Name: fmt.Sprint("accuracy", i), Kind: KindRate})
		row = append(row, NewRate(stat.NewRate(700+i, 1000)))
	}
	other := slices.Clone(row)
	other[0] = NewText("another")
	wide.Rows = [][]Cell{row, other}
	s := wide.chooseSetting()
	parts := s.splitParts(wide)
	columns := 0
	for _, p := range parts {
		columns += len(p.Columns) - 1
		if w := s.measureWidth(p); w > TextWidth {
			t.Errorf("a part is %.0f points wide", w)
		}
	}
	if !s.stacked || len(parts) < 2 || columns != 12 {
		t.Errorf("%d parts of %d columns, set by %+v", len(parts), columns, s)
	}
	if got := string(wide.RenderLaTeX(nil)); strings.Count(got, `\begin{tabular}{`) != len(parts) || !strings.Contains(got, `\begin{tabular}[t]{@{}r@{}}70.0\%\\{\scriptsize {[}67.1, 72.8]}\\{\scriptsize 700/1,000}\end{tabular}`) {
		t.Error(got)
	}
	texts := Table{Name: "texts", Columns: ParseColumns("a b c d e f g h"), Rows: [][]Cell{nil, nil}}
	for i := range texts.Columns {
		texts.Rows[0] = append(texts.Rows[0], NewText(strings.Repeat("long_", 20)))
		texts.Rows[1] = append(texts.Rows[1], NewText(fmt.Sprint(i)))
	}
	got := texts.RenderLaTeX(nil)
	if all := ListTooWide(got); len(all) != 1 || !strings.Contains(all[0], "points wide, of the 345 of a text") || !strings.Contains(string(got), `long\_\allowbreak{}`) {
		t.Errorf("%q in\n%s", all, got)
	}
}

func TestFor(t *testing.T) {
	p := &Paper{Columns: []string{"n_left", "model"}, Display: func(m string) string { return map[string]string{"c|*": "C"}[m] }}
	got := sheet().ApplyPaper(p)
	if len(got.Columns) != 2 || got.Columns[1].Name != "model" || got.Rows[2][1].String() != "C" {
		t.Errorf("%+v", got)
	}
	if sheet().Rows[2][0].String() != "c|*" {
		t.Error("the table itself has other names now")
	}
}

func TestCSV(t *testing.T) {
	b, err := sheet().RenderCSV()
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != 4 || len(lines[0]) != 15 {
		t.Fatalf("%d lines of %d columns, want 4 of 15", len(lines), len(lines[0]))
	}
	if got := strings.Join(lines[0][2:8], " "); got != "accuracy accuracy_low accuracy_high accuracy_k accuracy_n accuracy_undefined" {
		t.Errorf("head: %s", got)
	}
	if lines[1][5] != "796" || lines[1][6] != "1176" || lines[1][13] != "1234567" || lines[3][7] == "" {
		t.Errorf("lines: %q", lines)
	}
}

func TestShort(t *testing.T) {
	check := func(s, want string) {
		t.Helper()
		if got := ShortenText(s); got != want || uniseg.StringWidth(got) > 60 {
			t.Errorf("%q, want %q", got, want)
		}
	}
	check("", "")
	check(strings.Repeat("a", 60), strings.Repeat("a", 60))
	check(strings.Repeat("a", 61), strings.Repeat("a", 59)+"…")
	check(strings.Repeat("画", 40), strings.Repeat("画", 29)+"…")
}

func TestFormats(t *testing.T) {
	for _, f := range []Format{FormatTable, FormatJSON, FormatCSV, FormatMarkdown, FormatLaTeX, FormatHTML} {
		if got, err := ParseFormat(f.String()); got != f || err != nil {
			t.Errorf("%v came back as %v, %v", f, got, err)
		}
	}
	for _, s := range []string{"", "pdf"} {
		if _, err := ParseFormat(s); err == nil {
			t.Errorf("format %q was taken", s)
		}
	}
}

func TestDecimal(t *testing.T) {
	for v, want := range map[float64]string{-0.0004: "0.000", 0.0004: "0.000", -0.0006: "-0.001", 1: "1.000"} {
		if got := FormatDecimal(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

func TestGrouped(t *testing.T) {
	check := func(n int, want string) {
		t.Helper()
		if got := FormatGrouped(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	check(0, "0")
	check(999, "999")
	check(1000, "1,000")
	check(-1234567, "-1,234,567")
}

func FuzzVisible(f *testing.F) {
	f.Add("plain")
	f.Add("\x1b[31m\u202e\x7f\u0085\xff")
	f.Fuzz(func(t *testing.T, s string) {
		out := visibleText(s)
		for _, c := range out {
			if unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) {
				t.Errorf("%q shows %U", s, c)
			}
		}
		if visibleText(out) != out {
			t.Errorf("%q is not stable: %q", s, out)
		}
		_ = uniseg.StringWidth(out)
	})
}
