package report

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/report"
	"concord/cmd/concord/internal/cli"
)

// correctFlags are the flags of reports whose score people's labels correct.
type correctFlags struct {
	on                bool
	queues            []string
	policy, undecided string
	within            float64
}

// corrects gives a command the flags, whose values go to o before it runs.
// Policies are those of labels, which votes and scores have none of.
func corrects(cmd *cobra.Command, o **report.Correcting, policies bool) {
	var f correctFlags
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) (err error) {
		*o, err = f.correcting(cmd)
		return err
	}
	fs := cmd.Flags()
	fs.BoolVar(&f.on, "corrected", false, "the score corrected by people's labels, beside the judge's and people's own")
	fs.StringSliceVar(&f.queues, "queue", nil, "with --corrected: only labels of these `queues` (default: all that were drawn at random)")
	fs.Float64Var(&f.within, "within", 2, "with --corrected: tell how many labels an interval of this many `points` to either side needs")
	if policies {
		fs.StringVar(&f.policy, "policy", "majority", "with --corrected: when people have agreed: unanimous, majority, plurality or adjudicated (a ruling wins)")
		fs.StringVar(&f.undecided, "undecided", "dropped", "with --corrected: items without agreement: dropped, or counted as none")
	}
}

// correcting is what the flags ask for, or nil.
func (f *correctFlags) correcting(cmd *cobra.Command) (*report.Correcting, error) {
	if !f.on {
		for _, name := range []string{"queue", "within", "policy", "undecided"} {
			if cmd.Flags().Changed(name) {
				return nil, cli.Usage(fmt.Errorf("--%s goes with --corrected", name))
			}
		}
		return nil, nil
	}
	if !(f.within > 0 && f.within < 50) {
		return nil, cli.Usage(errors.New("--within is a number of points between 0 and 50"))
	}
	out := &report.Correcting{Within: f.within / 100}
	for _, q := range f.queues {
		out.Queues = append(out.Queues, annotate.QueueName(q))
	}
	var err error
	if f.policy != "" {
		if out.Policy, err = annotate.ParsePolicy(f.policy); err != nil {
			return nil, cli.Usage(err)
		}
	}
	if f.undecided != "" {
		if out.Undecided, err = annotate.ParseUndecided(f.undecided); err != nil {
			return nil, cli.Usage(err)
		}
	}
	return out, nil
}
