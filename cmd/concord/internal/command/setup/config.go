package setup

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/prompt"
)

// NewConfigCmd makes the command config.
func NewConfigCmd(a *project.Project) *cobra.Command {
	cmd := project.NewCmd("config", "Show the configuration, and where each value comes from", nil, func(*cobra.Command, []string) error { return printConfig(a) })
	cmd.AddCommand(newConfigInitCmd(a), newConfigPathCmd(a), newConfigPromptCmd(a), newConfigTrustCmd(a),
		newPlainCmd("keys", "List the actions of the screen by name, with their keys", func() error { return printKeymap(a) }),
		newPlainCmd("schema", "Print the JSON schema of a config file, for editors", func() error { return a.WriteJSON(config.BuildJSONSchema()) }))
	return cmd
}

func printConfig(a *project.Project) error {
	c, err := a.LoadConfig()
	if err != nil {
		return err
	}
	rows := c.Values()
	if a.JSON {
		return a.WriteJSON(struct {
			Report string         `json:"report"`
			Files  []config.File  `json:"files"`
			Rows   []config.Value `json:"rows"`
		}{"config", append([]config.File{}, c.Files()...), rows})
	}
	lines := make([][]string, 0, len(rows))
	for _, r := range rows {
		r.Value += eval.Either(r.Note != "", " ("+r.Note+")", "")
		lines = append(lines, []string{r.Key, r.Value, r.Origin.String()})
	}
	if err := cli.WriteColumns(a.Out, lines); err != nil {
		return err
	}
	if slices.ContainsFunc(c.Files(), func(f config.File) bool { return f.Found }) {
		return nil
	}
	_, err = fmt.Fprintf(a.Out, "\nThere is no config yet: concord config init writes one to begin with.\n")
	return err
}

func newConfigPathCmd(a *project.Project) *cobra.Command {
	return newPlainCmd("path", "Show where a config is looked for, the one that wins first", func() error {
		var rows [][]string
		files := make([]config.File, 0)
		for _, f := range config.FindFiles(a.ConfigPlaces()) {
			info, err := os.Stat(f.Path)
			f.Found = err == nil && !info.IsDir()
			files = append(files, f)
			rows = append(rows, []string{f.Path, eval.Either(f.Found, "found", "not there")})
		}
		if a.JSON {
			return a.WriteJSON(map[string]any{"files": files})
		}
		return cli.WriteColumns(a.Out, rows)
	})
}

func newConfigInitCmd(a *project.Project) *cobra.Command {
	var force bool
	cmd := project.NewCmd("init [FILE]", "Write a config to begin with: comments and examples", cobra.MaximumNArgs(1), func(_ *cobra.Command, args []string) error {
		own := filepath.Join(filepath.Dir(a.Path), config.ProjectFile)
		return writeExampleConfig(a, append(args, own)[0], force)
	})
	cmd.Flags().BoolVar(&force, "force", false, "overwrite a file that is there")
	return cmd
}

func writeExampleConfig(a *project.Project, path string, force bool) error {
	if _, err := os.Stat(path); err == nil && !force {
		return cli.NewUsageError(fmt.Errorf("write %s: it is there already (--force overwrites it)", path))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write config: %w", err)
	}
	f, err := cli.CreateOutFile(path, a.Path)
	if err != nil {
		return err
	}
	_, err = f.Write(config.NewConfigText())
	if err := f.CommitOrRemove(err); err != nil {
		return fmt.Errorf("write config: %w", err)
	}
	if filepath.Base(path) == config.ProjectFile {
		if err := a.TrustFileIn(filepath.Dir(path)).MarkOwnFile(); err != nil {
			return err
		}
	}
	return a.PrintResult(map[string]string{"wrote": path}, "wrote %s\nNext: take the # from an endpoint and a model, then: concord doctor\n", cli.EscapeControls(path))
}

// newPlainCmd gives a command without flags and arguments.
func newPlainCmd(use, short string, run func() error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, RunE: func(*cobra.Command, []string) error { return run() }}
}

// keyRow is an action as scripts read it.
type keyRow struct {
	Place  string   `json:"place"`
	Action string   `json:"action"`
	Keys   []string `json:"keys"`
	Says   string   `json:"description"`
	Origin string   `json:"origin"`
}

