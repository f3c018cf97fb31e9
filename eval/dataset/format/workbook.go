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
	"concord/eval/dataset/problem"
	"concord/eval/dataset/tablefile"
)

// readWorkbook reads the first sheet of an xlsx file and keeps it, unless its
// pictures go on over several cells: those rows are given one at a time.
func (f *File) readWorkbook(in *countingReader, size int64, yield func(Row, error) bool) error {
	at, size, err := toReaderAt(in.in, size)
	if err != nil {
		return err
	}
	archive, err := bound.OpenArchive(&countingReaderAt{in: at, countingReader: in}, size)
	if err != nil {
		return fmt.Errorf("open workbook: %w", err)
	}
	b, err := openWorkbook(archive)
	if err != nil {
		return fmt.Errorf("open workbook: %w", err)
	}
	var kept [][]string
	var streamed *pictureJoiner
	held := 0
	err = b.eachRow(func(line int, cells []string) (bool, error) {
		if streamed != nil {
			return streamed.yieldJoinedRow(line, cells, yield), nil
		}
		for len(kept) < line-1 {
			kept = append(kept, nil) // the sheet leaves out empty rows
		}
		kept = append(kept, cells)
		if len(kept) == 1 && slices.Contains(cells, tablefile.ImageRest+"(2)") {
			head := slices.DeleteFunc(slices.Clone(cells), func(n string) bool { return strings.HasPrefix(n, tablefile.ImageRest+"(") })
			streamed = &pictureJoiner{f, cells, head, slices.Index(head, "image")}
		}
		for _, c := range cells {
			held += len(c) // texts that cells share count for each
		}
		return true, bound.CheckSize("the text of the sheet", int64(held), bound.SheetText)
	})
	switch {
	case errors.Is(err, errStopped):
	case err != nil:
		return err
	case len(kept) == 0:
		return problem.NewAt(f.Path, 1, "the file is empty")
	case streamed != nil:
		f.reportProgress(f.size)
	default:
		f.sheet = kept
		f.replaySheet(yield)
	}
	return nil
}

// workbook is a workbook's first sheet and what it needs.
type workbook struct {
	*bound.Archive
	name   string    // of the sheet, as the workbook calls it
	sheet  *zip.File // nil: it is not there
	shared *zip.File // nil: its cells share no texts
}

// bookIndex bounds the parts that say where the sheets are.
const bookIndex = 1 << 20

// openWorkbook finds the first sheet.
func openWorkbook(a *bound.Archive) (*workbook, error) {
	b := &workbook{Archive: a}
	var index struct {
		Sheets []struct {
			Name string     `xml:"name,attr"`
			Attr []xml.Attr `xml:",any,attr"`
		} `xml:"sheets>sheet"`
	}
	var root, own partLinks
	if err := b.parseXMLPart("_rels/.rels", &root); err != nil {
		return nil, err
	}
	at := root.findLinkTarget("", func(l link) bool { return strings.HasSuffix(l.Type, "/officeDocument") })
	if err := b.parseXMLPart(at, &index); err != nil {
		return nil, err
	}
	folder, file := path.Split(at)
	if err := b.parseXMLPart(folder+"_rels/"+file+".rels", &own); err != nil {
		return nil, err
	}
	b.shared = b.findPart(own.findLinkTarget(folder, func(l link) bool { return strings.HasSuffix(l.Type, "/sharedStrings") }))
	if b.shared == nil {
		b.shared = b.findPart("xl/sharedStrings.xml") // where the library looks, whatever the workbook says
	}
	if len(index.Sheets) == 0 {
		return nil, errors.New("the workbook has no sheet")
	}
	b.name = index.Sheets[0].Name
	for _, a := range index.Sheets[0].Attr {
		if a.Name.Local == "id" {
			b.sheet = b.findPart(own.findLinkTarget(folder, func(l link) bool { return l.ID == a.Value }))
		}
	}
	if b.sheet == nil {
		return nil, fmt.Errorf("sheet %q is not in the workbook", b.name)
	}
	return b, nil
}

type partLinks struct {
	All []link `xml:"Relationship"`
}

