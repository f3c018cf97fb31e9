package project

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync/atomic"
	"time"

	"concord/store"
)

// A process that holds a project may be stopped (Ctrl-Z, SIGSTOP) or stuck: the
// system takes connections in its name all the same, and nobody answers. It
// answers who it is at once, whatever else it does; so whoever waits for it asks
// that, and says after answerLimit that nothing came.

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

// HolderPID asks the process that holds the project for its number. The error is
// os.ErrDeadlineExceeded when it takes connections and answers none; the number,
// where the system tells it, comes along then.
func HolderPID(project string) (int, error) {
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
	pid, err := Ask(conn, Request{}, io.Discard, io.Discard)
	if err != nil {
		return peerPID(conn), err
	}
	return pid, nil
}

// silence says that the holder answers nobody; nil when it does, or is gone.
func silence(path string, asked bool) error {
	pid, err := HolderPID(path)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return silentError{path, pid, asked}
	}
	return nil
}

// Attended asks the holder as Ask does, and gives up when it answers nobody any
// more, before or meanwhile. path is the project's.
func Attended(ctx context.Context, path string, conn net.Conn, req Request, out, errOut io.Writer) (int, error) {
	if err := silence(path, false); err != nil {
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
			if err := silence(path, true); err != nil {
				silent.Store(&err)
				_ = conn.Close()
				return
			}
		}
	}()
	code, err := Ask(conn, req, out, errOut)
	if why := silent.Load(); why != nil && err != nil {
		return 0, *why
	}
	return code, err
}
