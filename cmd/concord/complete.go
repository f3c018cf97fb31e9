package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/command/criteria"
	"concord/cmd/concord/internal/command/data"
	"concord/cmd/concord/internal/command/queue"
	"concord/cmd/concord/internal/command/report"
	"concord/cmd/concord/internal/command/run"
	"concord/cmd/concord/internal/command/setup"
	"concord/cmd/concord/internal/command/team"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/rules"
	"concord/cmd/concord/internal/screen"
	"concord/cmd/concord/internal/server"
	"concord/cmd/concord/internal/workers"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/extract"
	"concord/store"
)

// registerCompletions has the shell complete what people type most: names that the
// project and the configuration hold, and the words that a flag takes.
func registerCompletions(a *project.Project, c *cobra.Command) {
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if do := completerOfFlag(a, f); do != nil {
			_ = c.RegisterFlagCompletionFunc(f.Name, do) // it fails for a second one only
		}
	})
	switch c.CommandPath() {
	case "concord export dataset":
		c.ValidArgsFunction = project.CompleteFirstArg(project.CompleteFromProject(a, listDatasetCompletions))
	case "concord queue guideline":
		c.ValidArgsFunction = project.CompleteFirstArg(project.CompleteFromProject(a, listQueueCompletions))
	case "concord people key", "concord people remove":
		c.ValidArgsFunction = project.CompleteFirstArg(project.CompleteFromProject(a, team.ListMemberNames))
	case "concord people role":
		c.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return completeMemberThenRole(a, cmd, args, typed)
		}
	}
	for _, sub := range c.Commands() {
		registerCompletions(a, sub)
	}
}

// words are what flags take, by their names; a flag takes those of them that its help names.
var words = map[string][]string{
	"format":    append([]string{"table", "markdown", "latex", "html", "svg", "pgf"}, dataset.Formats()...),
	"policy":    {"unanimous", "majority", "plurality", "adjudicated", "mllm-bench"},
	"undecided": {"dropped", "none", "own", "tie"},
	"strategy":  {"vanilla", "circular"},
	"modality":  {"image", "text", "grey", "base"},
	"from":      {"unparsed", "disagreements", "pairs", "all", "criteria", "wrong"},
	"sampling":  {"random", "targeted"},
	"level":     {"l1", "l2", "l3", "nominal", "ordinal", "interval", "ratio"},
	"kind":      append([]string{"choice", "yesno"}, team.ListAuditKinds()...),
	"layout":    {"kit", "submission", "kit-results", "kit-acc", "kit-score"},
	"language":  {"en", "zh"},
	"by":        {"run", "model"},
	"role":      team.Roles,
	"theme":     {"auto", "dark", "light", "none"},
	"images":    {"auto", "kitty", "iterm2", "sixel", "blocks", "ascii", "off"},
}

func completerOfFlag(a *project.Project, f *pflag.Flag) cobra.CompletionFunc {
	switch f.Name {
	case "dataset":
		return project.CompleteFromProject(a, listDatasetCompletions)
	case "queue":
		return project.CompleteFromProject(a, listQueueCompletions)
	case "run":
		return project.CompleteFromProject(a, listRunCompletions)
	case "model", "anchor":
		return completeModels(a, true)
	case "judge":
		return completeModels(a, false)
	case "rules":
		return cobra.FixedCompletions(ruleSetNames(), cobra.ShellCompDirectiveNoFileComp)
	case "project":
		return cobra.FixedCompletions([]string{"db"}, cobra.ShellCompDirectiveFilterFileExt)
	}
	of := eval.Select(words[f.Name], func(w string) bool {
		return strings.Contains(f.Usage, "found out by itself") && slices.Contains(dataset.Formats(), w) || slices.Contains(strings.FieldsFunc(f.Usage, isWordSeparator), w)
	})
	if len(of) == 0 {
		return nil
	}
	return cobra.FixedCompletions(of, cobra.ShellCompDirectiveNoFileComp)
}

// isWordSeparator reports whether a character stands between words.
func isWordSeparator(r rune) bool {
	return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

// completeMemberThenRole completes somebody's name, and then a role.
func completeMemberThenRole(a *project.Project, cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return project.CompleteFromProject(a, team.ListMemberNames)(cmd, args, typed)
	}
	return project.FilterByPrefix(slices.Clone(team.Roles), typed), cobra.ShellCompDirectiveNoFileComp
}

func ruleSetNames() []string {
	out := slices.Concat(extract.RuleNamesFor(eval.KindChoice), extract.RuleNamesFor(eval.KindYesNo))
	slices.Sort(out)
	return slices.Compact(out)
}

func listDatasetCompletions(st *store.Store) ([]string, error) {
	all, err := st.Datasets().List()
	return eval.Map(all, func(d eval.Dataset) string {
		return project.FormatCompletion(string(d.Name), cli.FormatCount(d.Samples, "sample"))
	}), err
}

