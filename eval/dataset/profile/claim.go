package profile

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"concord/eval/dataset/format"
)

// The names of what a file may be, as --format takes them: a container whose
// rows already have names that are known, or a layout.
const (
	LMMS    = "lmms-eval"
	MME     = "mme"
	Inspect = "inspect"
)

// Formats lists the formats that can be named.
func Formats() []string {
	return []string{format.TSV, format.CSV, format.XLSX, format.JSON, format.JSONL, LMMS, MME, Inspect, format.Parquet}
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
	Head   []byte // the first 64 KB, or all; nil of a folder
}

func (s *Start) ext() string { return strings.ToLower(filepath.Ext(s.Path)) }

// layouts says of each layout how well it fits: 0 for not at all. What is
// special claims more than what is general: any log of lmms-eval is JSON lines
// as well.
var layouts = []func(*Start) Claim{
	func(s *Start) Claim {
		switch {
		case s.Folder:
			return Claim{MME, 100, "it is a folder"}
		case isMME(s.Path):
			return Claim{MME, 100, "it is called like the results of a subtask of MME"}
		}
		return Claim{}
	},
	func(s *Start) Claim {
		if isInspect(format.Text(s.Head)) {
			return Claim{Inspect, 90, "it begins like a log of inspect_ai"}
		}
		return Claim{}
	},
	func(s *Start) Claim {
		kind, _ := format.Sniff(s.Head, s.ext())
		line, _, _ := bytes.Cut(format.Text(s.Head), []byte("\n"))
		if kind == format.JSONL && bytes.Contains(line, []byte(`"doc_id"`)) && bytes.Contains(line, []byte(`"filtered_resps"`)) {
			return Claim{LMMS, 80, "its first line has doc_id and filtered_resps"}
		}
		return Claim{}
	},
	func(s *Start) Claim {
		kind, reason := format.Sniff(s.Head, s.ext())
		if kind == "" {
			return Claim{}
		}
		return Claim{kind, 10, reason}
	},
}

// Claims are the layouts that fit a file, the best first.
func Claims(s Start) []Claim {
	var out []Claim
	for _, layout := range layouts {
		if c := layout(&s); c.Score > 0 {
			out = append(out, c)
		}
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
