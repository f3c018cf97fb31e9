package project

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
)

// Request is what an asker sends. Without Args it only wants the PID.
type Request struct {
	Attach json.RawMessage   `json:"attach,omitempty"` // a session, and no command
	Args   []string          `json:"args"`
	Files  map[string][]byte `json:"files,omitempty"` // what the arguments name, by the names that they have there; -: standard input
	As     string            `json:"as,omitempty"`    // who asks, where no argument says it
	Folder string            `json:"folder,omitempty"`
}

// The streams of a reply, first byte of a frame; four bytes of length, or of
// the exit status, follow.
const (
	frameOut  byte = 'o'
	frameErr  byte = 'e'
	frameExit byte = 'x'

	// FrameReady, alone, says that a session may begin on the connection.
	FrameReady byte = 's'
)

const maxFrame = 1 << 20

// maxRequest bounds a request, with the files in it, in bytes.
const maxRequest = 64 << 20

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

// EOFReader is an input that has ended.
type EOFReader struct{}

// Read ends at once.
func (EOFReader) Read([]byte) (int, error) { return 0, io.EOF }

// projectID tells one project of this machine from another: a hash of its
// path, whichever way it was written.
func projectID(project string) (string, error) {
	abs, err := filepath.Abs(project)
	if err != nil {
		return "", fmt.Errorf("find project: %w", err)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	sum := sha256.Sum256([]byte(abs))
	return hex.EncodeToString(sum[:8]), nil
}

// runtimeFolders are where sockets may be, the preferred first: two shells of
// one user need not agree on the environment.
func runtimeFolders() []string {
	uid := strconv.Itoa(os.Getuid())
	var out []string
	for _, dir := range []string{os.Getenv("XDG_RUNTIME_DIR"), "/run/user/" + uid, os.TempDir()} {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			out = append(out, filepath.Join(dir, "concord-"+uid))
		}
	}
	return slices.Compact(out)
}

// socketToHold is the path that a holder listens on, in a folder that only
// its user can enter.
func socketToHold(project string) (string, error) {
	id, err := projectID(project)
	if err != nil {
		return "", err
	}
	err = errors.New("no folder for sockets")
	for _, dir := range runtimeFolders() {
		if err = os.MkdirAll(dir, 0o700); err != nil {
			continue
		}
		if err = ownFolder(dir); err == nil {
			return filepath.Join(dir, id+".sock"), nil
		}
	}
	return "", fmt.Errorf("make socket folder: %w", err)
}
