package project

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"concord/cmd/concord/internal/cli"
	"concord/store"
)

// One process holds the project's file. The others ask it:
//
//	asker --request (JSON line: args, files)--> holder
//	asker <--frames: out | err | exit--- holder
//
// The holder runs the same command on its open store, in short transactions.
// Reading commands are answered, and the few that write of changes; every other
// finds the store held.

// socketHolder serves a project's socket.
type socketHolder struct {
	ln   net.Listener
	path string
	wg   sync.WaitGroup
	stop context.CancelFunc
}

// HoldProject listens on the project's socket. Its result may be closed even when
// it is nil.
func HoldProject(ctx context.Context, a *Project, st *store.Store) (*socketHolder, error) {
	path, err := socketPath(a.Path)
	if err != nil {
		return nil, err
	}
	// The store's lock is ours, so a socket that is there is a dead one.
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("remove old socket: %w", err)
	}
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
	h := &socketHolder{ln: ln, path: path, stop: stop}
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
			if err := answerRequest(ctx, conn, in, st); err != nil {
				in.Log.Warn("answer another process", "err", err)
			}
		})
	}
}

// answerRequest runs one request. A connection that breaks ends the command.
func answerRequest(ctx context.Context, conn net.Conn, in *Project, st *store.Store) (err error) {
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
			Streams: cli.Streams{In: EOFReader{}, Out: fw.newStream(frameOut), Err: fw.newStream(frameErr)},
			Args:    req.Args, Now: time.Now, Log: in.Log,
		},
		Held: st, Sent: req.Files, asker: req.As, Folder: req.Folder,
		Guests: in.Guests, Tree: in.Tree, Listen: in.Listen,
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
		if err := in.Guests.NotifyChanged(); err != nil {
			in.Log.Warn("tell sessions of a change", "err", err)
		}
	}
	return nil
}
