package criteria

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/screen"
	"concord/cmd/concord/internal/server"
	"concord/cmd/concord/internal/view"
	"concord/eval"
	"concord/store"
	"concord/tui"
	criteriascreen "concord/tui/criteria"
)

// standIn is what criteria add is told of a sample that stands in for another.
type standIn struct {
	dataset, old, as, kind string
	add                    criteriascreen.Addition
}

func newCriteriaAddCmd(a *project.Project) *cobra.Command {
	var o standIn
	cmd := project.NewCmd("add ID --dataset NAME --replaces OLD --question TEXT", "Add a sample that stands in for a discarded one", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		o.add.Sample.ID = eval.SampleID(args[0])
		return a.WriteExistingStore(cmd.Context(), func(st *store.Store) error {
			s, err := addStandIn(cmd.Context(), a, st, &o)
			if err != nil {
				return err
			}
			return a.PrintResult(map[string]any{"dataset": o.dataset, "sample": s.ID, "ordinal": s.Ordinal, "replaces": o.old}, "%s: sample %s was added and stands in for %s\n", cli.EscapeControls(o.dataset), cli.EscapeControls(string(s.ID)), cli.EscapeControls(o.old))
		})
	})
	f := cmd.Flags()
	f.StringVar(&o.dataset, "dataset", "", "the dataset (required)")
	f.StringVar(&o.old, "replaces", "", "the `id` of the discarded sample (required)")
	f.StringVar(&o.add.Sample.Question, "question", "", "what is asked (required)")
	f.StringVar(&o.add.Sample.Hint, "hint", "", "a hint beside it")
	f.StringVar(&o.add.Sample.Reference, "reference", "", "a reference answer")
	f.StringVar(&o.kind, "type", "", "open-ended, closed-ended or compound (default: as the discarded one)")
	f.StringVar(&o.add.Picture, "image", "", "the `file` of its image")
	f.StringVar(&o.as, "as", "", "your `name` (required)")
	a.MarkRequiredFlags(cmd, "dataset", "replaces", "question", "as")
	return cmd
}

// addStandIn adds a sample and says that it stands in, unless it may not.
func addStandIn(ctx context.Context, a *project.Project, st *store.Store, o *standIn) (eval.Sample, error) {
	d := eval.DatasetName(o.dataset)
	old, err := st.Datasets().SampleByID(d, eval.SampleID(o.old))
	if err != nil {
		return eval.Sample{}, err
	}
	set, err := st.Criteria().Set(d, old.Ordinal)
	if err != nil {
		return eval.Sample{}, err
	}
	act := set.NewAct(criteria.Replaced, annotate.Annotator(o.as), a.Now())
	act.Other = o.add.Sample.ID
	if _, err := set.WithAct(act); err != nil {
		return eval.Sample{}, err
	}
	s := &o.add.Sample
	s.Kind, s.Taxonomy, s.Split, s.Source, s.Type = old.Kind, old.Taxonomy, old.Split, old.Source, set.QuestionType(&old)
	if o.kind != "" {
		if s.Type, err = eval.ParseQuestionType(o.kind); err != nil {
			return eval.Sample{}, cli.NewUsageError(err)
		}
	}
	if s.Kind != eval.KindOpen {
		return eval.Sample{}, errors.New("only open questions are added here: options and answers come by a file")
	}
	added, err := view.NewCriteria(st).Add(ctx, d, o.add)
	if err != nil {
		return eval.Sample{}, err
	}
	return added, st.Criteria().Append(ctx, act)
}

// NewCriteriaCmd makes the command criteria.
func NewCriteriaCmd(a *project.Project) *cobra.Command {
	var name string
	var quotas []string
	cmd := project.NewCmd("criteria", "Write what good answers must do, and review what others wrote", nil, func(cmd *cobra.Command, _ []string) error {
		if err := screen.RequireTerminal(a); err != nil {
			return err
		}
		wanted, err := curating.ParseQuotas(quotas)
		if err != nil {
			return cli.NewUsageError(err)
		}
		o := server.ScreenOptions{As: a.Screen.As, Quotas: wanted, Start: tui.Start{Tab: tui.TabCriteria, Dataset: eval.DatasetName(name)}}
		return server.ShowOrAttachScreen(cmd.Context(), a, o, func(st *store.Store) error {
			if name == "" {
				return nil
			}
			_, err := st.Datasets().Dataset(eval.DatasetName(name))
			return err
		})
	})
	cmd.AddCommand(newCriteriaAddCmd(a))
	cmd.Flags().StringVar(&name, "dataset", "", "the dataset to work on (default: the only one, else asked for)")
	screen.AddFlags(a, cmd.Flags())
	cmd.Flags().StringArrayVar(&quotas, "quota", nil, "how many samples a group is to have: LEVEL=N, or a `file`")
	return cmd
}

// NewAuthorCmd makes the command author.
func NewAuthorCmd(a *project.Project) *cobra.Command {
	var name string
	cmd := project.NewCmd("author", "Write multiple-choice samples, and review what others and models wrote", nil, func(cmd *cobra.Command, _ []string) error {
		if err := screen.RequireTerminal(a); err != nil {
			return err
		}
		if name != "" && !store.Exists(a.Path) {
			if err := a.WriteStore(cmd.Context(), true, func(*store.Store) error { return nil }); err != nil {
				return err
			}
		}
		o := server.ScreenOptions{As: a.Screen.As, Start: tui.Start{Tab: tui.TabCriteria, Dataset: eval.DatasetName(name), Written: true}}
		return server.ShowOrAttachScreen(cmd.Context(), a, o, func(st *store.Store) error {
			if ds, err := st.Datasets().Dataset(eval.DatasetName(name)); err == nil && ds.Origin != store.AuthoredOrigin {
				return cli.NewUsageError(fmt.Errorf("dataset %s came from %s and is not written on: choose another name", ds.Name, ds.Origin))
			}
			return nil
		})
	})
	cmd.Flags().StringVar(&name, "dataset", "", "the dataset that is written; its first accepted sample makes it (default: all are listed)")
	screen.AddFlags(a, cmd.Flags())
	return cmd
}

// NewCurateCmd makes the command curate.
func NewCurateCmd(a *project.Project) *cobra.Command {
	var start server.CurateStart
	cmd := project.NewCmd("curate", "Review which samples of a pool need their image, one key each", nil, func(cmd *cobra.Command, _ []string) error {
		if err := screen.RequireTerminal(a); err != nil {
			return err
		}
		if err := start.Flags.CheckFlags(cmd); err != nil {
			return err
		}
		o := server.ScreenOptions{As: a.Screen.As, Curate: start, Start: tui.Start{Tab: tui.TabCurate, Dataset: eval.DatasetName(start.Flags.Dataset)}}
		return server.ShowOrAttachScreen(cmd.Context(), a, o, func(st *store.Store) error {
			if start.Flags.Dataset == "" {
				return nil
			}
			_, err := start.Flags.NamedOrOnlyDataset(st)
			return err
		})
	})
	start.Flags.AddFlags(cmd)
	fs := cmd.Flags()
	fs.BoolVar(&start.Disagreements, "adjudicate", false, "adjudicate expert disagreements")
	screen.AddFlags(a, fs)
	fs.BoolVar(&start.Flags.Look.HideTruth, "hide-answer", false, "hide the answer at first (t shows it)")
	fs.BoolVar(&start.Flags.Look.HideModels, "hide-correct", false, "hide which models are correct, and the difficulty, at first (d shows them)")
	return cmd
}
