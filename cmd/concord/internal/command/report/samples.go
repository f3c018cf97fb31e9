package report

import (
	"github.com/spf13/cobra"

	"concord/annotate/agree"
	"concord/annotate/curation"
	"concord/annotate/report/quality"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/curating"
	"concord/eval/stat"
	"concord/store"
)

// quotas is the flag of how many samples groups are to have, which may name
// files.
func quotas(k *asking, cmd *cobra.Command) {
	var o quality.CriteriaOptions
	var given []string
	cmd.Flags().StringArrayVar(&given, "quota", nil, "how many samples a group is to have: LEVEL=N, or a `file`")
	cmd.PreRunE = func(*cobra.Command, []string) (err error) {
		if o.Quotas, err = curating.ParseQuotas(given); err != nil {
			return cli.Usage(err)
		}
		k.a.Absolute("quota", given)
		return nil
	}
	k.CriteriaBy(&o)
}

// thresholds are the flags by which an inspection decides.
func thresholds(k *asking, cmd *cobra.Command) {
	var o quality.InspectorOptions
	var c curating.Flags
	var set curation.Settings
	c.AddExperts(cmd, ", of those accepted")
	curating.AddThresholds(cmd, &set)
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := c.Check(cmd); err != nil {
			return err
		}
		o.Change, k.facts.How = changed(cmd, &set), curating.NewSettings(k.a, c)
		return nil
	}
	k.InspectorsBy(&o)
}

// changed sets the thresholds that flags were given for; nil when none was.
func changed(cmd *cobra.Command, set *curation.Settings) func(*curation.Settings) {
	var given []curating.ThresholdFlag
	for _, t := range curating.ThresholdFlags() {
		if cmd.Flags().Changed(t.Name) {
			given = append(given, t)
		}
	}
	if given == nil {
		return nil
	}
	return func(s *curation.Settings) {
		for _, t := range given {
			*t.Of(s) = *t.Of(set)
		}
	}
}

// experts are the flags of whose verdicts count, on which candidates.
func experts(k *asking, cmd *cobra.Command) {
	var f curating.Flags
	k.facts.Bootstrap = agree.Bootstrap{Confidence: stat.Confidence}
	f.Add(cmd)
	fs := cmd.Flags()
	fs.IntVar(&k.facts.Bootstrap.Times, "resamples", curating.Resamples, "resamples of the intervals of agreement")
	fs.Uint64Var(&k.facts.Bootstrap.Seed, "seed", 1, "seed of the resamples")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := f.Check(cmd); err != nil {
			return err
		}
		k.a.Absolute("target", f.Targets)
		k.facts.How = curating.NewSettings(k.a, f)
		return nil
	}
	k.before = func(st *store.Store) (err error) {
		k.Options.Dataset, err = f.Name(st)
		return err
	}
}
