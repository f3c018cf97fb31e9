package format

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"concord/eval/dataset/internal/fastio"
)

// textLine is how many bytes a line of a text file may have.
const textLine = 1 << 20

// measure adds up the sizes of the files of Texts.
func (f *File) measure() {
	f.size = 0
	for _, path := range f.Texts {
		if info, err := os.Stat(path); err == nil {
			f.size += info.Size()
		}
	}
}

// texts reads the files of Texts one after the other, a row a line that is
// not empty.
func (f *File) texts(l Layout, yield func(Row, error) bool) error {
	f.measure()
	f.parts = f.parts[:0]
	line, read := 0, int64(0)
	for i, path := range f.Texts {
		name, err := filepath.Rel(filepath.Dir(f.Path), path)
		if err != nil {
			name = path
		}
		f.parts = append(f.parts, part{name, line})
		text, err := os.Open(path)
		if err != nil {
			return err
		}
		more := true
		n, err := textLines(text, func(own int, text []byte, err error) bool {
			read += int64(len(text)) + 1
			if err == nil && len(bytes.TrimSpace(text)) == 0 {
				return true
			}
			var r Row
			if err == nil {
				r, err = l.Line(i, text)
			}
			if r.Line = line + own; err != nil {
				err = f.Problem(r.Line, "%s", err)
			}
			more = yield(r, err)
			return more
		})
		if err = errors.Join(err, text.Close()); err != nil || !more {
			return err
		}
		line += n
		f.progress(min(read, f.size))
	}
	return nil
}

// textLines yields the lines of a text, from 1, and returns how many there are.
// A line that is too long is an error of its own.
func textLines(in io.Reader, yield func(line int, text []byte, err error) bool) (int, error) {
	b := bufio.NewReaderSize(in, fastio.Chunk)
	var buf []byte
	for n := 1; ; n++ {
		buf = buf[:0]
		size := 0
		for {
			piece, err := b.ReadSlice('\n')
			if size += len(piece); size <= textLine {
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
		if size > textLine {
			long = fmt.Errorf("the line is over the limit of %d MB", textLine>>20)
		}
		text := bytes.TrimRight(bytes.TrimPrefix(buf, []byte("\xef\xbb\xbf")), "\r\n")
		if !yield(n, text, long) {
			return n, nil
		}
	}
}
