package bound

import (
	"fmt"
	"io"
)

// Reader reads what is no longer than so many bytes. Unlike io.LimitReader it
// does not pass the rest off as the end: the byte too many is an [*Error].
func Reader(in io.Reader, what string, most int64) io.Reader {
	return &reader{in: in, what: what, most: most, left: most}
}

type reader struct {
	in         io.Reader
	what       string
	most, left int64
}

func (r *reader) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	if r.left < 0 {
		return 0, &Error{What: r.what, Most: r.most}
	}
	n, err := r.in.Read(b[:min(int64(len(b)), r.left+1)])
	if r.left -= int64(n); r.left < 0 {
		return n - 1, &Error{What: r.what, Most: r.most}
	}
	return n, err
}

// ReadAll reads the whole of what is no longer than so many bytes.
func ReadAll(in io.Reader, what string, most int64) ([]byte, error) {
	text, err := io.ReadAll(Reader(in, what, most))
	if err != nil {
		return nil, err
	}
	return text, nil
}

// ReadFile reads a regular file that is no longer than so many bytes.
func ReadFile(path string, most int64) (text []byte, err error) {
	f, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if text, err = ReadAll(f, "the file", most); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return text, nil
}
