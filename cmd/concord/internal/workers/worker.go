package workers

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/openai"
	"concord/eval/remote"
)

// NewWorkerCmd makes the command worker.
func NewWorkerCmd(a *project.Project) *cobra.Command {
	var join, endpoint string
	var o remote.WorkerOptions
	cmd := &cobra.Command{
		Use:   "worker --join URL",
		Short: "Ask the questions of a run that is held elsewhere, by an endpoint of this machine",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Capacity < 0 {
				return cli.NewUsageError(fmt.Errorf("--concurrency %d: want 0 or more", o.Capacity))
			}
			conf, err := config.Load(a.ConfigPlaces())
			if err == nil {
				err = chooseEndpoint(conf, endpoint, &o)
			}
			if err != nil {
				return err
			}
			host, _ := os.Hostname()
			o.Name = cmp.Or(o.Name, fmt.Sprintf("%s-%d", cmp.Or(host, "worker"), os.Getpid()))
			o.Say = func(s string) { _, _ = fmt.Fprintf(a.Err, "%s\n", cli.EscapeControls(s)) }
			nc, err := connect(conf, join, o.Name, o.Say)
			if err != nil {
				return err
			}
			defer nc.Close()
			return remote.Work(cmd.Context(), nc, o)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&join, "join", "", "the `URL` that the holder prints, or that of a cluster; cluster: that of [workers] (required)")
	fs.StringVar(&o.Name, "name", "", "how the holder and the facts call this worker (default: the machine's name and the number of the process)")
	fs.StringVar(&endpoint, "endpoint", "", "the `name` of the endpoint that is asked (default: that of the configuration, or of OPENAI_BASE_URL)")
	fs.IntVar(&o.Capacity, "concurrency", 0, "questions asked concurrently (default: as configured)")
	fs.BoolVar(&o.Once, "once", false, "leave when the run is done")
	a.MarkRequired(cmd, "join")
	return cmd
}

// chooseEndpoint has a worker ask an endpoint of this machine's configuration; "" is the
// one that is asked where nothing else is said.
func chooseEndpoint(conf *config.Config, name string, o *remote.WorkerOptions) error {
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
	o.Endpoint, o.Capacity = of.BaseURL, cmp.Or(o.Capacity, conf.Concurrency())
	o.Models = func(ctx context.Context) []string {
		names, _ := endpoint.ListModels(ctx) // one that lists none is asked all the same
		return names
	}
	o.Chatter = func(c *remote.Call) (eval.Chatter, error) {
		own, _ := eval.First(conf.Models(), func(m config.Model) bool { return m.Endpoint.Name == of.Name && m.Wire == c.Model })
		return endpoint.NewModel(openai.ModelOptions{Name: c.Model, Params: []byte(c.Params), Edge: c.Edge, LogProbs: c.LogProbs, Stream: own.Stream})
	}
	return nil
}
