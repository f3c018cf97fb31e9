package project

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/bound"
	"concord/store"
)

// One process holds the project's file. The others ask it:
//
//	asker --request (JSON line: args, files)--> holder
//	asker <--frames: out | err | exit--- holder
//
// The holder runs the same command on its open store, in short transactions. Reading commands
// are answered, and the few that write of changes; every other finds the store held.

// socketHolder serves a project's socket.
type socketHolder struct {
	ln   net.Listener
	wg   sync.WaitGroup
	stop context.CancelFunc
}

// removeLeftSockets removes what killed holders of any project left in the folder of sockets: nobody
// answers there. One of the last minute may be about to.
func removeLeftSockets(ctx context.Context, dir string) {
	found, _ := os.ReadDir(dir) // else it stays
	for _, f := range found {
		id, end, _ := strings.Cut(f.Name(), ".")
		info, err := f.Info()
		if err != nil || time.Since(info.ModTime()) < time.Minute || end != "sock" && end != "workers" {
			continue
		}
		conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "unix", filepath.Join(dir, id+".sock"))
		switch {
		case err == nil:
			_ = conn.SetDeadline(time.Now().Add(time.Second))
			_, _ = SendRequest(conn, Request{}, io.Discard, io.Discard)
			_ = conn.Close()
		case errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, os.ErrNotExist):
			_ = os.RemoveAll(filepath.Join(dir, f.Name()))
		}
	}
}

// ListenAsHolder listens on the project's socket. Its result may be closed even when it is nil.
func ListenAsHolder(ctx context.Context, a *Project, st *store.Store) (*socketHolder, error) {
	path, err := HolderPath(a.Path, ".sock")
	if err != nil {
		return nil, err
	}
	// The store's lock is ours, so a socket that is there is a dead one.
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("remove old socket: %w", err)
	}
	removeLeftSockets(ctx, filepath.Dir(path))
	ctx, stop := context.WithCancel(ctx)
	ln, err := (&net.ListenConfig{}).Listen(ctx, "unix", path)
	if err != nil {
		stop()
		return nil, fmt.Errorf("listen on socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		stop()
		return nil, errors.Join(fmt.Errorf("protect socket: %w", err), ln.Close())
	}
	h := &socketHolder{ln: ln, stop: stop}
	h.wg.Go(func() { h.acceptLoop(ctx, a, st) })
	return h, nil
}

func (h *socketHolder) Close() {
	if h == nil {
		return
	}
	h.stop()
	_ = h.ln.Close() // also removes the socket
	h.wg.Wait()
}

func (h *socketHolder) acceptLoop(ctx context.Context, in *Project, st *store.Store) {
	for {
		conn, err := h.ln.Accept()
		if err != nil {
			return // closed
		}
		h.wg.Go(func() {
			defer func() { _ = conn.Close() }()
			defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
			if err := runRequestedCommand(ctx, conn, in, st); err != nil {
				in.Log.Warn("answer another process", "err", err)
			}
		})
	}
}

// runRequestedCommand runs one request. A connection that breaks ends the command.
func runRequestedCommand(ctx context.Context, conn net.Conn, in *Project, st *store.Store) (err error) {
	if err := conn.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return fmt.Errorf("set deadline: %w", err)
	}
	line, err := bufio.NewReader(io.LimitReader(conn, maxRequest)).ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("read request: %w", err)
	}
	var req Request
	if err := json.Unmarshal(line, &req); err != nil {
		return fmt.Errorf("read request: %w", err)
	}
	if req.Attach != nil && in.Guests != nil {
		return errors.Join(conn.SetReadDeadline(time.Time{}), in.Guests.Admit(conn, req.Attach))
	}
	fw := &frameWriter{w: conn}
	if len(req.Args) == 0 {
		return fw.writeExit(os.Getpid())
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	fw.fail = cancel
	a := &Project{
		Env: cli.Env{
			Streams: cli.Streams{In: strings.NewReader(""), Out: fw.newStream(frameOut), Err: fw.newStream(frameErr)},
			Args:    req.Args, Now: time.Now, Log: in.Log,
		},
		Held: st, Sent: req.Files, asker: req.As, Folder: req.Folder,
		Guests: in.Guests, Live: in.Live, Tree: in.Tree, Listen: in.Listen,
	}
	code := cli.ExitFailed
	defer func() {
		if p := recover(); p != nil {
			in.Log.Error("panic while answering", "args", req.Args, "panic", p)
		}
		err = errors.Join(err, fw.writeExit(code))
	}()
	code = a.Execute(ctx)
	if in.Guests != nil {
		if err := in.Guests.RefreshConnections(); err != nil {
			in.Log.Warn("tell sessions of a change", "err", err)
		}
	}
	return nil
}

