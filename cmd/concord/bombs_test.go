package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// mostResident is how much memory the program may take for any file, in MB.
const mostResident = 500

// TestBombs imports files that are small and claim to hold much: each is refused
// with file, sheet and row, before it takes the memory. One that hides its bomb
// where nobody looks is imported.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("the built program is measured without the race detector")
	}
	const rows = `<row r="1"><c r="A1" t="str"><v>index</v></c><c r="B1" t="str"><v>question</v></c></row>`
	const formula = `<row r="2"><c r="A2"><f>1</f><v>1</v></c><c r="B2" t="str"><v>Why?</v></c></row>`
	cell := func(name, before, behind, fill string, size int64) map[string]part {
		return map[string]part{name: {before: before, fill: fill, size: size, behind: behind}}
	}
	sheet := func(before, behind, fill string, size int64) map[string]part {
		return cell("xl/worksheets/sheet1.xml", sheetHead+rows+before, behind+"</sheetData></worksheet>", fill, size)
	}
	var wide, texts strings.Builder
	for i := 2; i < 3000; i++ {
		fmt.Fprintf(&wide, `<row r="%d"><c r="XFD%d"><f>1</f><v>1</v></c></row>`, i, i)
	}
	for i := 2; i < 50_000; i++ {
		fmt.Fprintf(&texts, `<row r="%d"><c r="A%d"><v>%d</v></c><c r="B%d" t="s"><v>0</v></c></row>`, i, i, i, i)
	}
	amplified := sheet(texts.String(), "", "", 0)
	amplified["xl/sharedStrings.xml"] = part{before: sharedHead + "<si><t>", fill: "a", size: 1 << 20, behind: "</t></si></sst>"}
	lie := map[string]part{"samples/1_epoch_1.json": {fill: " ", size: 1 << 30, says: 10}}
	hidden := sheet(formula, "", "", 0)
	hidden["xl/media/image1.png"] = part{fill: " ", size: 1 << 30}
	for _, c := range []struct {
		name  string
		parts map[string]part
		want  string // "": it is imported
	}{
		{"number.xlsx", sheet(`<row r="1000000000000"><c r="A1000000000000"><v>1</v></c></row>`, "", "", 0), `sheet "S": row 1000000000000: its number is over the limit of 1048576 rows`},
		{"cell.xlsx", sheet(`<row r="2"><c r="A2" t="str"><v>`, `</v></c></row>`, "a", 3<<30), `sheet "S": row 2: the text of a cell, or between cells, is over the limit of 16 MB`},
		{"blanks.xlsx", sheet("", "", " ", 4<<30), `sheet "S": row 1: the text of a cell, or between cells, is over the limit of 16 MB`},
		{"lines.xlsx", sheet("", "", "<row/>\n", 1<<30), `sheet "S": row 2: some rows have a number, and others none`},
		{"empty.xlsx", sheet(`<row r="2">`, `</row>`, "<c/>", 1<<30), `sheet "S": row 2: it is over the limit of 16384 cells`},
		{"comment.xlsx", sheet("<!--", "-->", "-a", 1<<30), `sheet "S": row 1: the text of a cell, or between cells, is over the limit of 16 MB`},
		{"wide.xlsx", sheet(wide.String(), "", "", 0), `sheet "S": row 513: the sheet is over the limit of 8388608 cells`},
		{"depth.xlsx", sheet(`<row r="2"><c r="A2">`, "", "<is>", 1<<30), `sheet "S": row 2: the nesting of elements is over the limit of 64 levels`},
		{"shared.xlsx", cell("xl/sharedStrings.xml", sharedHead, "</sst>", "<si><t/></si>", 1<<30), "the texts that cells share: what cells share is over the limit of 2097152 texts"},
		{"amplified.xlsx", amplified, `sheet "S": row 257: the text of the sheet: 256 MB, over the limit of 256 MB`},
		{"entry.eval", cell("samples/1_epoch_1.json", "", "", " ", 4<<30), "entry.eval/samples/1_epoch_1.json:1: what it unpacks to: 4 GB, over the limit of 96 MB"},
		{"lie.eval", lie, "lie.eval/samples/1_epoch_1.json:1: "},
		{"hidden.xlsx", hidden, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), c.name)
			writeZip(t, path, c.parts)
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			out, resident, took, err := importMeasured(t, path)
			t.Logf("%d kB: %d MB, %.1f s: %s", info.Size()>>10, resident, took.Seconds(), bytes.TrimSpace(out))
			switch {
			case c.want == "" && err != nil:
				t.Errorf("it is refused: %v", err)
			case c.want != "" && (err == nil || !strings.Contains(string(out), c.want) || !strings.Contains(string(out), c.name)):
				t.Errorf("%v: %s\nwant %s", err, out, c.want)
			}
			if resident > mostResident {
				t.Errorf("%d MB, %d at most", resident, mostResident)
			}
		})
	}
}

