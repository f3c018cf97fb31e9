package format

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"concord/eval/bound"
	"concord/eval/dataset/internal/fastio"
)

// Columns that rows of several files get beside their own.
const (
	ColumnFile   = "(file)"   // its name without what numbers it: validation-00000-of-00001.parquet is validation
	ColumnFolder = "(folder)" // that it is in
)

// shardKinds are the extensions of files that are read as one, what holds most first.
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
		if kind, _ = DetectContainer(head, ext); kind != Parquet && IsObjectTable(head) {
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

func newFileWithin(root *bound.Directory, name string) *File {
	return NewFromOpener(name, "", openWithSize(func() (*os.File, error) { return root.Open(name) }), nil)
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

func (f *File) openTextFolder() (open func(path string) (*os.File, error), done func() error, err error) {
	if !f.Folder {
		return bound.OpenRegular, func() error { return nil }, nil
	}
	root, err := bound.OpenFolder(f.Path)
	if err != nil {
		return nil, nil, err
	}
	return root.Open, root.Close, nil
}

// readTextFolder reads the files of Texts one after the other, a row a line that is not empty.
func (f *File) readTextFolder(l Layout, yield func(Row, error) bool) (err error) {
	open, done, err := f.openTextFolder()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	if err := f.sumTextSizes(open); err != nil {
		return err
	}
	f.parts = f.parts[:0]
	line, read := 0, int64(0)
	for i, path := range f.Texts {
		f.parts = append(f.parts, filePart{f.displayName(path), line})
		text, err := open(path)
		if err != nil {
			return err
		}
		more := true
		n, err := eachTextLine(text, func(own int, text []byte, err error) bool {
			read += int64(len(text)) + 1
			if err == nil && len(bytes.TrimSpace(text)) == 0 {
				return true
			}
			var r Row
			if err == nil {
				r, err = l.Line(i, text)
			}
			if r.Line = line + own; err != nil {
				err = f.NewProblem(r.Line, "%s", err)
			}
			more = yield(r, err)
			return more
		})
		if err = errors.Join(err, text.Close()); err != nil || !more {
			return err
		}
		line += n
		f.reportProgress(min(read, f.size))
	}
	return nil
}

// displayName is a file of Texts as problems call it.
func (f *File) displayName(path string) string {
	if f.Folder {
		return filepath.Join(filepath.Base(f.Path), path)
	}
	return filepath.Base(path)
}

func (f *File) sumTextSizes(open func(string) (*os.File, error)) error {
	f.size = 0
	for _, path := range f.Texts {
		text, err := open(path)
		if err != nil {
			return err
		}
		info, err := text.Stat()
		if err = errors.Join(err, text.Close()); err != nil {
			return err
		}
		f.size += info.Size()
	}
	return nil
}

// eachTextLine yields the lines of a text, from 1, and returns how many there are.
// A line that is too long is an error of its own.
func eachTextLine(in io.Reader, yield func(line int, text []byte, err error) bool) (int, error) {
	b := bufio.NewReaderSize(in, fastio.Chunk)
	var buf []byte
	for n := 1; ; n++ {
		buf = buf[:0]
		size := 0
		for {
			piece, err := b.ReadSlice('\n')
			if size += len(piece); size <= bound.Line {
				buf = append(buf, piece...)
			}
			if err == nil || errors.Is(err, io.EOF) && size > 0 {
				break
			}
			if errors.Is(err, io.EOF) {
				return n - 1, nil
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				return n - 1, err
			}
		}
		var long error
		if size > bound.Line {
			long = fmt.Errorf("the line is over the limit of %d MB", bound.Line>>20)
		}
		text := bytes.TrimRight(bytes.TrimPrefix(buf, []byte("\xef\xbb\xbf")), "\r\n")
		if !yield(n, text, long) {
			return n, nil
		}
	}
}