// commandsDoneByHolder are the commands that write and are done all the same while another
// process holds the project: that one does them, as what its owner does while
// people work. Every other command that writes is refused then.
func commandsDoneByHolder() []string {
	return []string{
		"concord people add", "concord people role", "concord people key", "concord people remove",
		"concord queue create", "concord queue guideline", "concord queue review", "concord queue exclude", "concord queue include",
		"concord queue comment", "concord packet make", "concord packet merge", "concord packet recall", "concord report alignment", "concord report annotators",
		"concord report accuracy", "concord report compare", "concord report rubric", "concord report scores", "concord report votes",
	}
}

// ChangeStoreOrForward opens the project to change it, or has the process that holds it do the command. It is
// sent what source has read, and the files that are named here, where they are there.
func (a *Project) ChangeStoreOrForward(cmd *cobra.Command, files []string, do func(st *store.Store) error) error {
	if !slices.Contains(commandsDoneByHolder(), cmd.CommandPath()) {
		return fmt.Errorf("%s is none of the commands that are done for another process", cmd.CommandPath())
	}
	if a.Held != nil {
		return do(a.Held)
	}
	err := a.WriteExistingStore(cmd.Context(), do)
	if !errors.Is(err, store.ErrLocked) {
		return err
	}
	for _, f := range files {
		if _, err := a.ReadSourceOrSent(f, bound.Source); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return a.runInHolder(cmd.Context())
}

// ReadSourceOrSent reads what an argument names: a file or, as -, standard input. It is kept for the process that
// holds the project, which knows it by that name, and opens no file of its own for another process.
func (a *Project) ReadSourceOrSent(path string, longest int) ([]byte, error) {
	if text, ok := a.Sent[path]; ok {
		return text, nil
	}
	if a.Held != nil {
		return nil, fmt.Errorf("open %s: %w", path, os.ErrNotExist)
	}
	text, err := a.readFileOrStdin(path, longest)
	if err != nil {
		return nil, err
	}
	eval.EnsureMap(&a.Sent)[path] = text
	return text, nil
}

func (a *Project) readFileOrStdin(path string, longest int) ([]byte, error) {
	if path == "-" {
		return cli.ReadBounded(a.In, "standard input", longest)
	}
	return cli.ReadBoundedFile(path, longest)
}

// PathOfSource is a path where a source lies that is read as a file: its own, or,
// for another process, that of a copy, which done takes away.
func (a *Project) PathOfSource(path string) (at string, done func(), err error) {
	if a.Held == nil || path == "" {
		return path, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "concord-")
	if err != nil {
		return "", nil, fmt.Errorf("make a folder: %w", err)
	}
	done = func() { _ = os.RemoveAll(dir) }
	at = filepath.Join(dir, filepath.Base(path))
	text, ok := a.Sent[path]
	if !ok {
		return at, done, nil // as little there as where it was asked
	}
	if err := os.WriteFile(at, text, 0o600); err != nil {
		done()
		return "", nil, fmt.Errorf("write a copy: %w", err)
	}
	return at, done, nil
}

// ActorName is who does what a command does: whom it names, else the name that this
// machine remembers for the project, else the user's.
func (a *Project) ActorName(as string) string {
	switch {
	case as != "":
		return as
	case a.Held != nil:
		return a.asker
	}
	if who := a.GivenOrRememberedName(""); who != "" {
		return string(who)
	}
	return DefaultUserName()
}

// DefaultUserName is who works here unless told otherwise.
func DefaultUserName() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

// openOlderVersion opens a project of an earlier concord to read it: it is brought up to date first, or, where
// nothing can be written, a copy of it is. What it gives beside the store takes the copy away.
func (a *Project) openOlderVersion(o store.Options, old error) (*store.Store, func() error, error) {
	kept := func() error { return nil }
	err := a.bringUpToDate(a.Path, old)
	if err == nil {
		_, _ = fmt.Fprintf(a.Err, "concord: %s is of an earlier version and was brought up to date; the file as it was is kept beside it (%s.schema…)\n", a.Path, filepath.Base(a.Path))
		st, err := store.Open(a.Path, o)
		return st, kept, err
	}
	if !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) {
		return nil, kept, err
	}
	folder, err := os.MkdirTemp("", "concord")
	if err != nil {
		return nil, kept, err
	}
	gone := func() error { return os.RemoveAll(folder) }
	path := filepath.Join(folder, filepath.Base(a.Path))
	if err := copyFile(a.Path, path); err != nil {
		return nil, kept, errors.Join(err, gone())
	}
	if err := a.bringUpToDate(path, old); err != nil {
		return nil, kept, errors.Join(err, gone())
	}
	st, err := store.Open(path, o)
	if err != nil {
		return nil, kept, errors.Join(err, gone())
	}
	_, _ = fmt.Fprintf(a.Err, "concord: %s is of an earlier version and cannot be written: a copy of it was brought up to date and is read\n", a.Path)
	return st, gone, nil
}

