package setup

import (
	"context"
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval/demo"
	"concord/eval/openai/openaitest"
)

func newDemoServeCmd(a *project.Project) *cobra.Command {
	var listen, key string
	var latency time.Duration
	var faults float64
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the demo's models at an address, to try endpoints by hand",
		Long:  cli.Help("demoserve"),
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if latency < 0 {
				return cli.Usage(fmt.Errorf("--latency %v: want 0 or more", latency))
			}
			if faults < 0 || faults > 1 {
				return cli.Usage(fmt.Errorf("--faults %v: want a share from 0 to 1", faults))
			}
			p, err := demo.New()
			if err != nil {
				return err
			}
			o := openaitest.Options{Latency: latency, Key: key}
			if faults > 0 {
				o.Faults = openaitest.Rate(1, faults, passingFaults()...)
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

// passingFaults are those that neither end a run nor hold a call for minutes.
func passingFaults() []openaitest.Fault {
	return slices.DeleteFunc(openaitest.All(), func(f openaitest.Fault) bool {
		return f == openaitest.Quota || f == openaitest.Hang || f == openaitest.Drip
	})
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
	for _, name := range e.models() {
		_, _ = fmt.Fprintf(a.Out, "  %s\n", name)
	}
	<-ctx.Done()
	total, _ := e.server.Total()
	_, _ = fmt.Fprintf(a.Out, "%s answered\n", cli.Count(total, "call"))
	if err := e.close(); err != nil {
		return err
	}
	return cli.StatusError{Code: cli.ExitDone, Quiet: true} // Ctrl-C is how it ends
}