func listQueueCompletions(st *store.Store) ([]string, error) {
	all, err := st.Queues().List()
	var out []string
	for _, q := range all {
		out = append(out, project.FormatCompletion(string(q.Name), q.Rule.From.String()+" of "+string(q.Rule.Dataset)))
	}
	return out, err
}

func listRunCompletions(st *store.Store) ([]string, error) {
	all, err := st.Runs().List()
	return eval.Map(all, func(r eval.Run) string {
		c := &r.Config
		return project.FormatCompletion(fmt.Sprint(r.ID), c.Model+" on "+string(c.Dataset)+", "+c.Strategy.String()+", "+c.Modality.String())
	}), err
}

// completeModels completes those of the configuration, and those that runs are of.
func completeModels(a *project.Project, ran bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		var out []string
		if c, err := a.LoadConfig(); err == nil {
			for _, m := range c.Models() {
				out = append(out, cli.EscapeControls(m.Name))
			}
		}
		if ran {
			out = append(out, project.ListNamesOrAskHolder(cmd.Context(), a, listModelsOfRuns)...)
		}
		slices.Sort(out)
		return project.FilterByPrefix(slices.Compact(out), typed), cobra.ShellCompDirectiveNoFileComp
	}
}

func listModelsOfRuns(st *store.Store) ([]string, error) {
	all, err := st.Runs().List()
	return eval.Map(all, func(r eval.Run) string { return cli.EscapeControls(r.Config.Model) }), err
}

// runProgram gives the whole program: it parses args, runs one command and returns the exit status.
func runProgram(ctx context.Context, args []string, s cli.Streams) int {
	a := newUnopenedProject(s, args)
	closeLog := a.RedirectLogToFile()
	defer closeLog()
	return a.Execute(ctx)
}

// newUnopenedProject gives a command as it is given, its project not yet open.
func newUnopenedProject(s cli.Streams, args []string) *project.Project {
	return &project.Project{
		Env:  cli.Env{Streams: s, Args: args, Now: time.Now, Log: slog.New(slog.DiscardHandler)},
		Tree: newRootCmd, Listen: server.NewGuests,
	}
}

func newRootCmd(a *project.Project) *cobra.Command {
	root := &cobra.Command{
		Use:   "concord",
		Short: "Evaluate vision-language models, and see how far the score can be trusted",
		Long: `concord evaluates vision-language models the way the multimodal benchmarks'
papers do, keeps every raw response, and lets people check the answers extracted
from it.

Start with:  concord demo`,
		Version:       setup.FormatVersion(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, p1 []string) error { return setup.OpenAppOrWelcome(a, cmd, p1) },

		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return rules.RegisterRules(a, cmd) },
	}
	root.SetFlagErrorFunc(cli.WrapFlagError)
	f := root.PersistentFlags()
	f.StringVarP(&a.Path, "project", "p", project.DefaultProject, "the project's `file`")
	f.BoolVar(&a.JSON, "json", false, "print machine-readable output")
	f.BoolVar(&a.Leave, "damaged", false, "read a damaged project: leave out what is damaged, and say so")
	screen.AddFlags(a, root.Flags())
	root.AddCommand(
		setup.NewOpenDemoCmd(a), data.NewImportCmd(a), data.NewExtractCmd(a), data.NewRulesCmd(a), report.NewAgreeCmd(a), queue.NewQueueCmd(a), team.NewPeopleCmd(a), queue.NewPacketCmd(a),
		run.NewEvalCmd(a), run.NewRunCmd(a), workers.NewWorkerCmd(a), run.NewJudgeCmd(a), run.NewCaptionCmd(a), run.NewTranslateCmd(a), run.NewBatchCmd(a),
		queue.NewReviewCmd(a), queue.NewVoteCmd(a), team.NewServeCmd(a), criteria.NewCriteriaCmd(a), criteria.NewAuthorCmd(a), run.NewInspectCmd(a), criteria.NewCurateCmd(a), report.NewReportCmd(a), data.NewExportCmd(a), team.NewLogCmd(a),
		setup.NewConfigCmd(a), setup.NewDoctorCmd(a), setup.NewBackupCmd(a), setup.NewCompactCmd(a), setup.NewManCmd(a), setup.NewSchemaCmd(a), setup.NewVersionCmd(a), setup.NewStatusCmd(a),
	)
	root.SetGlobalNormalizationFunc(currentFlagName)
	// cobra keeps what completes a flag for as long as the process lives, and the
	// tree with it: one that serves commands must not make it for each.
	if len(a.Args) > 0 && strings.HasPrefix(a.Args[0], cobra.ShellCompRequestCmd) {
		registerCompletions(a, root)
	}
	cli.AddHelpAndUsage(root)
	return root
}

// renamed are the flags that had another name. Scripts may go on using it.
var renamed = map[string]string{
	"hide-hits": "hide-correct",
	"picture":   "image",
	"pictures":  "image-folder",
	"settle":    "adjudicate",
	"stratum":   "sampling",
}

// currentFlagName is the name by which a flag is known now.
func currentFlagName(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if now, ok := renamed[name]; ok {
		name = now
	}
	return pflag.NormalizedName(name)
}
