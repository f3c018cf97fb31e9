package profile

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"concord/eval/dataset/column"
	"concord/eval/dataset/format"
)

// Formats lists the formats that can be named, as --format takes them: a
// container whose rows already have names that are known, or a layout.
func Formats() []string {
	out := []string{format.TSV, format.CSV, format.XLSX, format.JSON, format.JSONL, format.Object}
	for i := range known {
		out = append(out, known[i].name)
	}
	return append(out, format.Parquet)
}

// Claim is a layout that a file may have.
type Claim struct {
	Format string // one of Formats
	Score  int    // how well it fits, from 1 to 100
	Reason string
}

// Start is what claims go by: a file's path and its beginning.
type Start struct {
	Path   string
	Folder bool
	Head   []byte       // the first 64 KB, or all; nil of a folder
	Wish   *column.Wish // nil: rows are no samples, and one object is one row
}

func (s *Start) ext() string { return strings.ToLower(filepath.Ext(s.Path)) }

// Claims are the layouts that fit a file, the best first. What is special claims
// more than what is general: any log of lmms-eval is JSON lines as well.
func Claims(s Start) []Claim {
	var out []Claim
	for i := range known {
		if score, reason := known[i].claim(&s); score > 0 {
			out = append(out, Claim{known[i].name, score, reason})
		}
	}
	if s.Wish != nil && format.IsObject(s.Head) {
		out = append(out, Claim{format.Object, 20, "it is one object of rows"})
	}
	if kind, reason := format.Sniff(s.Head, s.ext()); kind != "" && !s.Folder {
		out = append(out, Claim{kind, 10, reason})
	}
	slices.SortStableFunc(out, func(a, b Claim) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

// startOf looks at a path. The head is read where the path leaves it open.
func startOf(file *format.File) (Start, error) {
	s := Start{Path: file.Path}
	if info, err := os.Stat(file.Path); err == nil && info.IsDir() {
		s.Folder = true
	}
	if s.Folder || isMME(s.Path) {
		return s, nil
	}
	var err error
	s.Head, err = file.Head()
	return s, err
}