// bringUpToDate opens a project of an earlier concord for writing, which
// migrates it and keeps the file as it was beside it.
func (a *Project) bringUpToDate(path string, old error) error {
	st, err := store.Open(path, store.Options{Now: a.Now, Logger: a.Log})
	if err != nil {
		return fmt.Errorf("%w: it could not be brought up to date: %w", old, err)
	}
	return st.Close()
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// describeDamage are what stands beside figures from which something damaged was left out.
func (a *Project) describeDamage() []string {
	if len(a.Damage) == 0 {
		return nil
	}
	const most = 3
	out := []string{fmt.Sprintf("DAMAGED: %s of the project could not be read and %s left out.",
		cli.FormatCountOf(len(a.Damage), "part", "parts"), map[bool]string{true: "is", false: "are"}[len(a.Damage) == 1])}
	for i, err := range a.Damage {
		if i == most {
			return append(out, fmt.Sprintf("DAMAGED: %d more; concord doctor names them all.", len(a.Damage)-most))
		}
		out = append(out, "DAMAGED: "+err.Error())
	}
	return out
}

// printDamage writes the marks to the error stream, whatever a command printed.
func (a *Project) printDamage() error {
	return eval.Each(a.describeDamage(), func(m string) error {
		_, err := fmt.Fprintln(a.Err, "concord: "+cli.EscapeControls(m))
		return err
	})
}

// Live is where this process's runs stand, for what other processes ask of it. Nil holds none.
type Live struct {
	mu   sync.Mutex
	runs map[eval.RunID]func() eval.Progress
}

// SetProgressSource has the progress of a run known from now on.
func (l *Live) SetProgressSource(id eval.RunID, progress func() eval.Progress) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	eval.EnsureMap(&l.runs)[id] = progress
}

// Progress is where a run stands; false where this process has not worked on it.
func (l *Live) Progress(id eval.RunID) (p eval.Progress, ok bool) {
	if l == nil {
		return p, false
	}
	l.mu.Lock()
	progress, ok := l.runs[id]
	l.mu.Unlock()
	if ok {
		p = progress()
	}
	return p, ok
}
