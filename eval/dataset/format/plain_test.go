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

	"concord/eval/bound"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/problem"
)

// Every workbook that is read here gives what its library gives.
func TestPlainSheetIsTheLibrarys(t *testing.T) {
	files, err := filepath.Glob("../../../../shared/data/*/*.xlsx")
	if err != nil || len(files) == 0 {
		t.Skip("the real data is not here")
	}
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !samePlain(t, b) {
			t.Errorf("%s is left to the library", path)
		}
	}
}

// samePlain compares both readings of a workbook, and tells whether it is a
// plain one.
func samePlain(t *testing.T, b []byte) bool {
	t.Helper()
	archive, err := bound.OpenArchive(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return false
	}
	rows, err := fastio.PlainSheet(archive)
	if err != nil {
		return false
	}
	book, err := openBook(archive)
	if err != nil {
		t.Fatal(err)
	}
	truths, err := book.check()
	if err != nil {
		t.Fatalf("a plain sheet is refused: %v", err)
	}
	l := bookOf(b)
	err = l.librarySheet(book, truths, func(Row, error) bool { return true })
	var p *problem.Problem
	if len(rows) == 0 && errors.As(err, &p) {
		return true
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(l.sheet) {
		t.Fatalf("%d rows, the library has %d", len(rows), len(l.sheet))
	}
	for i := range rows {
		if !slices.Equal(rows[i], l.sheet[i]) {
			t.Fatalf("row %d: %q, the library has %q", i+1, rows[i], l.sheet[i])
		}
	}
	return true
}

func bookOf(b []byte) *File {
	return New("f.xlsx", XLSX, func() (io.ReadCloser, int64, error) {
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

// What is plain is read here and what is not is left to the library, which
// gives the same wherever both read.
func FuzzPlainSheet(f *testing.F) {
	check := func(plain bool, sheet, shared string) {
		f.Helper()
		f.Add(sheet, shared)
		b := workbookOf(f, sheet, shared)
		archive, err := bound.OpenArchive(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			f.Fatal(err)
		}
		if got, err := fastio.PlainSheet(archive); (err == nil) != plain {
			f.Errorf("%s: %q, %v", sheet, got, err)
		}
	}
	row := func(cells string) string { return `<row r="1" spans="1:2">` + cells + `</row>` }
	check(true, "", "")
	check(true, row(`<c r="A1" t="inlineStr"><is><t xml:space="preserve"> a &lt;b&gt; &amp; &#34;&#x20AC;&quot;&apos; > _x000D__x005F_xd800__xD800_ </t></is></c><c r="B1" t="n"><v>1.50E1</v></c>`), "")
	check(true, row(`<c r="B1" s="3" t="s"><v>1</v></c><c r="D1"/><c r="E1"><v/></c><c r="F1" t="str"><v>a_x0041_</v></c>`)+"\n"+`<row r="4"><c r="AZ4" t="s"><v>0</v></c></row><row r="5"/>`,
		"<si><t>a\r\nb\rc\td</t></si>\n<si><t>天坛 😀</t><phoneticPr fontId=\"1\"/></si>")
	check(true, row(`<c r="A1" t="b"><v>1</v></c><c r="B1" t="b"><v>0</v></c><c r="C1" t="inlineStr"/><c r="D1" t="inlineStr"><is/></c><c r="E1" t="inlineStr"><is><t/></is></c>`), "")
	for _, odd := range []string{
		`<c r="A1"><f>1+1</f><v>2</v></c>`, `<c r="A1" t="e"><v>#N/A</v></c>`, `<c r="A1" t="d"><v>2024-01-02</v></c>`,
		`<c t="n"><v>1</v></c>`, `<c r="B1"><v>1</v></c><c r="A1"><v>2</v></c>`, `<c r="A2"><v>1</v></c>`, `<c r="A1"><v><![CDATA[1]]></v></c>`,
		`<!-- a --><c r="A1"><v>1</v></c>`, `<c r="A1" t="inlineStr"><is><r><t>a</t></r><r><rPr><b/></rPr><t>b</t></r></is></c>`,
		`<c r="A1" t="inlineStr"><is><t>a</t><rPh sb="0" eb="1"><t>b</t></rPh></is></c>`, `<c r="A1" t="s"><v>0</v></c>`, `<c r="A1" t="inlineStr"><v>1</v></c>`,
		`<c r="A1"><v>a]]></v></c>`, `<c r="A1"><v>&nbsp;</v></c>`, `<c r="A1"><v>&#1;</v></c>`, "<c r=\"A1\"><v>\x01</v></c>", "<c r=\"A1\"><v>\xff</v></c>",
		`<c r='A1'><v>1</v></c>`, `<c r="A1"><v>1</v></c>a`, `<c r="A1"><is><t>1</t></is></c>`, `<c r="A1" t="b"><v>2</v></c>`, `<x:c r="A1"><v>1</v></x:c>`,
		`<c r="A1" t="inlineStr"><is><t>image (2)</t></is></c>`, `<c r="A1" t="inlineStr"><is><t>a</t><t>b</t></is></c>`,
	} {
		check(false, row(odd), "")
	}
	check(false, `<row><c r="A1"><v>1</v></c></row>`, "")
	check(false, `<row r="2"/><row r="2"/>`, "")
	check(false, row(""), `<si><r><t>a</t></r></si>`)
	f.Fuzz(func(t *testing.T, sheet, shared string) { samePlain(t, workbookOf(t, sheet, shared)) })
}
