package profile

import (
	"bytes"

	"concord/eval/dataset/column"
)

// ReferenceLimit is the longest image cell that names another row instead
// of holding a picture (VLMEvalKit's rule).
const ReferenceLimit = 64

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
	list := column.Images(cell)
	names := make([]string, len(list))
	for i, n := range list {
		names[i] = string(bytes.ToValidUTF8(n, []byte("\uFFFD")))
	}
	return names
}
