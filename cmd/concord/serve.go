package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/gate"
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

func newServeCmd(a *app) *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Let a team work on the project at once, through ssh",
		Long: `Serves the app over SSH: everybody whose key is known gets the screen of their
role, and nothing else; they need an ssh client and no more. People are added
with concord people add NAME --key FILE, also while it serves, or come from an
authorized_keys file, in which the comment behind a key is the name.

  concord people add ann --key ann.pub --role annotator
  concord serve --listen 0.0.0.0:2222
  ssh -p 2222 this-host                     (ann, on her machine)

On this machine concord opens the owner's screen beside it. Ctrl-C ends it: what
is saved is saved, and everybody finds their item again.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.writeExisting(cmd.Context(), func(st *store.Store) error { return serveProject(cmd.Context(), a, st, o) })
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&o.listen, "listen", "127.0.0.1:2222", "the `address` to listen on; 0.0.0.0:2222 is reached from elsewhere")
	fs.StringVar(&o.hostKey, "host-key", "", "the `file` of the key by which people know this host again (default: one of this machine, made on first use)")
	fs.StringVar(&o.authorized, "authorized-keys", "", "let in whose key stands in this `file` too; read anew whenever somebody comes")
	fs.StringVar(&o.role, "role", annotate.RoleAnnotator.String(), "the `role` of those in it who have none in the project")
	fs.IntVar(&o.sessions, "sessions", 64, "how many at once, at most")
	fs.DurationVar(&o.idle, "idle", 30*time.Minute, "end a session in which nothing is typed for so long; 0: never")
	return cmd
}

// serveProject lets people in until the context ends.
func serveProject(ctx context.Context, a *app, st *store.Store, o serveOptions) error {
	role, err := annotate.ParseRole(o.role)
	if err != nil || role == annotate.RoleNone {
		return usageError{fmt.Errorf("--role %s: it is annotator, curator, adjudicator or owner", o.role)}
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
	g, err := gate.New(gate.Config{
		HostKeys: []gate.Signer{host}, Who: roll.who, Enter: hostOf(a).receive, Sessions: o.sessions, Idle: idle, Log: a.log, Now: a.now,
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
	if errors.Is(err, gate.ErrClosed) || ctx.Err() != nil {
		err = nil
	}
	return err
}

// printServing says where people come in, and what there is to know.
func printServing(a *app, at net.Addr, host gate.Signer, made bool, r *roll) error {
	n, problems, err := r.count()
	if err != nil {
		return err
	}
	if a.json {
		return a.writeJSON(map[string]any{"listen": at.String(), "host_key": gate.Fingerprint(host), "people": n})
	}
	_, port, _ := net.SplitHostPort(at.String())
	fresh := ""
	if made {
		fresh = ", made just now"
	}
	_, err = fmt.Fprintf(a.out, "%s is served on %s\nhost key %s%s\n%s may come in: ssh -p %s HOST\n",
		visible(filepath.Base(a.path)), at, gate.Fingerprint(host), fresh, counted(n, "person", "people"), port)
	for _, p := range problems {
		_, _ = fmt.Fprintf(a.err, "concord: %s: %s\n", visible(r.file), visible(p))
	}
	if n == 0 {
		_, _ = fmt.Fprintln(a.err, "concord: nobody has a key yet: concord people add NAME --key FILE, also while this runs")
	}
	return err
}

// hostKey is the key of this host.
func hostKey(a *app, path string) (gate.Signer, bool, error) {
	if path == "" {
		dir, err := stateFolder()
		if err != nil {
			return nil, false, err
		}
		path = filepath.Join(dir, "ssh_host_ed25519_key")
	}
	return gate.HostKey(path)
}
