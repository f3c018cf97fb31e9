package report

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"concord/annotate/report/catalogue"
	"concord/cmd/concord/internal/project"
	"concord/eval"
)

func newAbilitiesCmd(a *project.Project) *cobra.Command {
	cmd := runReport(a, catalogue.Abilities(), (*reportFlags).abilityFlags)
	cmd.Long = `Prints accuracy per ability at one level of the taxonomy: models as rows,
abilities as columns, a table for each dataset and split; more than eight
abilities are split up by the ability above them. CSV and JSON hold a line for
each model and ability. Models stand by size, with their language and vision
backbone, where the configuration has cards of them. Above them stand answers at
random and, of each column's questions, their most frequent answer.`
	return cmd
}

// abilityFlags adds what only the report on abilities takes.
func (f *reportFlags) abilityFlags(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.strategy, "strategy", "", "vanilla or circular (default: each run's own)")
	fs.StringVar(&f.level, "level", "", "l1, l2 or l3: how deep in the taxonomy (default: l2, or the deepest there is)")
	fs.BoolVar(&f.opts.Chart, "chart", false, "bars, ability by ability, in place of the tables")
	fs.StringVar(&f.opts.Split, "split", "", "only this split")
}

func newTextOnlyCmd(a *project.Project) *cobra.Command {
	cmd := runReport(a, catalogue.TextOnly(), func(f *reportFlags, cmd *cobra.Command) {
		fs := cmd.Flags()
		fs.StringVar(&f.opts.TextOnly, "text-only", "", "text-only `run` by its number, or a model: its right answers are dropped from the other runs")
		fs.StringVar(&f.by, "by", "run", "run, or model: language models, and models beside their language base, benchmarks as columns")
		fs.StringVar(&f.strategy, "strategy", "", "with --by model: vanilla or circular (default: each run's own)")
	})
	cmd.Long = `Prints the accuracy of every run that was shown no picture. With --text-only,
the other runs on the same datasets follow, before and after the questions are
dropped that the text-only run answers right. Questions that it has not decided
are neither kept nor dropped: they are counted and named.

With --by model language models stand beside answers at random, and every
vision-language model below its language base, without the picture and with it,
each with its number of worked examples (MMStar, Tables 1, 2, 4 and 7). The
configuration names the base ([models.NAME] language_base = ...); one run of a
base serves every model built on it.`
	return cmd
}

// parse reads the flags that are more than text.
func (f *reportFlags) parse() (err error) {
	if f.strategy != "" {
		if f.opts.Strategy, err = eval.ParseStrategy(f.strategy); err != nil {
			return err
		}
	}
	switch {
	case f.by == "":
	case f.by != "run" && f.by != "model":
		return fmt.Errorf("unknown --by %q: want run or model", f.by)
	case f.by == "run" && f.strategy != "":
		return errors.New("--strategy goes with --by model")
	case f.by == "model" && f.opts.TextOnly != "":
		return errors.New("--by model drops no questions: leave out --text-only")
	}
	f.opts.ByModel = f.by == "model"
	if f.level != "" {
		n, err := strconv.Atoi(strings.TrimPrefix(strings.ToLower(f.level), "l"))
		if err != nil || n < 1 || n > 9 {
			return fmt.Errorf("unknown level %q: want l1, l2, l3 or a number", f.level)
		}
		f.opts.Level = n
	}
	return nil
}
