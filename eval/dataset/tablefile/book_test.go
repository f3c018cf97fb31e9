package tablefile

import (
	"bytes"
	"testing"

	"github.com/xuri/excelize/v2"

	"concord/eval"
)

// A library of spreadsheets reads what is written here as it was.
func TestBookIsReadByALibrary(t *testing.T) {
	header := make([]string, 30)
	for i := range header {
		header[i] = columnLetters(i)
	}
	row := make([]any, len(header))
	copy(row, []any{-7, nil, "", " a <b> & \"c\"\n\td ", "_x0041_x0042_", "=1+1", "𝒳 中", true, 1.5})
	row[27] = "last but two"
	var out bytes.Buffer
	table, err := New(&out, XLSX, header)
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Write(row); err != nil {
		t.Fatal(err)
	}
	if warnings, err := table.Close(); err != nil || len(warnings) > 0 {
		t.Fatal(warnings, err)
	}
	read, err := excelize.OpenReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	if app, err := read.GetAppProps(); err != nil || app.Application != "concord "+eval.ThisBuild().String() {
		t.Errorf("the workbook names %+v, %v", app, err)
	}
	want := map[string]string{"AB1": "AB", "A2": "-7", "B2": "", "C2": "", "D2": row[3].(string), "E2": "_x0041_x0042_", "F2": "=1+1", "G2": "𝒳 中", "H2": "true", "I2": "1.5", "AB2": "last but two"}
	for cell, text := range want {
		if got, err := read.GetCellValue("Sheet1", cell); err != nil || got != text {
			t.Errorf("%s is %q (%v), want %q", cell, got, err, text)
		}
	}
	if formula, err := read.GetCellFormula("Sheet1", "F2"); err != nil || formula != "" {
		t.Errorf("a text became the formula %q, %v", formula, err)
	}
	if err := (&workbookWriter{}).writeRow(make([]any, sheetColumns+1)); err == nil {
		t.Error("a row that Excel does not open is written")
	}
}
