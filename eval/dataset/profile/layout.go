package profile

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/dataset/column"
	"concord/eval/dataset/format"
)

// layout is how one kind of file is told from others, and how its rows get the
// names of VLMEvalKit.
type layout struct {
	name      string // as --format takes it
	container string // one of format's
	// claim says how well a file fits, from 1 to 100, and why; 0: not at all.
	claim func(*FileStart) (score int, reason string)
	// begin takes what the file's name and neighbours say of all rows; nil:
	// nothing.
	begin func(*Source) error
	// names gives the names, for one reading.
	names func(*Source) format.Layout
	// whole is a layout that says of the file as a whole, while it is read, what
	// an import asks for.
	whole bool
}

// known are the layouts that are not just a container.
var known = []layout{newLMMSLayout(), newMMELayout(), newInspectLayout(), newShardsLayout()}

// layoutOf is the layout of a format: for a container the names of published
// benchmarks, which are near enough.
func layoutOf(name string) layout {
	if i := slices.IndexFunc(known, func(l layout) bool { return l.name == name }); i >= 0 {
		return known[i]
	}
	return layout{name: name, container: name, names: nameAsBenchmark}
}

func nameAsBenchmark(*Source) format.Layout {
	return format.Layout{Keys: keys, Column: kitColumnName, Object: parseAndRename(renameBenchObject)}
}

// Shards is a folder of files that are read as one.
const Shards = "folder"

func newShardsLayout() layout {
	return layout{
		name: Shards,
		claim: func(s *FileStart) (int, string) {
			if !s.Folder {
				return 0, ""
			}
			if files, _, err := format.ListShards(s.Path); err != nil || len(files) == 0 {
				return 0, ""
			}
			return 50, "it is a folder of files of one kind"
		},
		begin: func(s *Source) (err error) {
			s.File.Shards, s.File.Kind, err = format.ListShards(s.File.Path)
			return err
		},
		names: nameAsBenchmark,
	}
}

// Formats lists the formats that can be named, as --format takes them: a
// container whose rows already have names that are known, or a layout.
func Formats() []string {
	return slices.Concat(format.Named, eval.Map(known, func(l layout) string { return l.name }), []string{format.Parquet})
}

// LayoutMatch is a layout that a file may have.
type LayoutMatch struct {
	Format string // one of Formats
	Score  int    // how well it fits, from 1 to 100
	Reason string
}

// FileStart is what claims go by: a file's path and its beginning.
type FileStart struct {
	Path   string
	Folder bool
	Head   []byte       // the first 64 KB, or all; nil of a folder
	Wish   *column.Wish // nil: rows are no samples, and one object is one row
}

func (s *FileStart) extension() string { return strings.ToLower(filepath.Ext(s.Path)) }

// MatchLayouts gives the layouts that fit a file, the best first. What is special claims
// more than what is general: any log of lmms-eval is JSON lines as well.
func MatchLayouts(s FileStart) []LayoutMatch {
	var out []LayoutMatch
	for i := range known {
		if score, reason := known[i].claim(&s); score > 0 {
			out = append(out, LayoutMatch{known[i].name, score, reason})
		}
	}
	if s.Wish != nil && format.IsObject(s.Head) {
		out = append(out, LayoutMatch{format.Object, 20, "it is one object of rows"})
	}
	if kind, reason := format.DetectContainer(s.Head, s.extension()); kind != "" && !s.Folder {
		out = append(out, LayoutMatch{kind, 10, reason})
	}
	slices.SortStableFunc(out, func(a, b LayoutMatch) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

// readFileStart looks at a path. The head is read where the path leaves it open.
func readFileStart(file *format.File) (FileStart, error) {
	s := FileStart{Path: file.Path}
	if info, err := os.Stat(file.Path); err == nil && info.IsDir() {
		s.Folder = true
	}
	if s.Folder || isMME(s.Path) {
		return s, nil
	}
	var err error
	s.Head, err = file.ReadHead()
	return s, err
}
