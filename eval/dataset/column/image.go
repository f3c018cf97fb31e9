package column

import (
	"bytes"

	"concord/eval/dataset/internal/fastio"
)

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

// OneOrList is texts as a cell: one as itself, several as a list; nil for none.
func OneOrList(texts []string) any {
	switch len(texts) {
	case 0:
		return nil
	case 1:
		return texts[0]
	}
	return texts
}

// IsLetter tells an answer that needs options to be understood.
func IsLetter(answer string) bool {
	return len(answer) == 1 && answer[0] >= 'A' && answer[0] <= 'Z'
}
