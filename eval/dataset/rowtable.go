package dataset

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"iter"
	"slices"

	"concord/eval"
)

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

func (t *rowTable) at(row int) *rowEntry { return &t.chunks[row/chunkRows][row%chunkRows] }

func (t *rowTable) addRow(e rowEntry) {
	if t.rows%chunkRows == 0 {
		t.chunks = append(t.chunks, make([]rowEntry, chunkRows))
	}
	*t.at(t.rows) = e
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

func (t *rowTable) bytesAt(r textRef) []byte {
	from := t.texts[r/chunkText][r%chunkText:]
	return from[2 : 2+binary.LittleEndian.Uint16(from)]
}

func (t *rowTable) text(r textRef) string { return string(t.bytesAt(r)) }

// rowsByText yields the rows that share a text, in the order of the file. The
// rows are the caller's until the next ones are asked for.
func (t *rowTable) rowsByText(of func(*rowEntry) textRef) iter.Seq[[]uint32] {
	compare := func(a, b uint32) int {
		x, y := t.bytesAt(of(t.at(int(a)))), t.bytesAt(of(t.at(int(b))))
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
