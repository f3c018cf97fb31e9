package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"time"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/server/ssh"
	"concord/store"
)

// ServeOptions say whom to let in, and where.
type ServeOptions struct {
	Listen     string
	HostKey    string // "": the machine's own, made on first use
	Authorized string // a file of keys beside the people of the project; "": none
	Role       string // of those in it who have none in the project
	Sessions   int
	Idle       time.Duration
}

// Serve lets people in until the context ends.
func Serve(ctx context.Context, a *project.Project, st *store.Store, o ServeOptions) error {
	role, err := annotate.ParseRole(o.Role)
	if err != nil || role == annotate.RoleNone {
		return cli.Usage(fmt.Errorf("--role %s: it is annotator, curator, adjudicator or owner", o.Role))
	}
	if o.Authorized != "" {
		if _, _, err := authorizedKeys(o.Authorized); err != nil {
			return err
		}
		ListenerOf(a).guests = role
	}
	host, made, err := hostKey(o.HostKey)
	if err != nil {
		return err
	}
	idle := o.Idle
	if idle == 0 {
		idle = -1
	}
	known := &AuthorizedKeys{Store: st, Owner: a.WhoWorks(""), File: o.Authorized, Warn: func(line string) { a.Log.Warn("authorized keys", "line", line) }}
	ListenerOf(a).Known = known
	ListenerOf(a).warn = func(line string) { _, _ = fmt.Fprintf(a.Err, "concord: %s\n", cli.Visible(line)) }
	g, err := ssh.New(ssh.Config{
		HostKeys: []ssh.Signer{host}, Who: known.Who, Enter: ListenerOf(a).Receive, Sessions: o.Sessions, Idle: idle, Log: a.Log, Now: a.Now,
	})
	if err != nil {
		return err
	}
	ListenerOf(a).Keep(g)
	defer jobs.CollectSeldom()()
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	if err := printServing(a, ln.Addr(), host, made, known); err != nil {
		return errors.Join(err, ln.Close())
	}
	err = g.Serve(ctx, ln)
	if errors.Is(err, ssh.ErrClosed) || ctx.Err() != nil {
		err = nil
	}
	return err
}

// printServing says where people come in, and what there is to know.
func printServing(a *project.Project, at net.Addr, host ssh.Signer, made bool, r *AuthorizedKeys) error {
	n, problems, err := r.count()
	if err != nil {
		return err
	}
	if a.JSON {
		return a.WriteJSON(map[string]any{"listen": at.String(), "host_key": ssh.Fingerprint(host), "people": n})
	}
	_, port, _ := net.SplitHostPort(at.String())
	fresh := ""
	if made {
		fresh = ", made just now"
	}
	_, err = fmt.Fprintf(a.Out, "%s is served on %s\nhost key %s%s\n%s with access: ssh -p %s HOST\n",
		cli.Visible(filepath.Base(a.Path)), at, ssh.Fingerprint(host), fresh, cli.Counted(n, "person", "people"), port)
	for _, p := range problems {
		_, _ = fmt.Fprintf(a.Err, "concord: %s: %s\n", cli.Visible(r.File), cli.Visible(p))
	}
	if n == 0 {
		_, _ = fmt.Fprintln(a.Err, "concord: nobody has a key yet: concord people add NAME --key FILE, also while this runs")
	}
	return err
}

// hostKey is the key of this host.
func hostKey(path string) (ssh.Signer, bool, error) {
	if path == "" {
		dir, err := cli.StateFolder()
		if err != nil {
			return nil, false, err
		}
		path = filepath.Join(dir, "ssh_host_ed25519_key")
	}
	return ssh.HostKey(path)
}
