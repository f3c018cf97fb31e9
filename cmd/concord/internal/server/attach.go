package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/screen"
	"concord/cmd/concord/internal/server/ssh"
	"concord/store"
)

// OpenScreen shows the app on a project that is there: in this process, or, when
// another one holds the project, as a session of that one. prepare may refuse.
func OpenScreen(ctx context.Context, a *project.Project, o ScreenOptions, prepare func(st *store.Store) error) error {
	for {
		err := a.WriteExisting(ctx, func(st *store.Store) error {
			if prepare != nil {
				if err := prepare(st); err != nil {
					return err
				}
			}
			return ShowScreen(ctx, a, st, o)
		})
		if !errors.Is(err, store.ErrLocked) || a.Held != nil {
			return err
		}
		again, aerr := attachScreen(ctx, a, o)
		switch {
		case errors.Is(aerr, errNoHolder):
			return err
		case aerr != nil || !again:
			return aerr
		}
		if err := awaitEnd(ctx, a); err != nil {
			return err
		}
	}
}

// readyTime is how long the process that holds the project has to take a session.
const readyTime = 5 * time.Second

// errNoHolder says that nobody answers for the project.
var errNoHolder = errors.New("nobody answers")

// attachScreen is a session of the process that holds the project. again is true when
// that one ended while the session was on: the project can be opened here.
func attachScreen(ctx context.Context, a *project.Project, o ScreenOptions) (again bool, err error) {
	if !cli.IsTerminal(a.In) { // nothing of it is read: it may be the only copy
		return false, fmt.Errorf("%w; labels that come from a file or a pipe need the project for themselves, and none was read", a.ExplainLocked(store.ErrLocked))
	}
	conn, err := project.DialHolder(ctx, a.Path)
	if err != nil {
		return false, errNoHolder
	}
	defer func() { _ = conn.Close() }()
	start := o.Start
	what, err := json.Marshal(attach{
		As: annotate.Annotator(o.As), Tab: start.Tab, Queue: start.Queue, Pairs: start.Pairs, Dataset: start.Dataset,
	})
	if err != nil {
		return false, fmt.Errorf("ask for a session: %w", err)
	}
	line, err := json.Marshal(project.Request{Attach: what})
	if err != nil {
		return false, fmt.Errorf("ask for a session: %w", err)
	}
	if _, err := conn.Write(append(line, '\n')); err != nil {
		return false, fmt.Errorf("ask for a session: %w", err)
	}
	if err := conn.SetReadDeadline(time.Now().Add(readyTime)); err != nil {
		return false, fmt.Errorf("ask for a session: %w", err)
	}
	var ready [1]byte
	if _, err := io.ReadFull(conn, ready[:]); err != nil || ready[0] != project.FrameReady {
		return false, fmt.Errorf("the process that holds the project takes no session: %w", errNoHolder)
	}
	if err := conn.SetReadDeadline(time.Time{}); err != nil {
		return false, fmt.Errorf("ask for a session: %w", err)
	}
	environ := os.Environ()
	if screen.Accessible(a) {
		environ = append(environ, "ACCESSIBLE=1")
	}
	status, last, err := ssh.Attach(ctx, conn, os.Stdin, os.Stdout, environ)
	switch {
	case err != nil && ctx.Err() != nil:
		return false, cli.ErrInterrupted
	case errors.Is(err, ssh.ErrSilent):
		return false, fmt.Errorf("%w; what it called saved is saved", a.ExplainLocked(store.ErrLocked))
	case err != nil:
		return true, nil // it is gone: what was saved is there
	case last == closed:
		return true, nil
	case status != cli.ExitDone:
		return false, cli.StatusError{Code: status, Quiet: true}
	}
	if last != "" {
		_, _ = fmt.Fprintln(a.Err, "concord: "+last)
	}
	return false, nil
}

// awaitEnd waits until the process that held the project has let go of it.
func awaitEnd(ctx context.Context, a *project.Project) error {
	_, _ = fmt.Fprintln(a.Err, "concord: the process that held the project has ended; it is opened here")
	for range int(leaving / (100 * time.Millisecond)) {
		st, err := store.Open(a.Path, store.Options{ReadOnly: true, Now: a.Now, Logger: a.Log})
		if err == nil {
			return st.Close()
		}
		if !errors.Is(err, store.ErrLocked) {
			return err
		}
		select {
		case <-ctx.Done():
			return cli.ErrInterrupted
		case <-time.After(100 * time.Millisecond):
		}
	}
	return a.ExplainLocked(store.ErrLocked)
}
