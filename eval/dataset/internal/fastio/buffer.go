package fastio

import (
	"bytes"
	"errors"
	"io"
	"runtime"

	"concord/eval/dataset/problem"
)

var errTooLong = errors.New("a line over the limit")

// endOfLine returns where the physical line that holds offset at of the
// current row ends, newline included, relative to the row's start.
func (s *Splitter) endOfLine(at int) (int, error) {
	for searched := at; ; {
		if j := bytes.IndexByte(s.Buffer[s.from+searched:s.end], '\n'); j >= 0 {
			return searched + j + 1, nil
		}
		searched = s.end - s.from
		if searched > s.rowLimit() {
			return 0, errTooLong
		}
		err := s.fillBuffer(searched + 1)
		switch {
		case errors.Is(err, io.EOF) && searched > at:
			return searched, nil // the last line has no newline
		case err != nil:
			return 0, err
		}
	}
}

// collectOver is the size from which an outgrown buffer is collected at once.
const collectOver = 16 << 20

// rowLimit is how many bytes a row may have in all.
func (s *Splitter) rowLimit() int { return s.limit + s.limit/2 }

// fillBuffer reads until the buffer holds n bytes of the current row.
func (s *Splitter) fillBuffer(n int) error {
	for s.end-s.from < n {
		if s.eof {
			return io.EOF
		}
		s.growBuffer()
		got, err := s.in.Read(s.Buffer[s.end:])
		s.end += got
		switch {
		case errors.Is(err, io.EOF):
			s.eof = true
		case err != nil:
			return err
		}
	}
	return nil
}

// growBuffer makes space at the end of the buffer: by moving the current row to
// the front, or by growing.
func (s *Splitter) growBuffer() {
	if len(s.Buffer)-s.end >= Chunk {
		return
	}
	held := s.end - s.from
	to := s.Buffer
	if held > len(s.Buffer)/2 || len(s.Buffer) < 2*Chunk {
		to = make([]byte, max(4*Chunk, len(s.Buffer)+len(s.Buffer)/2))
	}
	copy(to, s.Buffer[s.from:s.end])
	s.Buffer, s.from, s.end = to, 0, held
	if held > collectOver {
		runtime.GC() // the buffer before this one must not wait for the heap to double
	}
}

// skipLine drops a line that is over the limit, without holding it.
func (s *Splitter) skipLine() error {
	at := s.line
	for {
		if j := bytes.IndexByte(s.Buffer[s.from:s.end], '\n'); j >= 0 {
			s.from += j + 1
			break
		}
		s.from, s.end = 0, 0
		err := s.fillBuffer(1)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	s.line++
	return problem.NewAt(s.file, at, "the row is over the limit of %d MB", s.rowLimit()>>20)
}
