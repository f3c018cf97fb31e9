package cli

import (
	"fmt"
	"io"
	"os"
)

// LongestSource bounds a file that is sent along, in bytes; a request has to
// hold all of them.
const LongestSource = 16 << 20

// Opener reads a file whole, or says that it is longer than so many bytes.
type Opener func(path string, longest int) ([]byte, error)

// ReadFile is the opener of files alone.
func ReadFile(path string, longest int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return ReadAll(f, path, longest)
}

// ReadAll reads what is no longer than so many bytes.
func ReadAll(r io.Reader, name string, longest int) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, int64(longest)+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", name, err)
	case len(text) > longest:
		return nil, fmt.Errorf("read %s: more than %d KiB", name, longest>>10)
	}
	return text, nil
}

// CheckReadable checks a file to import before a project is made for it.
func CheckReadable(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	return f.Close()
}
