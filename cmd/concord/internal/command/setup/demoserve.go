package setup

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"time"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval/demo"
	"concord/eval/openai/chatserver"

	"github.com/spf13/cobra"
)

func newDemoServeCmd(a *project.Project) *cobra.Command {
	var listen, key string
	var latency time.Duration
	var faults float64
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the demo's models at an address, to try endpoints by hand",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if latency < 0 {
				return cli.NewUsageError(fmt.Errorf("--latency %v: want 0 or more", latency))
			}
			if faults < 0 || faults > 1 {
				return cli.NewUsageError(fmt.Errorf("--faults %v: want a share from 0 to 1", faults))
			}
			p, err := demo.New()
			if err != nil {
				return err
			}
			o := chatserver.Options{Key: key, Wait: func(*chatserver.Request) time.Duration { return latency }}
			if faults > 0 {
				o.Serve = func(c *chatserver.Call) bool { return failSome(c, faults) }
			}
			return serveDemo(cmd.Context(), a, newDemoEndpoint(p, o), listen)
		},
	}
	f := cmd.Flags()
	f.StringVar(&listen, "listen", "127.0.0.1:8809", "`address` to listen on")
	f.StringVar(&key, "key", "", "the key that calls must carry (default: none)")
	f.DurationVar(&latency, "latency", 0, "how long every answer takes")
	f.Float64Var(&faults, "faults", 0, "share of the calls that fail in some way")
	return cmd
}

// failSome has a share of the calls fail, in a way that a run gets over: calls are refused
// for a while, an answer breaks off in the middle, or it is no JSON.
func failSome(c *chatserver.Call, share float64) bool {
	draw := rand.New(rand.NewPCG(1, uint64(c.Request.Number))) //nolint:gosec // from 1
	if draw.Float64() >= share {
		return false
	}
	switch draw.IntN(5) {
	case 0:
		chatserver.WriteError(c.W, http.StatusTooManyRequests, "too many requests", "rate_limit_exceeded")
	case 1:
		chatserver.WriteError(c.W, http.StatusInternalServerError, "the server had an error", "server_error")
	case 2:
		chatserver.WriteError(c.W, http.StatusServiceUnavailable, "overloaded", "overloaded")
	case 3:
		whole := c.Whole(true)
		c.W.Header().Set("Content-Length", strconv.Itoa(len(whole)))
		_, _ = c.W.Write(whole[:len(whole)/2])
		panic(http.ErrAbortHandler) // how net/http breaks a connection
	default:
		chatserver.WriteResponse(c.W, http.StatusOK, []byte("<!DOCTYPE html><title>Sign in</title>"))
	}
	return true
}

// serveDemo serves until it is interrupted.
func serveDemo(ctx context.Context, a *project.Project, e *demoEndpoint, listen string) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", listen)
	if err != nil {
		return fmt.Errorf("serve demo: %w (--listen names another address)", err)
	}
	e.server.Start(l)
	if _, err := fmt.Fprintf(a.Out, "serving at %s until Ctrl-C; the models:\n", e.server.URL()); err != nil {
		return err
	}
	for _, name := range e.modelNames() {
		_, _ = fmt.Fprintf(a.Out, "  %s\n", name)
	}
	<-ctx.Done()
	total := e.server.Calls()
	_, _ = fmt.Fprintf(a.Out, "%s answered\n", cli.FormatCount(total, "call"))
	if err := e.close(); err != nil {
		return err
	}
	return cli.StatusError{Code: cli.ExitDone, Quiet: true} // Ctrl-C is how it ends
}
