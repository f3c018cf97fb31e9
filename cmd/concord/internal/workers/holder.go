// Package workers wires eval/remote to commands: the flags by which a run is shared with other
// processes, the server that they join, and whom a worker asks. It decides nothing about a run.
package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/openai"
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
	fs.StringVar(&f.Addr, "workers", "", "share the questions with workers (concord worker), each with an endpoint of its own, that join at this `address`, or at the cluster of this URL; cluster: that of [workers]")
	fs.BoolVar(&f.insecure, "workers-insecure", false, "workers join without encryption and token: on a loopback address only")
	fs.BoolVar(&f.renew, "workers-new-token", false, "make a new join token: the old one lets nobody in any more, also where this user's other processes listen; workers that are in stay")
	fs.IntVar(&f.local, "local", -1, "with --workers, how many questions this process asks concurrently itself, 0 for none (default: as --concurrency)")
}

// Check refuses what does not go together.
func (f *Flags) Check() (err error) {
	switch {
	case f.Addr == "" && (f.insecure || f.renew || f.local >= 0):
		err = errors.New("--workers-insecure, --workers-new-token and --local go with --workers ADDRESS")
	case f.local < -1:
		err = fmt.Errorf("--local %d: want 0 or more", f.local)
	case f.isCluster() && (f.insecure || f.renew):
		err = fmt.Errorf("--workers %s: --workers-insecure and --workers-new-token go with an address at which this process listens, and a cluster lets in whom it knows", f.Addr)
	case f.insecure && !remote.IsLoopback(f.Addr):
		err = fmt.Errorf("--workers %s: --workers-insecure is for a loopback address, as 127.0.0.1:4222: others are reached from elsewhere", f.Addr)
	default:
		return nil
	}
	return cli.NewUsageError(err)
}

// configured is the word for the cluster of the configuration.
const configured = "cluster"

func (f *Flags) isCluster() bool { return f.Addr == configured || strings.Contains(f.Addr, "://") }

// joinServerOrCluster joins a server: what is configured of the cluster goes to that cluster alone.
func joinServerOrCluster(c *config.Config, url, name string, say func(string), refuse func(error)) (*remote.Conn, error) {
	cluster, err := config.FindTrustedCluster(c)
	switch {
	case url == configured && err != nil:
		return nil, err
	case url == configured || err == nil && url == cluster.URL:
		return remote.Join(cluster.URL, remote.Access{Creds: cluster.Creds, CA: cluster.CA}, name, say, refuse)
	}
	nc, err := remote.Join(url, remote.Access{}, name, say, refuse)
	return nc, eval.Either(err == nil, nil, cli.NewUsageError(err))
}

// Shared is where workers join: a server within this process, or a cluster.
type Shared struct {
	app    *project.Project
	nc     *remote.Conn
	local  int
	holder atomic.Pointer[remote.Holder] // the last one
	close  []func()
}

// OpenToWorkers has workers join, and says how. Close ends that.
func (f *Flags) OpenToWorkers(ctx context.Context, a *project.Project) (s *Shared, err error) {
	s = &Shared{app: a, local: f.local}
	ctx, refuse := context.WithCancelCause(ctx)
	defer refuse(nil)
	line := fmt.Sprintf("workers join with: concord worker --join %s\n", cli.QuoteForShell(f.Addr))
	if f.isCluster() {
		c, cerr := config.Load(a.ConfigPlaces())
		if cerr != nil {
			return nil, cerr
		}
		s.nc, err = joinServerOrCluster(c, f.Addr, "holder", s.printConnectionLine, refuse)
	} else {
		line, err = f.startWorkersServer(s)
	}
	if err == nil {
		s.close = append(s.close, s.nc.Close)
		err = remote.AwaitConnection(ctx, s.nc)
	}
	if err != nil {
		s.Close(err)
		return nil, err
	}
	_, _ = fmt.Fprint(a.Err, line)
	return s, nil
}

// HoldRun gives a run a holder, with as many calls of this process beside it as are wanted.
func (s *Shared) HoldRun(ctx context.Context, e *jobs.Effort, c *config.Config) (err error) {
	if e.Local = s.local; s.local < 0 {
		e.Local = cmp.Or(e.Concurrency, c.RunConcurrency())
	}
	host, _ := os.Hostname()
	at, _ := filepath.Abs(s.app.Path) // else it is told apart by less
	if e.Workers, err = remote.NewHolder(ctx, s.nc, host+":"+at, s.app.Now); err == nil {
		s.holder.Store(e.Workers)
	}
	return err
}

// HoldRunAndPrint is Hold where nobody else prints what the holder says.
func (s *Shared) HoldRunAndPrint(ctx context.Context, e *jobs.Effort, c *config.Config) error {
	err := s.HoldRun(ctx, e, c)
	if h := e.Workers; err == nil {
		go func() {
			for open := true; open; {
				select {
				case <-h.Closed():
					open = false
				case <-time.After(time.Second):
				}
				for _, line := range h.TakeLines() {
					s.printToErr(line)
				}
			}
			s.holder.CompareAndSwap(h, nil) // nobody prints its lines any more
		}()
	}
	return err
}

// Close ends what was shared, with what became of it.
func (s *Shared) Close(err error) {
	if h := s.holder.Load(); h != nil {
		h.Close(eval.Either(err == nil, "the run is done", "the run has ended: "+fmt.Sprint(err)), err == nil)
	}
	for _, end := range slices.Backward(s.close) {
		end()
	}
}

// printConnectionLine says a line of the connection: in the progress of the run once there is one.
func (s *Shared) printConnectionLine(line string) {
	if h := s.holder.Load(); h != nil {
		h.NoteLine(line)
	} else {
		s.printToErr(line)
	}
}

