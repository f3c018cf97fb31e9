package main

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

// holder serves a project's socket.
type holder struct {
	ln   net.Listener
	path string
	wg   sync.WaitGroup
	stop context.CancelFunc
}

// hold listens on the project's socket. Its result may be closed even when
// it is nil.
func hold(ctx context.Context, a *app, st *store.Store) (*holder, error) {
	path, err := socketToHold(a.path)
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
	h := &holder{ln: ln, path: path, stop: stop}
	h.wg.Go(func() { h.accept(ctx, a, st) })
	return h, nil
}

func (h *holder) close() {
	if h == nil {
		return
	}
	h.stop()
	_ = h.ln.Close() // also removes the socket
	h.wg.Wait()
}

func (h *holder) accept(ctx context.Context, in *app, st *store.Store) {
	for {
		conn, err := h.ln.Accept()
		if err != nil {
			return // closed
		}
		h.wg.Go(func() {
			defer func() { _ = conn.Close() }()
			defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
			if err := answer(ctx, conn, in, st); err != nil {
				in.log.Warn("answer another process", "err", err)
			}
		})
	}
}

// answer runs one request. A connection that breaks ends the command.
func answer(ctx context.Context, conn net.Conn, in *app, st *store.Store) (err error) {
	if err := conn.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return fmt.Errorf("set deadline: %w", err)
	}
	line, err := bufio.NewReader(io.LimitReader(conn, maxRequest)).ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("read request: %w", err)
	}
	var req request
	if err := json.Unmarshal(line, &req); err != nil {
		return fmt.Errorf("read request: %w", err)
	}
	if req.Attach != nil && in.guests != nil {
		return errors.Join(conn.SetReadDeadline(time.Time{}), in.guests.Admit(conn, req.Attach))
	}
	fw := &frameWriter{w: conn}
	if len(req.Args) == 0 {
		return fw.exit(os.Getpid())
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	fw.fail = cancel
	a := &app{
		env: env{
			streams: streams{in: eofReader{}, out: fw.stream(frameOut), err: fw.stream(frameErr)},
			args:    req.Args, now: time.Now, log: in.log,
		},
		held: st, sent: req.Files, asker: req.As, folder: req.Folder,
		guests: in.guests, tree: in.tree, listen: in.listen,
	}
	code := exitFailed
	defer func() {
		if p := recover(); p != nil {
			in.log.Error("panic while answering", "args", req.Args, "panic", p)
		}
		err = errors.Join(err, fw.exit(code))
	}()
	code = a.execute(ctx)
	if in.guests != nil {
		if err := in.guests.Changed(); err != nil {
			in.log.Warn("tell sessions of a change", "err", err)
		}
	}
	return nil
}
