package profile

import (
	"bytes"

	"concord/eval/dataset/internal/fastio"
)

// ReferenceLimit is the longest image cell that names another row instead
// of holding a picture (VLMEvalKit's rule).
const ReferenceLimit = 64

// Images cuts an image cell into its pictures: base64 texts, references to
// other rows, or a list of either.
func Images(cell []byte) [][]byte {
	cell = bytes.TrimSpace(cell)
	if len(cell) == 0 {
		return nil
	}
	if cell[0] == '[' {
		if list, ok := fastio.ParseList(cell); ok {
			return list
		}
	}
	return [][]byte{cell}
}

// IsReference reports whether an image names another row.
func IsReference(image []byte) bool { return len(image) <= ReferenceLimit }

// Reference is the index that an image cell names, in the form of Row.ID.
func Reference(image []byte) string {
	r := Row{Cells: [][]byte{image}}
	return r.ID(0)
}

// Paths returns the names of pictures that a row only names.
func (r *Row) Paths() []string {
	cell := bytes.TrimSpace(r.Cell(r.Head.ImagePath))
	if len(cell) == 0 {
		return nil
	}
	list := Images(cell)
	names := make([]string, len(list))
	for i, n := range list {
		names[i] = string(bytes.ToValidUTF8(n, []byte("\uFFFD")))
	}
	return names
}
