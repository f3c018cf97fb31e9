// Package workers wires eval/remote to commands: the flags by which a run is shared with
// other processes, the server that they join, and whom a worker asks. It decides nothing
// about a run.
package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval/remote"
)

// Flags say that workers share a run, as typed.
type Flags struct {
	Addr            string // "": there are none
	insecure, renew bool
	local           int
}

// FlagNames are the names of the flags.
var FlagNames = []string{"workers", "workers-insecure", "workers-new-token", "local"}

// AddFlags adds the flags to a command.
func (f *Flags) AddFlags(fs *pflag.FlagSet) {
	fs.StringVar(&f.Addr, "workers", "", "share the questions with workers that join at this `address` (concord worker), each with an endpoint of its own")
	fs.BoolVar(&f.insecure, "workers-insecure", false, "workers join without encryption and token: on a loopback address only")
	fs.BoolVar(&f.renew, "workers-new-token", false, "make a new join token: the old one lets nobody in any more")
	fs.IntVar(&f.local, "local", -1, "with --workers, how many questions this process asks concurrently itself, 0 for none (default: as --concurrency)")
}

// Check refuses what does not go together.
func (f *Flags) Check() (err error) {
	switch {
	case f.Addr == "" && (f.insecure || f.renew || f.local >= 0):
		err = errors.New("--workers-insecure, --workers-new-token and --local go with --workers ADDRESS")
	case f.local < -1:
		err = fmt.Errorf("--local %d: want 0 or more", f.local)
	case f.insecure && !remote.IsLoopback(f.Addr):
		err = fmt.Errorf("--workers %s: --workers-insecure is for a loopback address, as 127.0.0.1:4222: others are reached from elsewhere", f.Addr)
	default:
		return nil
	}
	return cli.NewUsageError(err)
}

// Open has workers join for the time of a run, where the flags ask for any, and says how.
// end ends that, with what became of the run.
func (f *Flags) Open(ctx context.Context, a *project.Project, c *config.Config, e *jobs.Effort) (end func(error), err error) {
	if f.Addr == "" {
		return func(error) {}, nil
	}
	folder, err := project.RuntimePath(a.Path, ".workers")
	if err == nil {
		err = errors.Join(os.RemoveAll(folder), os.Mkdir(folder, 0o700)) // of a process that was killed
	}
	if err != nil {
		return nil, fmt.Errorf("make folder of the workers' server: %w", err)
	}
	var id *remote.Identity
	if !f.insecure {
		if id, err = f.loadIdentity(a); err != nil {
			return nil, err
		}
	}
	s, err := remote.StartServer(f.Addr, folder, id, a.Now)
	if err != nil {
		return nil, err
	}
	nc, err := s.Connect()
	if err == nil {
		e.Workers, err = remote.NewHolder(ctx, nc, a.Now)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	if e.Local = f.local; f.local < 0 {
		e.Local = cmp.Or(e.Concurrency, c.Concurrency())
	}
	url := "nats://" + s.Addr().String()
	if id != nil {
		url = id.JoinURL(reachable(s.Addr()))
		_, _ = fmt.Fprintf(a.Err, "the join token expires %s; --workers-new-token revokes it\n", id.Until.Format(time.DateTime))
	}
	_, _ = fmt.Fprintf(a.Err, "workers join with: concord worker --join '%s'\n", url)
	return func(err error) {
		why := "the run is done"
		if err != nil {
			why = "the run has ended: " + err.Error()
		}
		e.Workers.Close(why, err == nil)
		nc.Close()
		s.Close()
		_ = os.RemoveAll(folder) // else the next run does
	}, nil
}

// loadIdentity reads what this user's servers of workers show, kept beside the key of
// concord serve.
func (f *Flags) loadIdentity(a *project.Project) (*remote.Identity, error) {
	dir, err := cli.StateFolder()
	if err != nil {
		return nil, err
	}
	return remote.LoadIdentity(filepath.Join(dir, "workers.json"), a.Now(), f.renew)
}

// reachable is an address as other machines may reach it: the machine's name stands for
// all its addresses.
func reachable(at net.Addr) string {
	host, port, _ := net.SplitHostPort(at.String())
	if name, err := os.Hostname(); err == nil && net.ParseIP(host).IsUnspecified() {
		host = name
	}
	return net.JoinHostPort(host, port)
}
