package format

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/xuri/excelize/v2"

	"concord/eval/dataset/problem"
)

// Every workbook gives what the library of workbooks gives.
func TestSheetIsTheLibrarys(t *testing.T) {
	files, err := filepath.Glob("../../../../shared/data/*/*.xlsx")
	if err != nil || len(files) == 0 {
		t.Skip("the real data is not here")
	}
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !sameSheet(t, b) {
			t.Errorf("%s is refused", path)
		}
	}
}

// sameSheet compares both readings of a workbook, and tells whether it is read
// here.
func sameSheet(t *testing.T, b []byte) bool {
	t.Helper()
	l := bookOf(b)
	err := l.EachRow(Layout{}, func(Row, error) bool { return true })
	var p *problem.Problem
	if err != nil && !errors.As(err, &p) {
		return false
	}
	book, err := excelize.OpenReader(bytes.NewReader(b), excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = book.Close() }()
	rows, err := book.GetRows(book.GetSheetName(0))
	if err != nil {
		t.Fatal(err)
	}
	at := func(rows [][]string, i int) []string {
		if i < len(rows) {
			return rows[i]
		}
		return nil
	}
	for i := range max(len(rows), len(l.sheet)) {
		own, other := at(l.sheet, i), at(rows, i)
		if !slices.EqualFunc(own, other, func(own, other string) bool {
			return own == other || own == "TRUE" && other == "1" || own == "FALSE" && other == "0"
		}) {
			t.Fatalf("row %d: %q, the library has %q", i+1, own, other)
		}
	}
	return true
}

func bookOf(b []byte) *File {
	return NewFromOpener("f.xlsx", XLSX, func() (io.ReadCloser, int64, error) {
		return io.NopCloser(bytes.NewReader(b)), int64(len(b)), nil
	}, nil)
}

// workbookOf makes a workbook of what stands in its sheet and in its shared texts.
func workbookOf(t testing.TB, sheet, shared string) []byte {
	t.Helper()
	const head, main = `<?xml version="1.0" encoding="UTF-8"?>`, `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	const kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, part := range [][2]string{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="` + kind + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook ` + main + ` xmlns:r="` + kind + `"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="` + kind + `/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
		{"xl/worksheets/sheet1.xml", `<worksheet ` + main + `><sheetData>` + sheet + `</sheetData></worksheet>`},
		{"xl/sharedStrings.xml", `<sst ` + main + `>` + shared + `</sst>`},
	} {
		w, err := z.Create(part[0])
		if err == nil {
			_, err = w.Write([]byte(head + part[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// What is read here is what the library reads.
func FuzzSheet(f *testing.F) {
	for _, part := range [][2]string{
		{"", ""},
		{row(`<c r="A1" t="inlineStr"><is><t xml:space="preserve"> a &lt;b&gt; &amp; &#34;&#x20AC;&quot;&apos; > _x000D__x005F_xd800__xD800_ </t></is></c><c r="B1" t="n"><v>1.50E1</v></c>`), ""},
		{
			row(`<c r="B1" s="3" t="s"><v>1</v></c><c r="D1"/><c r="E1"><v/></c><c r="F1" t="str"><v>a_x0041_</v></c>`) + "\n" + `<row r="4"><c r="AZ4" t="s"><v>0</v></c></row><row r="5"/>`,
			"<si><t>a\r\nb\rc\td</t></si>\n<si><t>天坛 😀</t><phoneticPr fontId=\"1\"/></si>",
		},
		{row(`<c r="A1" t="b"><v>1</v></c><c r="B1" t="b"><v>0</v></c><c r="C1" t="inlineStr"/><c r="D1" t="inlineStr"><is/></c><c r="E1" t="inlineStr"><is><t/></is></c>`), ""},
		{row(`<c r="A1"><f>1+1</f><v>2</v></c>`), ""},
		{row(`<c r="A1" t="e"><v>#N/A</v></c>`), ""},
		{row(`<c r="A1"><v><![CDATA[1]]></v></c><!-- a -->`), ""},
		{row(`<c r="A1" t="inlineStr"><is><r><t>a</t></r><r><rPr><b/></rPr><t>b</t></r></is></c>`), ""},
		{row(`<c r="A1" t="inlineStr"><is><t>a</t><rPh sb="0" eb="1"><t>b</t></rPh></is></c>`), ""},
		{row(`<c r='A1' t='s'><v> 0 </v></c><c t="n"><v>1</v></c>`), `<si><r><t>a</t></r></si>`},
		{`<row><c><v>1</v></c></row>`, ""},
	} {
		f.Add(part[0], part[1])
		if b := workbookOf(f, part[0], part[1]); bookOf(b).EachRow(Layout{}, func(Row, error) bool { return true }) != nil && part[0] != "" {
			f.Errorf("refused: %s", part[0])
		}
	}
	f.Fuzz(func(t *testing.T, sheet, shared string) { sameSheet(t, workbookOf(t, sheet, shared)) })
}

func row(cells string) string { return `<row r="1" spans="1:2">` + cells + `</row>` }

// A cell that is broken, or none, is refused.
func TestBrokenCells(t *testing.T) {
	for _, cell := range []string{
		`<c r="B1"><v>1</v></c><c r="A1"><v>2</v></c>`, `<c r="A2"><v>1</v></c>`, `<c r="A1"><v>a]]></v></c>`, `<c r="A1"><v>&nbsp;</v></c>`,
		`<c r="A1"><v>&#1;</v></c>`, "<c r=\"A1\"><v>\x01</v></c>", "<c r=\"A1\"><v>\xff</v></c>", `<c r="A1"><v>1</v></c>a`, `<c r="A1" t="s"><v>0</v></c>`,
	} {
		if sameSheet(t, workbookOf(t, row(cell), "")) {
			t.Errorf("taken: %s", cell)
		}
	}
}
