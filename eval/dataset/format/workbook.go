package format

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"concord/eval/bound"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/problem"
)

// workbook reads the first sheet of an xlsx file and keeps it, unless it holds
// pictures: unpacking is most of the work. What is no plain workbook is left
// to its library, once its XML was checked: that takes a damaged sheet for one
// that ends.
func (f *File) workbook(in *meter, size int64, yield func(Row, error) bool) error {
	at, size, err := placed(in.in, size)
	if err != nil {
		return err
	}
	archive, err := bound.OpenArchive(&meterAt{in: at, meter: in}, size)
	if err != nil {
		return fmt.Errorf("open workbook: %w", err)
	}
	var over *fastio.SheetError
	sheet, err := fastio.PlainSheet(archive)
	if err == nil && len(sheet) > 0 {
		f.sheet = sheet
		f.yieldSheet(yield)
		return nil
	}
	in.read = 0
	archive.Again()
	b, err2 := openBook(archive)
	switch {
	case err2 != nil:
		return fmt.Errorf("open workbook: %w", err2)
	case errors.As(err, &over):
		return b.located(err)
	}
	truths, err := b.check()
	if err != nil {
		return err
	}
	return f.librarySheet(b, truths, yield)
}

// book is a workbook's first sheet and what it needs.
type book struct {
	*bound.Archive
	name   string    // of the sheet, as the workbook calls it
	sheet  *zip.File // nil: it is not there
	shared *zip.File // nil: its cells share no texts
}

// bookIndex bounds the parts that say where the sheets are.
const bookIndex = 1 << 20

// openBook finds the first sheet.
func openBook(a *bound.Archive) (*book, error) {
	b := &book{Archive: a}
	var index struct {
		Sheets []struct {
			Name string     `xml:"name,attr"`
			Attr []xml.Attr `xml:",any,attr"`
		} `xml:"sheets>sheet"`
	}
	var root, own links
	if err := b.parse("_rels/.rels", &root); err != nil {
		return nil, err
	}
	at := root.target("", func(l link) bool { return strings.HasSuffix(l.Type, "/officeDocument") })
	if err := b.parse(at, &index); err != nil {
		return nil, err
	}
	folder, file := path.Split(at)
	if err := b.parse(folder+"_rels/"+file+".rels", &own); err != nil {
		return nil, err
	}
	b.shared = b.part(own.target(folder, func(l link) bool { return strings.HasSuffix(l.Type, "/sharedStrings") }))
	if b.shared == nil {
		b.shared = b.part("xl/sharedStrings.xml") // where the library looks, whatever the workbook says
	}
	if len(index.Sheets) == 0 {
		return nil, errors.New("the workbook has no sheet")
	}
	b.name = index.Sheets[0].Name
	for _, a := range index.Sheets[0].Attr {
		if a.Name.Local == "id" {
			b.sheet = b.part(own.target(folder, func(l link) bool { return l.ID == a.Value }))
		}
	}
	if b.sheet == nil {
		return nil, fmt.Errorf("sheet %q is not in the workbook", b.name)
	}
	return b, nil
}

// links are the parts that a part refers to.
type links struct {
	All []link `xml:"Relationship"`
}

type link struct {
	ID     string `xml:"Id,attr"`
	Type   string `xml:"Type,attr"`
	Target string `xml:"Target,attr"`
}

// target is the name of the part that a link of a folder's part leads to; ""
// for none.
func (ls *links) target(folder string, is func(link) bool) string {
	i := slices.IndexFunc(ls.All, is)
	switch {
	case i < 0:
		return ""
	case strings.HasPrefix(ls.All[i].Target, "/"):
		return path.Clean(ls.All[i].Target)[1:]
	}
	return path.Join(folder, ls.All[i].Target)
}

// part finds a part by its name, whose case differs between writers.
func (b *book) part(name string) *zip.File {
	i := slices.IndexFunc(b.File, func(p *zip.File) bool { return strings.EqualFold(strings.ReplaceAll(p.Name, `\`, "/"), name) })
	if i < 0 {
		return nil
	}
	return b.File[i]
}

// parse reads a part that is short.
func (b *book) parse(name string, into any) (err error) {
	p := b.part(name)
	if p == nil {
		return fmt.Errorf("there is no part %q in it", name)
	}
	in, err := b.Open(p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if err := xml.NewDecoder(bound.Reader(in, p.Name, bookIndex)).Decode(into); err != nil {
		return fmt.Errorf("read %s: %w", p.Name, err)
	}
	return nil
}

// check reads the XML of the sheet and of what its cells share.
func (b *book) check() (truths bool, err error) {
	shared := 0
	if b.shared != nil {
		if err := b.within(b.shared, func(in io.Reader) (err error) {
			shared, err = fastio.CheckShared(in)
			return err
		}); err != nil {
			return false, fmt.Errorf("the texts that cells share: %w", err)
		}
	}
	err = b.within(b.sheet, func(in io.Reader) (err error) {
		truths, err = fastio.CheckSheet(in, shared)
		return err
	})
	b.Again()
	return truths, b.located(err)
}

func (b *book) within(p *zip.File, read func(io.Reader) error) (err error) {
	in, err := b.Open(p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return read(in)
}

// located says in which sheet something is wrong.
func (b *book) located(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sheet %q: %w", b.name, err)
}

// streamSheet yields rows whose pictures go on over several cells, one at a
// time.
func (f *File) streamSheet(rows *sheetRows, names []string, yield func(Row, error) bool) error {
	head := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return strings.HasPrefix(n, fastio.ImageRest+"(") })
	image := slices.Index(head, "image")
	for rows.next() {
		texts, err := rows.cells()
		if err != nil {
			return err
		}
		cells := make([][]byte, len(head))
		c := 0
		for i, name := range names {
			text := ""
			if i < len(texts) {
				text = texts[i]
			}
			if strings.HasPrefix(name, fastio.ImageRest+"(") && image >= 0 {
				cells[image] = append(cells[image], text...)
				continue
			}
			cells[c] = []byte(text) // an empty cell is there, unlike a null
			c++
		}
		if image >= 0 && len(cells[image]) > bound.Cell {
			err = problem.At(f.Path, rows.line, "%s", bound.Check("the image", int64(len(cells[image])), bound.Cell))
		}
		if len(texts) > 0 && !yield(Row{Line: rows.line, Names: head, Cells: cells}, err) {
			return nil
		}
	}
	f.progress(f.size)
	return rows.err()
}

// progressRows is how many rows of a kept sheet pass between two reports.
const progressRows = 1000

// yieldSheet yields the rows of the kept sheet; a row's line is its number
// in the sheet.
func (f *File) yieldSheet(yield func(Row, error) bool) {
	head := f.sheet[0]
	cells := make([][]byte, len(head))
	for c := range cells {
		cells[c] = []byte{} // an empty cell is there, unlike a null
	}
	for i, texts := range f.sheet[1:] {
		empty := true
		for c := range cells {
			cells[c] = cells[c][:0]
			if c < len(texts) {
				cells[c] = append(cells[c], texts[c]...)
				empty = empty && texts[c] == ""
			}
		}
		if i%progressRows == 0 && f.reading > 1 {
			f.progress(f.size * int64(i+1) / int64(len(f.sheet)))
		}
		if !empty && !yield(Row{Line: i + 2, Names: head, Cells: cells}, nil) {
			return
		}
	}
	f.progress(f.size)
}