type link struct {
	ID     string `xml:"Id,attr"`
	Type   string `xml:"Type,attr"`
	Target string `xml:"Target,attr"`
}

// findLinkTarget finds the name of the part that a link of a folder's part leads to; "" for none.
func (ls *partLinks) findLinkTarget(folder string, is func(link) bool) string {
	i := slices.IndexFunc(ls.All, is)
	switch {
	case i < 0:
		return ""
	case strings.HasPrefix(ls.All[i].Target, "/"):
		return path.Clean(ls.All[i].Target)[1:]
	}
	return path.Join(folder, ls.All[i].Target)
}

// findPart finds a part by its name, whose case differs between writers.
func (b *workbook) findPart(name string) *zip.File {
	i := slices.IndexFunc(b.File, func(p *zip.File) bool { return strings.EqualFold(strings.ReplaceAll(p.Name, `\`, "/"), name) })
	if i < 0 {
		return nil
	}
	return b.File[i]
}

func (b *workbook) parseXMLPart(name string, into any) error {
	p := b.findPart(name)
	if p == nil {
		return fmt.Errorf("there is no part %q in it", name)
	}
	return b.readPart(p, func(in io.Reader) error {
		if err := xml.NewDecoder(bound.FailAboveLimit(in, p.Name, bookIndex)).Decode(into); err != nil {
			return fmt.Errorf("read %s: %w", p.Name, err)
		}
		return nil
	})
}

// eachRow yields the rows of the sheet with their numbers.
func (b *workbook) eachRow(yield func(line int, cells []string) (bool, error)) error {
	s := sheetReader{}
	if b.shared != nil {
		if err := b.readPart(b.shared, func(in io.Reader) (err error) {
			s.shared, err = readSharedStrings(in)
			return err
		}); err != nil {
			return fmt.Errorf("sheet %q: the texts that cells share: %w", b.name, err)
		}
	}
	err := b.readPart(b.sheet, func(in io.Reader) error {
		s.xmlReader = newXMLReader(in)
		if err := s.eachRow(func(cells []string) (bool, error) { return yield(s.row, cells) }); err != nil {
			return err
		}
		_, err := io.Copy(io.Discard, in) // so that its checksum is known to be right
		return err
	})
	switch {
	case err == nil || errors.Is(err, errStopped):
		return err
	case s.row > 0:
		err = fmt.Errorf("row %d: %w", s.row, err)
	}
	return fmt.Errorf("sheet %q: %w", b.name, err)
}

func (b *workbook) readPart(p *zip.File, read func(io.Reader) error) (err error) {
	in, err := b.Open(p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return read(in)
}

// pictureJoiner are rows whose pictures go on over several cells.
type pictureJoiner struct {
	file  *File
	names []string // of all columns
	head  []string // less those with which the picture goes on
	image int      // its column
}

func (p *pictureJoiner) yieldJoinedRow(line int, texts []string, yield func(Row, error) bool) bool {
	if len(texts) == 0 {
		return true
	}
	cells := make([][]byte, len(p.head))
	c := 0
	for i, name := range p.names {
		text := ""
		if i < len(texts) {
			text = texts[i]
		}
		if strings.HasPrefix(name, tablefile.ImageRest+"(") && p.image >= 0 {
			cells[p.image] = append(cells[p.image], text...)
			continue
		}
		cells[c] = []byte(text) // an empty cell is there, unlike a null
		c++
	}
	var err error
	if p.image >= 0 && len(cells[p.image]) > bound.Cell {
		err = problem.NewAt(p.file.Path, line, "%s", bound.CheckSize("the image", int64(len(cells[p.image])), bound.Cell))
	}
	return yield(Row{Line: line, Names: p.head, Cells: cells}, err)
}

// progressRows is how many rows of a kept sheet pass between two reports.
const progressRows = 1000

// replaySheet yields the rows of the kept sheet; a row's line is its number in the sheet.
func (f *File) replaySheet(yield func(Row, error) bool) {
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
			f.reportProgress(f.size * int64(i+1) / int64(len(f.sheet)))
		}
		if !empty && !yield(Row{Line: i + 2, Names: head, Cells: cells}, nil) {
			return
		}
	}
	f.reportProgress(f.size)
}
