package team

import (
	"time"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/server"
	"concord/store"
)

// NewServeCmd makes the command serve.
func NewServeCmd(a *project.Project) *cobra.Command {
	var o server.ServeOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Let a team work on the project at once, through ssh",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error { return server.Serve(cmd.Context(), a, st, o) })
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&o.Listen, "listen", "127.0.0.1:2222", "the `address` to listen on; 0.0.0.0:2222 is reached from elsewhere")
	fs.StringVar(&o.HostKey, "host-key", "", "the `file` of the key by which people know this host again (default: one of this machine, made on first use)")
	fs.StringVar(&o.Authorized, "authorized-keys", "", "let in whose key stands in this `file` too; read anew whenever somebody comes")
	fs.StringVar(&o.Role, "role", annotate.RoleAnnotator.String(), "the `role` of those in it who have none in the project")
	fs.IntVar(&o.Sessions, "sessions", 64, "how many at once, at most")
	fs.DurationVar(&o.Idle, "idle", 30*time.Minute, "end a session in which nothing is typed for so long; 0: never")
	return cmd
}
