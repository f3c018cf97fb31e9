package project

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"

	"concord/cmd/concord/internal/cli"
	"concord/store"
)

// askHolder has the process that holds the project run this command.
func (a *Project) askHolder(ctx context.Context) error {
	conn, err := DialHolder(ctx, a.Path)
	if err != nil {
		return a.ExplainLocked(store.ErrLocked)
	}
	defer func() { _ = conn.Close() }()
	folder, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find this folder: %w", err)
	}
	code, err := Attended(ctx, a.Path, conn, Request{Args: a.Args, Files: a.Sent, As: a.Actor(""), Folder: folder}, a.Out, a.Err)
	var silent silentError
	if errors.As(err, &silent) {
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
	id, err := projectID(project)
	if err != nil {
		return nil, err
	}
	err = errors.New("no folder for sockets")
	for _, dir := range runtimeFolders() {
		if err = ownFolder(dir); err != nil {
			continue // not there, or not ours to trust
		}
		var conn net.Conn
		if conn, err = (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "unix", filepath.Join(dir, id+".sock")); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// Ask sends a request and copies the reply until its exit status.
func Ask(conn net.Conn, req Request, out, errOut io.Writer) (code int, err error) {
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