func (s *Shared) printToErr(line string) { _, _ = fmt.Fprintln(s.app.Err, cli.EscapeControls(line)) }

// startWorkersServer starts a server within this process.
func (f *Flags) startWorkersServer(s *Shared) (line string, err error) {
	a := s.app
	folder, err := project.HolderPath(a.Path, ".workers")
	if err == nil {
		err = errors.Join(os.RemoveAll(folder), os.Mkdir(folder, 0o700)) // of a process that was killed
	}
	if err != nil {
		return "", fmt.Errorf("make folder of the workers' server: %w", err)
	}
	s.close = append(s.close, func() { _ = os.RemoveAll(folder) }) // else the next run does
	var id *remote.Identity
	if !f.insecure {
		if id, err = f.loadServerIdentity(a); err != nil {
			return "", err
		}
	}
	server, err := remote.StartServer(f.Addr, folder, id, a.Now, s.printConnectionLine)
	if err != nil {
		return "", err
	}
	s.close = append(s.close, server.Close)
	url := "nats://" + server.Addr().String()
	if id != nil {
		url = id.WorkerURL(reachableAddress(server.Addr()))
		line = fmt.Sprintf("the join token expires %s; --workers-new-token revokes it\n", id.Until.Format(time.DateTime))
	}
	s.nc, err = server.ConnectInProcess()
	return fmt.Sprintf("%sworkers join with: concord worker --join '%s'\n", line, url), err
}

// loadServerIdentity reads what this user's servers of workers show, kept beside the key of concord serve.
func (f *Flags) loadServerIdentity(a *project.Project) (*remote.Identity, error) {
	dir, err := cli.StateFolder()
	if err != nil {
		return nil, err
	}
	return remote.LoadOrMakeIdentity(filepath.Join(dir, "workers.json"), a.Now(), f.renew)
}

// reachableAddress is an address as other machines may reach it: the machine's name stands for all its addresses.
func reachableAddress(at net.Addr) string {
	host, port, _ := net.SplitHostPort(at.String())
	if name, err := os.Hostname(); err == nil && net.ParseIP(host).IsUnspecified() {
		host = name
	}
	return net.JoinHostPort(host, port)
}

// patience is for how long a worker that leaves with its run waits for its holder.
const patience = 5 * time.Minute

// NewWorkerCmd makes the command worker.
func NewWorkerCmd(a *project.Project) *cobra.Command {
	var join, endpoint string
	o := remote.WorkerOptions{Patience: patience}
	cmd := project.NewCmd("worker --join URL", "Ask the questions of a run that is held elsewhere, by an endpoint of this machine", nil, func(cmd *cobra.Command, _ []string) error {
		if o.Capacity < 0 {
			return cli.NewUsageError(fmt.Errorf("--concurrency %d: want 0 or more", o.Capacity))
		}
		conf, err := config.Load(a.ConfigPlaces())
		if err == nil {
			err = setWorkerEndpoint(conf, endpoint, &o)
		}
		if err != nil {
			return err
		}
		host, _ := os.Hostname()
		o.Name = cmp.Or(o.Name, fmt.Sprintf("%s-%d", cmp.Or(host, "worker"), os.Getpid()))
		o.Say = func(s string) { _, _ = fmt.Fprintf(a.Err, "%s\n", cli.EscapeControls(s)) }
		ctx, refuse := context.WithCancelCause(cmd.Context())
		defer refuse(nil)
		nc, err := joinServerOrCluster(conf, join, o.Name, o.Say, refuse)
		if err != nil {
			return err
		}
		defer nc.Close()
		return remote.ServeCallsUntilEnd(ctx, nc, o)
	})
	fs := cmd.Flags()
	fs.StringVar(&join, "join", "", "the `URL` that the holder prints, or that of a cluster; cluster: that of [workers] (required)")
	fs.StringVar(&o.Name, "name", "", "how the holder and the facts call this worker (default: the machine's name and the number of the process)")
	fs.StringVar(&endpoint, "endpoint", "", "the `name` of the endpoint that is asked (default: that of the configuration, or of OPENAI_BASE_URL)")
	fs.IntVar(&o.Capacity, "concurrency", 0, "questions asked concurrently (default: as configured)")
	fs.BoolVar(&o.Once, "once", false, fmt.Sprintf("leave when the run is done; with status 1 when its holder stops before, or is away for %d minutes", patience/time.Minute))
	a.MarkRequiredFlags(cmd, "join")
	return cmd
}

// setWorkerEndpoint has a worker ask an endpoint of this machine's configuration; "" is the
// one that is asked where nothing else is said.
func setWorkerEndpoint(conf *config.Config, name string, o *remote.WorkerOptions) error {
	var of config.Endpoint
	if name == "" {
		var err error
		if of, err = conf.DefaultEndpoint(); err != nil {
			return err
		}
	}
	endpoint, err := jobs.NewEndpoints(conf).FindEndpoint(cmp.Or(name, of.Name))
	if err != nil {
		return err
	}
	of, _ = conf.Endpoint(cmp.Or(name, of.Name))
	o.Endpoint, o.Capacity = of.BaseURL, cmp.Or(o.Capacity, conf.RunConcurrency())
	o.Models = func(ctx context.Context) []string {
		names, _ := endpoint.ListModels(ctx) // one that lists none is asked all the same
		return names
	}
	o.Chatter = func(c *remote.Call) (eval.Chatter, error) {
		own, _ := eval.FirstWanted(conf.Models(), func(m config.Model) bool { return m.Endpoint.Name == of.Name && m.Wire == c.Model })
		return endpoint.NewModel(openai.ModelOptions{Name: c.Model, Params: []byte(c.Params), Edge: c.Edge, LogProbs: c.LogProbs, Stream: own.Stream})
	}
	return nil
}
