package format

import (
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"concord/eval/bound"
)

// Columns that rows of several files get beside their own.
const (
	ColumnFile   = "(file)"   // its name without what numbers it: validation-00000-of-00001.parquet is validation
	ColumnFolder = "(folder)" // that it is in
)

// shardKinds are the extensions of files that are read as one, what holds most
// first.
var shardKinds = []string{".parquet", ".jsonl", ".json", ".tsv", ".csv"}

const shardDepth = 4 // folders within each other

var shardNumber = regexp.MustCompile(`-\d+-of-\d+$`)

// ListShards lists the files of one kind in a folder, by name: those of the first
// kind that is there. It tells the container of the first one.
func ListShards(folder string) (shards []string, kind string, err error) {
	root, err := bound.OpenFolder(folder)
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	byKind := make(map[string][]string)
	if err := listShards(root, ".", 0, byKind); err != nil {
		return nil, "", err
	}
	for _, ext := range shardKinds {
		if shards = byKind[ext]; len(shards) == 0 {
			continue
		}
		slices.Sort(shards)
		first := newFileWithin(root, shards[0])
		head, err := first.ReadHead()
		if err != nil {
			return nil, "", err
		}
		if kind, _ = DetectContainer(head, ext); kind != Parquet && IsObject(head) {
			kind = Object
		}
		return shards, kind, nil
	}
	return nil, "", nil
}

func listShards(root *bound.Directory, at string, depth int, out map[string][]string) error {
	entries, err := root.ReadDir(at)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(at, e.Name())
		switch ext := strings.ToLower(path.Ext(name)); {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir() && depth < shardDepth:
			if err := listShards(root, name, depth+1, out); err != nil {
				return err
			}
		case slices.Contains(shardKinds, ext) && !e.IsDir():
			out[ext] = append(out[ext], name)
		}
	}
	return nil
}

// newFileWithin gives a file of a folder.
func newFileWithin(root *bound.Directory, name string) *File {
	return New(name, "", openWithSize(func() (*os.File, error) { return root.Open(name) }), nil)
}

// readShards reads files one after the other, each row with where it stands.
func (f *File) readShards(l Layout, yield func(Row, error) bool) (err error) {
	root, err := bound.OpenFolder(f.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	f.parts = f.parts[:0]
	lines, more := 0, true
	for i, name := range f.Shards {
		f.parts = append(f.parts, filePart{name, lines})
		one := newFileWithin(root, name)
		one.Kind = f.Kind
		stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
		stands := [][]byte{[]byte(shardNumber.ReplaceAllString(stem, "")), []byte(path.Base(path.Dir(name)))}
		if string(stands[1]) == "." {
			stands[1] = nil
		}
		last := 0
		var raw, names []string
		err := one.readRows(l, func(r Row, err error) bool {
			last = max(last, r.Line)
			if r.Line += lines; err == nil {
				if !slices.Equal(raw, r.Names) {
					raw, names = r.Names, slices.Concat(r.Names, []string{ColumnFile, ColumnFolder})
				}
				r.Names, r.Cells = names, slices.Concat(r.Cells, stands)
			}
			more = yield(r, err)
			return more
		})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if !more {
			return nil
		}
		lines += last
		f.size = int64(len(f.Shards))
		f.reportProgress(int64(i + 1))
	}
	return nil
}
