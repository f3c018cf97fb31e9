package report

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"concord/annotate/report/catalogue"
	"concord/cmd/concord/internal/project"
)

func newGainCmd(a *project.Project) *cobra.Command {
	cmd := runReport(a, catalogue.Gain(), (*reportFlags).gainFlags, takesOutside)
	cmd.Long = `Prints what each model gains by seeing the pictures (its accuracy with them less
that without) and how far it answers beyond its language base without them
(MMStar, Sec. 4.3). Both take runs over the same samples: with pictures, with
--modality text, and of the language base that the configuration names for the
model, with --modality base or text; one run of a base serves every model built
on it. Where one is missing the cell says which. Of several that could stand on
a side, --run names one, and --shots those of the base.

Accuracies measured elsewhere (concord import scores, metric S_v, S_wv or S_t, in
percent) take the place of runs that are missing, and are marked.`
	return cmd
}

func newLeaksCmd(a *project.Project) *cobra.Command {
	cmd := runReport(a, catalogue.Leaks(), (*reportFlags).leakFlags)
	cmd.Long = `Prints how many pairs of a model without the picture (--modality text) and its
language base turn each sample from wrong to right (MMStar, Fig. 3): what more
than half of the pairs do is suspected to have leaked. The configuration names
the base of each model; one run of a base serves every model built on it.`
	return cmd
}

// leakFlags adds what the reports on gain and on leaks take.
func (f *reportFlags) leakFlags(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.strategy, "strategy", "", "vanilla or circular (default: each run's own)")
	fs.BoolVar(&f.opts.Grey, "grey", false, "a run on grey pictures counts as one without")
	fs.Var((*shotsFlag)(f), "shots", "only runs of the language base with this `number` of worked examples")
	fs.StringVar(&f.opts.Split, "split", "", "only this split")
}

// gainFlags adds what only the report on gain takes.
func (f *reportFlags) gainFlags(cmd *cobra.Command) {
	f.leakFlags(cmd)
	cmd.Flags().Uint64Var(&f.opts.Seed, "seed", 1, "without effect: the intervals draw nothing")
	_ = cmd.Flags().MarkHidden("seed") // scripts of earlier versions give it
}

// shotsFlag is a number that may be left out: 0 is one.
type shotsFlag reportFlags

func (f *shotsFlag) String() string {
	if f.opts.Shots == nil {
		return ""
	}
	return fmt.Sprint(*f.opts.Shots)
}

func (f *shotsFlag) Type() string { return "int" }

func (f *shotsFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return errors.New("want 0 or more")
	}
	f.opts.Shots = &n
	return nil
}