// importMeasured runs the program on a file, and says how many MB it took.
func importMeasured(t *testing.T, path string) (out []byte, resident int, took time.Duration, err error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // one that hangs
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "import", "dataset", path, "--project", filepath.Join(filepath.Dir(path), "p.db"))
	cmd.Env = append(os.Environ(), childVariable+"=1")
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	most := make(chan int, 1)
	ended := make(chan struct{})
	go func() { most <- mostOf(cmd.Process.Pid, ended) }()
	err = cmd.Wait()
	close(ended)
	return both.Bytes(), <-most, time.Since(began), err
}

// mostOf is the most memory in MB that a process had, looked at until it has ended:
// what its exit says counts the memory of the process that started it. Without
// /proc it is 0.
func mostOf(pid int, ended <-chan struct{}) (most int) {
	for {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if _, after, ok := strings.Cut(string(text), "VmHWM:"); err == nil && ok {
			var kb int
			if _, err := fmt.Sscan(after, &kb); err == nil {
				most = max(most, kb>>10)
			}
		}
		select {
		case <-ended:
			return most
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// part is a part of a zip: a text, and another one over and over between its
// halves.
type part struct {
	before, fill, behind string
	size                 int64
	says                 uint64 // that it unpacks to; 0: the truth
}

const (
	sheetHead  = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`
	sharedHead = `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`
)

// writeZip writes a workbook or a log of these parts, with what each needs
// beside.
func writeZip(t *testing.T, path string, parts map[string]part) {
	t.Helper()
	const rels = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	all := map[string]part{
		"[Content_Types].xml":        {before: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`},
		"_rels/.rels":                {before: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="` + rels + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		"xl/workbook.xml":            {before: `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="` + rels + `"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`},
		"xl/_rels/workbook.xml.rels": {before: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="` + rels + `/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
		"xl/worksheets/sheet1.xml":   {before: sheetHead + "</sheetData></worksheet>"},
	}
	order := []string{"[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/media/image1.png"}
	if strings.HasSuffix(path, ".eval") {
		all = map[string]part{"header.json": {before: `{"version":2,"status":"success","eval":{"task":"t","model":"m"}}`}}
		order = []string{"header.json", "samples/1_epoch_1.json"}
	}
	for name, p := range parts {
		all[name] = p
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range order {
		if p, ok := all[name]; ok {
			p.write(t, z, name)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// write packs the part: what is repeated is packed once.
func (p part) write(t *testing.T, z *zip.Writer, name string) {
	t.Helper()
	const block = 1 << 20
	var packed bytes.Buffer
	sum, size := crc32.NewIEEE(), uint64(0)
	pack := func(text string, times int64, last bool) {
		var one bytes.Buffer
		w, err := flate.NewWriter(&one, flate.BestCompression)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err == nil && last {
			err = w.Close()
		} else if err == nil {
			err = w.Flush()
		}
		if err != nil {
			t.Fatal(err)
		}
		for range times {
			packed.Write(one.Bytes())
			_, _ = sum.Write([]byte(text))
			size += uint64(len(text))
		}
	}
	pack(p.before, 1, false)
	if p.fill != "" {
		pack(strings.Repeat(p.fill, max(1, int(min(block, p.size))/len(p.fill))), max(1, p.size/block), false)
	}
	pack(p.behind, 1, true)
	if p.says > 0 {
		size = p.says
	}
	w, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, CRC32: sum.Sum32(), UncompressedSize64: size, CompressedSize64: uint64(packed.Len())})
	if err == nil {
		_, err = w.Write(packed.Bytes())
	}
	if err != nil {
		t.Fatal(err)
	}
}
