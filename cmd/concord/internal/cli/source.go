package cli

import (
	"fmt"
	"io"
	"os"

	"concord/eval/bound"
)

// Opener reads a file whole, or says that it is longer than so many bytes.
type Opener func(path string, longest int) ([]byte, error)

// ReadFile reads the opener of regular files alone.
func ReadFile(path string, longest int) ([]byte, error) {
	f, err := bound.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return ReadAll(f, path, longest)
}

// ReadAll reads what is no longer than so many bytes.
func ReadAll(r io.Reader, name string, longest int) ([]byte, error) {
	text, err := bound.ReadAll(r, "it", int64(longest))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return text, nil
}

// CheckReadable checks a file or a folder to import before a project is made
// for it. Nothing that one would have to wait for is opened.
func CheckReadable(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	f, err := bound.OpenFile(path)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	return f.Close()
}
