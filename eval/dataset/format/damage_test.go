package format

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"concord/eval/bound"
	"concord/eval/dataset/problem"
)

// sheetOf is the XML of a sheet with texts in all the ways in which cells hold
// them. With a formula it is left to the library.
func sheetOf(rows int, formula bool) string {
	var out strings.Builder
	out.WriteString(`<row r="1"><c r="A1" t="inlineStr"><is><t>index</t></is></c><c r="B1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>n</t></is></c></row>`)
	for i := 2; i <= rows; i++ {
		fmt.Fprintf(&out, `<row r="%d"><c r="A%d"><v>%d</v></c><c r="B%d" t="s"><v>1</v></c>`, i, i, i, i)
		if formula {
			fmt.Fprintf(&out, `<c r="C%d"><f>1+%d</f><v>%d</v></c>`, i, i, i+1)
		}
		out.WriteString(`</row>`)
	}
	return out.String()
}

const sharedTexts = `<si><t>question</t></si><si><t>What &amp; why?</t></si>`

func rowsOf(b []byte) (rows int, problems []string, err error) {
	err = bookOf(b).EachRow(Layout{}, func(_ Row, err error) bool {
		var p *problem.Problem
		if errors.As(err, &p) {
			problems = append(problems, p.String())
		} else {
			rows++
		}
		return true
	})
	return rows, problems, err
}

// A sheet that is damaged inside an intact zip is refused, with the sheet and
// the row: no row is lost without a word.
func TestDamagedSheet(t *testing.T) {
	const rows = 300
	files := 330
	if testing.Short() {
		files = 20
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, formula := range []bool{false, true} {
		whole := sheetOf(rows, formula)
		refused := 0
		for range files {
			damaged := []byte(whole)
			at := random.IntN(len(damaged))
			switch random.IntN(4) {
			case 0:
				damaged[at] ^= 1 << random.IntN(8)
			case 1:
				damaged = append(damaged[:at], damaged[min(len(damaged), at+1+random.IntN(40)):]...)
			case 2:
				damaged = append(damaged[:at:at], whole[at/2:]...)
			case 3:
				damaged = damaged[:at]
			}
			n, _, err := rowsOf(workbookOf(t, string(damaged), sharedTexts))
			switch {
			case err != nil && !strings.Contains(err.Error(), `sheet "S": `):
				t.Errorf("the sheet is not named: %v", err)
			case err != nil:
				refused++
			case n != rows-1 && !strings.HasSuffix(string(damaged), "</row>"): // else it is a whole sheet of fewer rows
				t.Errorf("%d of %d rows, damaged at byte %d (%.60q)", n, rows-1, at, damaged[max(0, at-30):])
			}
		}
		t.Logf("formula %v: %d of %d are refused", formula, refused, files)
	}
}

// What is wrong is said with its row.
func TestSheetRefused(t *testing.T) {
	check := func(sheet, shared, want string) {
		t.Helper()
		if _, _, err := rowsOf(workbookOf(t, sheet, shared)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want %q", sheet, err, want)
		}
	}
	cell := func(row, kind, value string) string {
		return `<row r="` + row + `"><c r="A` + row + `" t="` + kind + `"><v>` + value + `</v></c></row>`
	}
	check(cell("1000000000000", "n", "1"), "", `sheet "S": row 1000000000000: its number is over the limit of 1048576 rows`)
	check(cell("7", "n", "1")+cell("7", "n", "1"), "", `sheet "S": row 7: it follows row 7`)
	check(cell("1", "s", "1"), `<si><t>a</t></si>`, `sheet "S": row 1: a cell refers to the shared text "1", of 1`)
	check(cell("1", "x", "1"), "", `sheet "S": row 1: a cell is of the unknown type "x"`)
	check(cell("1", "n", "1")+`<row r="2"><c r="B2"><v>1</v></c><c r="A2"><v>1</v></c></row>`, "", `sheet "S": row 2: its cells are out of order`)
	check(`<row r="3"><c r="A4"/></row>`, "", `sheet "S": row 3: "A4" is no cell of it`)
	check(`<row r="3"><d r="A3"/></row>`, "", `sheet "S": row 3: element "d" is not that of a cell`)
	check(`<row/><row r="3"/>`, "", `sheet "S": row 3: some rows have a number, and others none`)
	check(`<row r="3"></rov>`, "", `sheet "S": row 3: XML syntax error on line 1: element <row> closed by </rov>`)
	check(cell("1", "str", "&nbsp;"), "", `sheet "S": row 1: XML syntax error on line 1: invalid character entity &nbsp;`)
	check(`<row r="1">`+strings.Repeat("<is>", bound.Depth), "", `row 1: element "is" is not that of a cell`)
	check(`<row r="1"><c r="A1">`+strings.Repeat("<is>", bound.Depth), "", `row 1: the nesting of elements is over the limit of 64 levels`)
	wide := make([]byte, 0, 1<<20)
	for i := 1; i <= bound.SheetCells/bound.Columns+1; i++ {
		wide = fmt.Appendf(wide, `<row r="%d"><c r="XFD%d"><v>1</v></c></row>`, i, i)
	}
	check(string(wide), "", `sheet "S": row 513: the sheet is over the limit of 8388608 cells`)
	check("", `<si><t>a</t><si>`, "the texts that cells share: shared text 1: ")
}
