package dataset

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/bound"
	"concord/eval/dataset/profile"
)

// imageFolder finds the pictures that rows only name in one folder, by the path that they name
// within it or else by base name, or by subtask and base name in MME's release, where base
// names repeat. Nothing outside the folder is read. The zero value has none.
type imageFolder struct {
	folder *bound.Directory
	paths  map[string]string // of the release, within the folder; nil for a plain folder
}

// openImageFolder takes the folder that was named, or one called images beside the file when there is such
// a one, or what is read itself when it is a folder, as MME's results are. It is closed by its owner.
func openImageFolder(named, path string) (imageFolder, error) {
	for _, root := range []string{named, path} {
		if !isFolder(root) {
			continue
		}
		folder, err := bound.OpenFolder(root)
		if err != nil {
			return imageFolder{}, fmt.Errorf("open images: %w", err)
		}
		if paths := profile.FindMMEImages(folder); paths != nil {
			return imageFolder{folder: folder, paths: paths}, nil
		}
		if err := folder.Close(); err != nil {
			return imageFolder{}, fmt.Errorf("open images: %w", err)
		}
	}
	at := eval.Either(named == "", filepath.Join(filepath.Dir(path), "images"), named)
	switch {
	case isFolder(at):
	case named == "" && isFolder(path):
		at = path
	case named == "":
		return imageFolder{}, nil
	default:
		if _, err := os.Stat(named); err != nil {
			return imageFolder{}, fmt.Errorf("open images: %w", err)
		}
		return imageFolder{}, fmt.Errorf("open images: %s is no folder", named)
	}
	folder, err := bound.OpenFolder(at)
	return imageFolder{folder: folder}, eval.WrapError(err, "open images")
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func (a imageFolder) close() error {
	if a.folder == nil {
		return nil
	}
	return a.folder.Close()
}

// resolvePath gives where a picture of that name would be; "" when it cannot be one.
func (a imageFolder) resolvePath(name string) string {
	if a.paths != nil {
		return a.paths[name]
	}
	base := name[strings.LastIndexAny(name, `/\`)+1:]
	if a.folder == nil || base == "" || base == "." || base == ".." || strings.ContainsRune(base, 0) {
		return ""
	}
	if within := path.Clean(name); base != name && filepath.IsLocal(filepath.FromSlash(within)) && a.folder.HasFile(within) {
		return within
	}
	for _, as := range []string{"%s.jpg", "%s.png", "%012s.jpg", "COCO_val2014_%012s.jpg", "COCO_train2014_%012s.jpg", "COCO_test2015_%012s.jpg"} {
		if file := fmt.Sprintf(as, base); path.Ext(base) == "" && a.folder.HasFile(file) {
			return file // of an id: GQA's, and those of COCO that VQA and A-OKVQA name
		}
	}
	return base
}

func (a imageFolder) hasFile(name string) bool {
	at := a.resolvePath(name)
	return at != "" && a.folder.HasFile(at)
}

// readPicture gives the picture and its bytes; without a file for the name they are nil.
func (a imageFolder) readPicture(name string) (p eval.Picture, data []byte, err error) {
	if !a.hasFile(name) {
		return p, nil, nil
	}
	f, err := a.folder.Open(a.resolvePath(name))
	if err != nil {
		return p, nil, fmt.Errorf("read image: %w", err)
	}
	data, err = bound.ReadAll(f, fmt.Sprintf("%.80q", name), bound.Picture)
	switch err = errors.Join(err, f.Close()); {
	case err != nil:
		return p, nil, fmt.Errorf("read image: %w", err)
	case len(data) == 0:
		return p, nil, fmt.Errorf("read image %.80q: it is empty", name)
	}
	p = hashPicture(data)
	p.Name = name
	return p, data, nil
}

// rowEntry is one row: what identifies it, and a digest in place of its text. It
// has no pointers, and 48 bytes: a file may have a million rows.
type rowEntry struct {
	index    textRef
	id       textRef // of the sample; until rows are told apart, the g_index, or the index without one
	line     uint32
	passes   uint32 // that the question has, a bit each
	question uint64
	digest   [16]byte
	pass     eval.Pass
	fault    dropReason
	first    bool // the row makes the sample
	repeats  repeatPolicy
}

// rowTable holds rows and their indexes in chunks, so that nothing moves as it
// grows, and nothing in it is looked at when garbage is collected.
type rowTable struct {
	chunks [][]rowEntry
	rows   int
	texts  [][]byte // indexes and ids, each behind its length in two bytes
}

const (
	chunkRows = 1 << 12
	chunkText = 1 << 18
)

// textRef is where in a rowTable a text begins.
type textRef uint32

func (t *rowTable) entryAt(row int) *rowEntry { return &t.chunks[row/chunkRows][row%chunkRows] }

func (t *rowTable) addRow(e rowEntry) {
	if t.rows%chunkRows == 0 {
		t.chunks = append(t.chunks, make([]rowEntry, chunkRows))
		debug.SetGCPercent(garbageCollectPercent(len(t.chunks)))
	}
	*t.entryAt(t.rows) = e
	t.rows++
}

// keepText keeps an index or an id.
func (t *rowTable) keepText(s string) textRef {
	last := len(t.texts) - 1
	if last < 0 || len(t.texts[last])+2+len(s) > chunkText {
		last++
		t.texts = append(t.texts, make([]byte, 0, chunkText))
	}
	place := textRef(last*chunkText + len(t.texts[last]))
	t.texts[last] = append(binary.LittleEndian.AppendUint16(t.texts[last], uint16(len(s))), s...)
	return place
}

func (t *rowTable) textBytesAt(r textRef) []byte {
	from := t.texts[r/chunkText][r%chunkText:]
	return from[2 : 2+binary.LittleEndian.Uint16(from)]
}

func (t *rowTable) textAt(r textRef) string { return string(t.textBytesAt(r)) }

// rowsByText yields the rows that share a text, in the order of the file. The
// rows are the caller's until the next ones are asked for.
func (t *rowTable) rowsByText(of func(*rowEntry) textRef) iter.Seq[[]uint32] {
	compare := func(a, b uint32) int {
		x, y := t.textBytesAt(of(t.entryAt(int(a)))), t.textBytesAt(of(t.entryAt(int(b))))
		return cmp.Or(cmp.Compare(len(x), len(y)), bytes.Compare(x, y)) // numbers in their order, as most files have them
	}
	return func(yield func([]uint32) bool) {
		rows := make([]uint32, t.rows)
		for i := range rows {
			rows[i] = uint32(i)
		}
		slices.SortStableFunc(rows, compare)
		for len(rows) > 0 {
			n := 1
			for n < len(rows) && compare(rows[0], rows[n]) == 0 {
				n++
			}
			if !yield(rows[:n:n]) {
				return
			}
			rows = rows[n:]
		}
	}
}
