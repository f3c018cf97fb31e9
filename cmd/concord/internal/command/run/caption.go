package run

import (
	"fmt"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

// NewCaptionCmd makes the command caption.
func NewCaptionCmd(a *project.Project) *cobra.Command {
	var o jobs.CaptioningOrder
	var f jobFlags
	var name string
	cmd := &cobra.Command{
		Use:   "caption --dataset NAME --model NAME",
		Short: "Have a model describe the images, for judges that see none",
		Long:  cli.Help("caption"),
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.Need(cmd, "dataset", "model"); err != nil {
				return err
			}
			if err := f.read(); err != nil {
				return err
			}
			switch given := cmd.Flags().Changed("edge"); {
			case given && o.Edge < 0:
				return cli.Usage(fmt.Errorf("--edge %d: want 0 or more", o.Edge))
			case !given:
				o.Edge = -1
			}
			o.Dataset = eval.DatasetName(name)
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error {
				l, err := jobs.NewFactory(a, st)
				if err != nil {
					return err
				}
				c, err := l.Captioning(cmd.Context(), &o)
				if err != nil {
					return err
				}
				return l.CarryOut(cmd.Context(), c, f.effort, f.estimate)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&name, "dataset", "", "the dataset whose images are described (required)")
	fs.StringVar(&o.Model, "model", "", "`name` of a model in the configuration (required)")
	fs.IntVar(&o.Edge, "edge", 0, "images are scaled down to this longer edge, in `pixels`; 0: never (default: as the model is configured)")
	fs.BoolVar(&o.Failed, "retry-failed", false, "ask again what failed, too")
	f.add(fs, "captions", "these captions")
	return cmd
}
