package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// request is what an asker sends. Without Args it only wants the PID.
type request struct {
	Args []string `json:"args"`
}

// The streams of a reply, first byte of a frame; four bytes of length, or of
// the exit status, follow.
const (
	frameOut  byte = 'o'
	frameErr  byte = 'e'
	frameExit byte = 'x'
)

const maxFrame = 1 << 20

// frameWriter puts two streams on one connection.
type frameWriter struct {
	mu   sync.Mutex
	w    io.Writer
	fail context.CancelFunc
}

type frameStream struct {
	fw   *frameWriter
	kind byte
}

func (f *frameWriter) stream(kind byte) io.Writer { return frameStream{f, kind} }

func (f *frameWriter) exit(code int) error { return f.frame(frameExit, uint32(code), nil) }

func (f *frameWriter) frame(kind byte, n uint32, p []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	buf := append(binary.BigEndian.AppendUint32([]byte{kind}, n), p...)
	if _, err := f.w.Write(buf); err != nil {
		if f.fail != nil {
			f.fail()
		}
		return fmt.Errorf("write frame: %w", err)
	}
	return nil
}

func (s frameStream) Write(p []byte) (int, error) {
	for done := 0; done < len(p); {
		part := p[done:min(len(p), done+maxFrame)]
		if err := s.fw.frame(s.kind, uint32(len(part)), part); err != nil {
			return done, err
		}
		done += len(part)
	}
	return len(p), nil
}

type eofReader struct{}

func (eofReader) Read([]byte) (int, error) { return 0, io.EOF }

// socketPath is where a project's holder listens: a name made of the
// project's path in a folder that only its user can enter.
func socketPath(project string) (string, error) {
	abs, err := filepath.Abs(project)
	if err != nil {
		return "", fmt.Errorf("find socket: %w", err)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		dir = os.TempDir()
	}
	dir = filepath.Join(dir, fmt.Sprintf("concord-%d", os.Getuid()))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make socket folder: %w", err)
	}
	if err := ownFolder(dir); err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(abs))
	return filepath.Join(dir, hex.EncodeToString(sum[:8])+".sock"), nil
}
