package project

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"concord/cmd/concord/internal/cli"
	"concord/store"
)

// Request is what an asker sends. Without Args it only wants the PID.
type Request struct {
	Attach json.RawMessage   `json:"attach,omitempty"` // a session, and no command
	Args   []string          `json:"args"`
	Files  map[string][]byte `json:"files,omitempty"` // what the arguments name, by the names that they have there; -: standard input
	As     string            `json:"as,omitempty"`    // who asks, where no argument says it
	Folder string            `json:"folder,omitempty"`
}

// The streams of a reply, first byte of a frame; four bytes of length, or of the exit status, follow.
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

func (f *frameWriter) newStream(kind byte) io.Writer { return frameStream{f, kind} }

func (f *frameWriter) writeExit(code int) error { return f.writeFrame(frameExit, uint32(code), nil) }

func (f *frameWriter) writeFrame(kind byte, n uint32, p []byte) error {
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
		if err := s.fw.writeFrame(s.kind, uint32(len(part)), part); err != nil {
			return done, err
		}
		done += len(part)
	}
	return len(p), nil
}

// hashProjectPath tells one project of this machine from another: a hash of its path, however written.
func hashProjectPath(project string) (string, error) {
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

// socketFolders are where sockets may be, the preferred first: two shells of
// one user need not agree on the environment.
func socketFolders() []string {
	uid := strconv.Itoa(os.Getuid())
	var out []string
	for _, dir := range []string{os.Getenv("XDG_RUNTIME_DIR"), "/run/user/" + uid, os.TempDir()} {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			out = append(out, filepath.Join(dir, "concord-"+uid))
		}
	}
	return slices.Compact(out)
}

// HolderPath is a path of a project's holder while it holds it, in a folder that is its user's alone.
func HolderPath(project, end string) (string, error) {
	id, err := hashProjectPath(project)
	if err != nil {
		return "", err
	}
	err = errors.New("no folder for sockets")
	for _, dir := range socketFolders() {
		if err = os.MkdirAll(dir, 0o700); err != nil {
			continue
		}
		if err = checkOwnFolder(dir); err == nil {
			return filepath.Join(dir, id+end), nil
		}
	}
	return "", fmt.Errorf("make socket folder: %w", err)
}

// runInHolder has the process that holds the project run this command.
func (a *Project) runInHolder(ctx context.Context) error {
	conn, err := DialHolder(ctx, a.Path)
	if err != nil {
		return a.ExplainLocked(store.ErrLocked)
	}
	defer func() { _ = conn.Close() }()
	folder, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find this folder: %w", err)
	}
	code, err := SendRequestAttended(ctx, a.Path, conn, Request{Args: a.Args, Files: a.Sent, As: a.ActorName(""), Folder: folder}, a.Out, a.Err)
	if silent, ok := errors.AsType[silentError](err); ok {
		return silent
	}
	if err != nil {
		return fmt.Errorf("ask the process that holds the project: %w", err)
	}
	if code != cli.ExitDone {
		return cli.StatusError{Code: code, Quiet: true}
	}
	return nil
}

// DialHolder connects to the process that holds the project.
func DialHolder(ctx context.Context, project string) (net.Conn, error) {
	id, err := hashProjectPath(project)
	if err != nil {
		return nil, err
	}
	err = errors.New("no folder for sockets")
	for _, dir := range socketFolders() {
		if err = checkOwnFolder(dir); err != nil {
			continue // not there, or not ours to trust
		}
		var conn net.Conn
		if conn, err = (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "unix", filepath.Join(dir, id+".sock")); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// SendRequest sends a request and copies the reply until its exit status.
func SendRequest(conn net.Conn, req Request, out, errOut io.Writer) (code int, err error) {
	line, err := json.Marshal(req)
	if err != nil {
		return 0, fmt.Errorf("write request: %w", err)
	}
	if len(line) >= maxRequest {
		return 0, fmt.Errorf("write request: the files are more than %d MiB together", maxRequest>>20)
	}
	if _, err := conn.Write(append(line, '\n')); err != nil {
		return 0, fmt.Errorf("write request: %w", err)
	}
	r := bufio.NewReader(conn)
	for {
		var head [5]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return 0, fmt.Errorf("read reply: %w", err)
		}
		n := binary.BigEndian.Uint32(head[1:])
		var to io.Writer
		switch head[0] {
		case frameExit:
			return int(n), nil
		case frameOut:
			to = out
		case frameErr:
			to = errOut
		default:
			return 0, fmt.Errorf("read reply: unknown frame %q", head[0])
		}
		if _, err := io.CopyN(to, r, int64(n)); err != nil {
			return 0, fmt.Errorf("copy reply: %w", err)
		}
	}
}

// A process that holds a project may be stopped (Ctrl-Z, SIGSTOP) or stuck: the system takes
// connections in its name all the same, and nobody answers. It answers who it is at once, whatever else
// it does; so whoever waits for it asks that, and says after answerLimit that nothing came.

// answerLimit is how long the holder has to say who it is.
const answerLimit = 5 * time.Second

// silentError says that the process that holds the project does not answer.
type silentError struct {
	path  string
	pid   int  // 0: not known
	asked bool // for a command, of which nobody knows whether it is still done
}

func (e silentError) Error() string {
	who, how := "the process that holds it", "continue it (fg, kill -CONT) or end it"
	if e.pid != 0 {
		who, how = fmt.Sprintf("%s (pid %d)", who, e.pid), fmt.Sprintf("continue it (fg, kill -CONT %d) or end it", e.pid)
	}
	said := fmt.Sprintf("project %s: %s has not answered for %v, since it is stopped or stuck: %s", e.path, who, answerLimit, how)
	if e.asked {
		said += "; it had taken this command, and may still do it then"
	}
	return said
}

func (e silentError) Unwrap() error { return store.ErrLocked }

// AskHolderPID asks the process that holds the project for its number. The error is os.ErrDeadlineExceeded
// when it takes connections and answers none; the number, where the system tells it, comes along then.
func AskHolderPID(project string) (pid int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), answerLimit)
	defer cancel()
	conn, err := DialHolder(ctx, project)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(answerLimit)); err != nil {
		return 0, fmt.Errorf("set deadline: %w", err)
	}
	if pid, err = SendRequest(conn, Request{}, io.Discard, io.Discard); err != nil {
		pid = peerPID(conn)
	}
	return pid, err
}

// explainSilentHolder says that the holder answers nobody; nil when it does, or is gone.
func explainSilentHolder(path string, asked bool) error {
	pid, err := AskHolderPID(path)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return silentError{path, pid, asked}
	}
	return nil
}

// SendRequestAttended asks the holder as Ask does, and gives up when it answers nobody any
// more, before or meanwhile. path is the project's.
func SendRequestAttended(ctx context.Context, path string, conn net.Conn, req Request, out, errOut io.Writer) (int, error) {
	if err := explainSilentHolder(path, false); err != nil {
		return 0, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	var silent atomic.Pointer[error]
	go func() {
		tick := time.NewTicker(answerLimit)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if err := explainSilentHolder(path, true); err != nil {
				silent.Store(&err)
				_ = conn.Close()
				return
			}
		}
	}()
	code, err := SendRequest(conn, req, out, errOut)
	if why := silent.Load(); why != nil && err != nil {
		return 0, *why
	}
	return code, err
}