func printKeymap(a *project.Project) error {
	c, err := config.LoadScreenSettings(a.ConfigPlaces())
	if err != nil {
		return err
	}
	rows := make([]keyRow, 0)
	for _, r := range c.Keys().ListRows() {
		row := keyRow{string(r.Place), r.Action.Name, r.Keys, r.Action.Desc, c.OriginOfKeys(r.Action.Name).String()}
		if r.Action.Fixed != "" {
			row.Origin = "always"
		}
		rows = append(rows, row)
	}
	if a.JSON {
		return a.WriteJSON(map[string]any{"report": "keys", "rows": rows})
	}
	return cli.WriteColumns(a.Out, eval.Map(rows, func(r keyRow) []string {
		names := eval.Map(r.Keys, func(k string) string { return strings.ReplaceAll(k, " ", "space") })
		return []string{r.Place, r.Action, strings.Join(names, " "), r.Says, r.Origin}
	}))
}

func newConfigPromptCmd(a *project.Project) *cobra.Command {
	var ours bool
	cmd := project.NewCmd("prompt [NAME[/LANGUAGE]]", "List the prompt templates, or print one to begin with", cobra.MaximumNArgs(1), func(_ *cobra.Command, args []string) error {
		set, err := loadPromptSet(a, ours)
		if err != nil {
			return err
		}
		if len(args) == 0 {
			return listPrompts(a, set)
		}
		return printPrompt(a, set, args[0])
	})
	cmd.Flags().BoolVar(&ours, "default", false, "concord's own, also where a file of the configuration takes its place")
	return cmd
}

// loadPromptSet loads the templates as the configuration has them, or concord's own.
func loadPromptSet(a *project.Project, ours bool) (*prompt.Set, error) {
	if ours {
		return prompt.LoadSet(nil)
	}
	l, err := jobs.NewFactory(a, nil)
	if err != nil {
		return nil, err
	}
	return l.Prompts.LoadTemplates("")
}

// listTemplateNames lists all templates, those that models answer first.
func listTemplateNames() []string {
	return []string{
		prompt.Choice, prompt.ChoiceTextOnly, prompt.ChoiceShots, prompt.YesNo, prompt.Open,
		prompt.ExtractChoice, prompt.ReadYesNo,
		prompt.Vote, prompt.VoteCaption, prompt.VoteDetections, prompt.VoteBoth, prompt.Score, prompt.Grade, prompt.GradeSample, prompt.Caption, prompt.Translate,
	}
}

func listPrompts(a *project.Project, set *prompt.Set) error {
	refs := set.Refs(listTemplateNames()...)
	if a.JSON {
		rows := eval.Map(refs, func(r eval.PromptRef) map[string]string {
			return map[string]string{"name": r.Name, "language": r.Language, "version": r.Version, "hash": r.Hash}
		})
		return a.WriteJSON(map[string]any{"report": "prompts", "rows": rows})
	}
	uses := map[string]string{
		prompt.Choice:         "asks a multiple-choice question",
		prompt.ChoiceTextOnly: "the same without the image",
		prompt.ChoiceShots:    "the same behind worked examples",
		prompt.YesNo:          "asks a yes/no question",
		prompt.Open:           "asks an open question",
		prompt.ExtractChoice:  "has a judge match an answer with the options",
		prompt.ReadYesNo:      "has a judge read an answer to a yes/no question",
		prompt.Vote:           "has a judge say which of two answers is better",
		prompt.VoteCaption:    "the same with a caption for the image",
		prompt.VoteDetections: "the same with the objects that were detected in it",
		prompt.VoteBoth:       "the same with both",
		prompt.Score:          "has a judge score an open answer from 1 to 5",
		prompt.Grade:          "has a judge say whether an answer meets a criterion",
		prompt.GradeSample:    "has a judge say which of a sample's criteria an answer meets",
		prompt.Caption:        "has a model describe an image",
		prompt.Translate:      "has a model translate a multiple-choice sample",
	}
	rows := eval.Map(refs, func(r eval.PromptRef) []string {
		return []string{r.Name + "/" + r.Language, fmt.Sprintf("%s (%.8s)", r.Version, r.Hash), uses[r.Name]}
	})
	return cli.WriteColumns(a.Out, rows)
}

