package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"runtime/debug"
	"time"

	"concord/annotate"
	"concord/cmd/concord/internal/server/ssh"
	"concord/store"
)

// serveOptions say whom to let in, and where.
type serveOptions struct {
	listen     string
	hostKey    string // "": the machine's own, made on first use
	authorized string // a file of keys beside the people of the project; "": none
	role       string // of those in it who have none in the project
	sessions   int
	idle       time.Duration
}

// serveProject lets people in until the context ends.
func serveProject(ctx context.Context, a *app, st *store.Store, o serveOptions) error {
	role, err := annotate.ParseRole(o.role)
	if err != nil || role == annotate.RoleNone {
		return asUsage(fmt.Errorf("--role %s: it is annotator, curator, adjudicator or owner", o.role))
	}
	if o.authorized != "" {
		if _, _, err := authorizedKeys(o.authorized); err != nil {
			return err
		}
		hostOf(a).guests = role
	}
	host, made, err := hostKey(a, o.hostKey)
	if err != nil {
		return err
	}
	idle := o.idle
	if idle == 0 {
		idle = -1
	}
	roll := &roll{st: st, file: o.authorized, warn: func(line string) { a.log.Warn("authorized keys", "line", line) }}
	g, err := ssh.New(ssh.Config{
		HostKeys: []ssh.Signer{host}, Who: roll.who, Enter: hostOf(a).receive, Sessions: o.sessions, Idle: idle, Log: a.log, Now: a.now,
	})
	if err != nil {
		return err
	}
	hostOf(a).keep(g)
	defer debug.SetGCPercent(debug.SetGCPercent(collectAt))
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	if err := printServing(a, ln.Addr(), host, made, roll); err != nil {
		return errors.Join(err, ln.Close())
	}
	err = g.Serve(ctx, ln)
	if errors.Is(err, ssh.ErrClosed) || ctx.Err() != nil {
		err = nil
	}
	return err
}

// printServing says where people come in, and what there is to know.
func printServing(a *app, at net.Addr, host ssh.Signer, made bool, r *roll) error {
	n, problems, err := r.count()
	if err != nil {
		return err
	}
	if a.json {
		return a.writeJSON(map[string]any{"listen": at.String(), "host_key": ssh.Fingerprint(host), "people": n})
	}
	_, port, _ := net.SplitHostPort(at.String())
	fresh := ""
	if made {
		fresh = ", made just now"
	}
	_, err = fmt.Fprintf(a.out, "%s is served on %s\nhost key %s%s\n%s may come in: ssh -p %s HOST\n",
		visible(filepath.Base(a.path)), at, ssh.Fingerprint(host), fresh, counted(n, "person", "people"), port)
	for _, p := range problems {
		_, _ = fmt.Fprintf(a.err, "concord: %s: %s\n", visible(r.file), visible(p))
	}
	if n == 0 {
		_, _ = fmt.Fprintln(a.err, "concord: nobody has a key yet: concord people add NAME --key FILE, also while this runs")
	}
	return err
}

// hostKey is the key of this host.
func hostKey(a *app, path string) (ssh.Signer, bool, error) {
	if path == "" {
		dir, err := stateFolder()
		if err != nil {
			return nil, false, err
		}
		path = filepath.Join(dir, "ssh_host_ed25519_key")
	}
	return ssh.HostKey(path)
}
