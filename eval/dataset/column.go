package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"concord/eval"
	"concord/eval/dataset/profile"
)

// Limits of the further columns of a dataset that are kept.
const (
	columnsKept = 32       // the first ones
	valueKept   = 64       // bytes of a value; of a longer one its hash is kept
	valueRead   = 64 << 10 // a longer one is left out
)

// furtherColumns are the cells that mean nothing to an import, but may name
// what samples share: a template, a dialogue, a page. Pictures and other long
// cells are none.
func furtherColumns(r *profile.Row) []eval.Column {
	var out []eval.Column
	for _, i := range r.Head.Further[:min(columnsKept, len(r.Head.Further))] {
		name, value := r.Head.Names[i], strings.ToValidUTF8(r.Name(i), "\uFFFD")
		if value == "" || len(value) > valueRead || len(name) > valueKept {
			continue
		}
		if len(value) > valueKept {
			sum := sha256.Sum256([]byte(value))
			value = "sha256:" + hex.EncodeToString(sum[:16])
		}
		out = append(out, eval.Column{Name: strings.ToValidUTF8(name, "\uFFFD"), Value: value})
	}
	return out
}