func printPrompt(a *project.Project, set *prompt.Set, id string) error {
	name, lang, given := strings.Cut(id, "/")
	if !given {
		lang = prompt.English
	}
	text, ok := set.TemplateText(name, lang)
	if !ok {
		return cli.NewUsageError(fmt.Errorf("there is no template %q: want one of %s, with /%s, and those that models and extractors are asked with also with /%s", id, strings.Join(slices.Sorted(slices.Values(listTemplateNames())), ", "), prompt.English, prompt.Chinese))
	}
	return a.PrintResult(map[string]string{
		"name": text.Ref.Name, "language": text.Ref.Language, "version": text.Ref.Version, "hash": text.Ref.Hash, "text": text.Text,
	}, "%s", text.Text)
}

func newConfigTrustCmd(a *project.Project) *cobra.Command {
	var yes, forget bool
	cmd := project.NewCmd("trust", "Show which keys and files concord.toml sends where, and trust it", nil, func(*cobra.Command, []string) error {
		c, err := a.LoadConfig()
		if err != nil {
			return err
		}
		return trustSendings(a, config.FindSendings(c), yes, forget)
	})
	cmd.Flags().BoolVar(&yes, "yes", false, "trust it without a question")
	cmd.Flags().BoolVar(&forget, "forget", false, "trust it no more")
	cmd.MarkFlagsMutuallyExclusive("yes", "forget")
	return cmd
}

type sendingRow struct {
	config.Sending
	Trusted bool `json:"trusted"`
}

func trustSendings(a *project.Project, all []config.Sending, yes, forget bool) error {
	file := a.TrustFile()
	trusted, err := file.AreTrusted(all)
	if err != nil {
		return err
	}
	if !a.JSON {
		if err := printSendings(a, all, trusted); err != nil {
			return err
		}
	}
	agreed := yes
	switch open := slices.Contains(trusted, false); {
	case forget:
		trusted = make([]bool, len(all))
		err = file.DistrustSendings(all)
	case open && !yes:
		agreed, err = askToAgree(a)
	}
	if err == nil && agreed {
		trusted = slices.Repeat([]bool{true}, len(all))
		err = file.TrustSendings(all...)
	}
	if err != nil {
		return err
	}
	return printTrustOutcome(a, all, trusted)
}

// askToAgree asks the person at the terminal.
func askToAgree(a *project.Project) (bool, error) {
	if !cli.IsTerminal(a.In) || a.JSON {
		return false, cli.NewUsageError(errors.New("it is not trusted, and there is nobody to ask: look at it, then say so with --yes"))
	}
	if _, err := fmt.Fprint(a.Out, "Trust it? [y/N] "); err != nil {
		return false, err
	}
	line, err := bufio.NewReader(a.In).ReadString('\n')
	if err != nil {
		return false, fmt.Errorf("read answer: %w", err)
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", nil
}

func printSendings(a *project.Project, all []config.Sending, trusted []bool) error {
	file := cli.EscapeControls(config.FindFiles(a.ConfigPlaces())[0].Path)
	if len(all) == 0 {
		_, err := fmt.Fprintf(a.Out, "%s sends no key that would have to be trusted\n", file)
		return err
	}
	_, err := fmt.Fprintf(a.Out, "%s sends\n", file)
	for i, s := range all {
		note := eval.Either(trusted[i], " (trusted)", "")
		_, _ = fmt.Fprintf(a.Out, "  %s%s\n", cli.EscapeControls(s.String()), note)
	}
	return err
}

func printTrustOutcome(a *project.Project, all []config.Sending, trusted []bool) error {
	if a.JSON {
		rows := make([]sendingRow, len(all))
		for i, s := range all {
			rows[i] = sendingRow{s, trusted[i]}
		}
		return a.WriteJSON(map[string]any{"file": config.FindFiles(a.ConfigPlaces())[0].Path, "sends": rows})
	}
	said := "it is trusted"
	switch {
	case len(all) == 0:
		return nil
	case slices.Contains(trusted, false):
		said = "it is not trusted: this is sent nowhere"
	}
	_, err := fmt.Fprintln(a.Out, said)
	return err
}
