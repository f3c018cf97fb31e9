package profile

import (
	"slices"

	"concord/eval/dataset/format"
)

// layout is how one kind of file is told from others, and how its rows get the
// names of VLMEvalKit.
type layout struct {
	name      string // as --format takes it
	container string // one of format's
	// claim says how well a file fits, from 1 to 100, and why; 0: not at all.
	claim func(*Start) (score int, reason string)
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
var known = []layout{lmmsLayout(), mmeLayout(), inspectLayout(), shardsLayout()}

// layoutOf is the layout of a format: for a container the names of published
// benchmarks, which are near enough.
func layoutOf(name string) layout {
	if i := slices.IndexFunc(known, func(l layout) bool { return l.name == name }); i >= 0 {
		return known[i]
	}
	return layout{name: name, container: name, names: func(*Source) format.Layout {
		return format.Layout{Keys: keys, Column: kitColumn, Object: parsed(fromBench)}
	}}
}

// Shards is a folder of files that are read as one.
const Shards = "folder"

func shardsLayout() layout {
	return layout{
		name: Shards,
		claim: func(s *Start) (int, string) {
			if !s.Folder {
				return 0, ""
			}
			if files, _, err := format.ShardsOf(s.Path); err != nil || len(files) == 0 {
				return 0, ""
			}
			return 50, "it is a folder of files of one kind"
		},
		begin: func(s *Source) (err error) {
			s.File.Shards, s.File.Kind, err = format.ShardsOf(s.File.Path)
			return err
		},
		names: func(*Source) format.Layout {
			return format.Layout{Keys: keys, Column: kitColumn, Object: parsed(fromBench)}
		},
	}
}
