package criteria

import (
	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/screen"
	"concord/cmd/concord/internal/server"
	"concord/eval"
	"concord/store"
	"concord/tui"
)

// NewCriteriaCmd makes the command criteria.
func NewCriteriaCmd(a *project.Project) *cobra.Command {
	var name, as string
	var quotas []string
	cmd := &cobra.Command{
		Use:   "criteria",
		Short: "Write what good answers must do, and review what others wrote",
		Long:  cli.Help("criteria"),
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := screen.NeedTerminal(a); err != nil {
				return err
			}
			wanted, err := curating.ParseQuotas(quotas)
			if err != nil {
				return cli.Usage(err)
			}
			o := server.ScreenOptions{As: as, Quotas: wanted, Start: tui.Start{Tab: tui.TabCriteria, Dataset: eval.DatasetName(name)}}
			return server.OpenScreen(cmd.Context(), a, o, func(st *store.Store) error {
				if name == "" {
					return nil
				}
				_, err := st.Datasets().Dataset(eval.DatasetName(name))
				return err
			})
		},
	}
	cmd.AddCommand(newCriteriaAddCmd(a))
	cmd.Flags().StringVar(&name, "dataset", "", "the dataset to work on (default: the only one, else asked for)")
	cmd.Flags().StringVar(&as, "as", "", "the `name` to work under (default: asked for)")
	screen.AddFlags(a, cmd.Flags())
	cmd.Flags().StringArrayVar(&quotas, "quota", nil, "how many samples a group is to have: LEVEL=N, or a `file`")
	return cmd
}
