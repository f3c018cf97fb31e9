package setup

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/prompt"
)

func newConfigPromptCmd(a *project.Project) *cobra.Command {
	var ours bool
	cmd := &cobra.Command{
		Use:   "prompt [NAME[/LANGUAGE]]",
		Short: "List the prompt templates, or print one to begin with",
		Long:  cli.Help("configprompt"),
		Args:  cli.UsageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			set, err := promptSet(a, ours)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return listPrompts(a, set)
			}
			return printPrompt(a, set, args[0])
		},
	}
	cmd.Flags().BoolVar(&ours, "default", false, "concord's own, also where a file of the configuration takes its place")
	return cmd
}

// promptSet are the templates as the configuration has them, or concord's own.
func promptSet(a *project.Project, ours bool) (*prompt.Set, error) {
	if ours {
		return prompt.Load(nil)
	}
	l, err := jobs.NewFactory(a, nil)
	if err != nil {
		return nil, err
	}
	return l.Prompts.Current()
}

// templateNames are all templates, those that models answer first.
func templateNames() []string {
	return []string{
		prompt.Choice, prompt.ChoiceTextOnly, prompt.ChoiceShots, prompt.YesNo, prompt.Open,
		prompt.ExtractChoice, prompt.ReadYesNo,
		prompt.Vote, prompt.VoteCaption, prompt.VoteDetections, prompt.VoteBoth, prompt.Score, prompt.Caption,
	}
}

func listPrompts(a *project.Project, set *prompt.Set) error {
	refs := set.Refs(templateNames()...)
	if a.JSON {
		rows := make([]map[string]string, 0, len(refs))
		for _, r := range refs {
			rows = append(rows, map[string]string{"name": r.Name, "language": r.Language, "version": r.Version, "hash": r.Hash})
		}
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
		prompt.Caption:        "has a model describe an image",
	}
	rows := make([][]string, 0, len(refs))
	for _, r := range refs {
		rows = append(rows, []string{r.Name + "/" + r.Language, promptVersion(r), uses[r.Name]})
	}
	return cli.WriteColumns(a.Out, rows)
}

func promptVersion(r eval.PromptRef) string {
	return fmt.Sprintf("%s (%.8s)", r.Version, r.Hash)
}

func printPrompt(a *project.Project, set *prompt.Set, id string) error {
	name, lang, given := strings.Cut(id, "/")
	if !given {
		lang = prompt.English
	}
	text, ok := set.Text(name, lang)
	if !ok {
		return cli.Usage(fmt.Errorf("there is no template %q: want one of %s, with /%s, and those that models and extractors are asked with also with /%s", id, strings.Join(slices.Sorted(slices.Values(templateNames())), ", "), prompt.English, prompt.Chinese))
	}
	if a.JSON {
		return a.WriteJSON(map[string]string{
			"name": text.Ref.Name, "language": text.Ref.Language, "version": text.Ref.Version, "hash": text.Ref.Hash, "text": text.Text,
		})
	}
	_, err := fmt.Fprint(a.Out, text.Text)
	return err
}
