package format

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"concord/eval/bound"
	"concord/eval/dataset/internal/fastio"
)

// openTextFolder opens the files of Texts: those of a folder within it.
func (f *File) openTextFolder() (open func(path string) (*os.File, error), done func() error, err error) {
	if !f.Folder {
		return bound.OpenFile, func() error { return nil }, nil
	}
	root, err := bound.OpenFolder(f.Path)
	if err != nil {
		return nil, nil, err
	}
	return root.Open, root.Close, nil
}

// readTexts reads the files of Texts one after the other, a row a line that is
// not empty.
func (f *File) readTexts(l Layout, yield func(Row, error) bool) (err error) {
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

// sumTextSizes adds up the sizes of the files of Texts.
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
