package report

import (
	"fmt"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/chain"
	"concord/annotate/report/alignment"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/store"
)

// alignmentFlags are the flags of report alignment, as typed.
type alignmentFlags struct {
	queue, policy, undecided, format, by string
	rules                                []string
	save                                 bool
}

func newAlignmentCmd(a *project.Project) *cobra.Command {
	var f alignmentFlags
	cmd := &cobra.Command{
		Use:   "alignment --queue NAME",
		Short: "How far rules and judges read a queue as people do",
		Long: `Compares every rule set, and every judge whose readings the project holds, with
what people labelled in a queue. A rule set has no row on a queue of what it
could not read. --save keeps the figures with what they were computed from, and
later reports say when a saved one is stale.`,
		Args: cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := f.options(a.JSON)
			if err != nil {
				return cli.Usage(err)
			}
			open := a.Read
			if f.save {
				open = a.WriteExisting
			}
			return open(cmd.Context(), func(st *store.Store) error { return reportAlignment(a, cmd, st, &f, o) })
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.queue, "queue", "", "the queue that people labelled (required)")
	fs.StringVar(&f.policy, "policy", "majority", "when people have agreed: unanimous, majority, plurality, or adjudicated (an adjudicator's ruling, else unanimous)")
	fs.StringVar(&f.undecided, "undecided", "dropped", "items without agreement: dropped, counted as none, or a class of its own (own)")
	fs.StringSliceVar(&f.rules, "rules", nil, "rule `sets` to compare (default: all)")
	fs.StringVar(&f.format, "format", "table", "table, json, csv, markdown, latex or html")
	fs.BoolVar(&f.save, "save", false, "keep the figures in the project")
	fs.StringVar(&f.by, "as", project.UserName(), "who saves them")
	a.Require(cmd, "queue")
	return cmd
}

func (f *alignmentFlags) options(json bool) (o alignment.Options, err error) {
	if err := cli.CheckFormat(&f.format, json); err != nil {
		return o, err
	}
	o.Queue, o.Rules = annotate.QueueName(f.queue), f.rules
	for _, name := range f.rules {
		if _, err := facts.RulesFor(name); err != nil {
			return o, err
		}
	}
	if o.Policy, err = annotate.ParsePolicy(f.policy); err != nil {
		return o, err
	}
	o.Undecided, err = annotate.ParseUndecided(f.undecided)
	return o, err
}

func reportAlignment(a *project.Project, cmd *cobra.Command, st *store.Store, f *alignmentFlags, o alignment.Options) error {
	r, err := alignment.Alignment(cmd.Context(), facts.Source{Store: st}, o)
	if err != nil {
		return err
	}
	if f.save {
		saved, err := alignment.SavedReport(&r, annotate.Annotator(f.by), a.Now())
		if err != nil {
			return err
		}
		id, err := st.Reports().SaveReport(cmd.Context(), saved)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(a.Err, "saved as report %d\n", id)
		if len(saved.Heads) > 0 {
			_, _ = fmt.Fprintf(a.Err, "heads of the chains of acts: %s (see: concord log --verify)\n", headWords(saved.Heads))
		}
		// Once more, so that what is printed holds the saved one too.
		if r, err = alignment.Alignment(cmd.Context(), facts.Source{Store: st}, o); err != nil {
			return err
		}
	}
	return a.Render(r, f.format)
}

// headWords are the heads that a saved report names, for people.
func headWords(heads []annotate.Head) string {
	out := make([]string, len(heads))
	for i, h := range heads {
		out[i] = fmt.Sprintf("%s %.*s", cli.Visible(string(h.Person)), chain.ShortSize, h.Hash)
	}
	return cli.Few(out)
}
