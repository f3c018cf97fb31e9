package data

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/extract"
)

// NewExtractCmd makes the command extract.
func NewExtractCmd(a *project.Project) *cobra.Command {
	var rules, kind string
	cmd := &cobra.Command{
		Use:   "extract [FILE]",
		Short: "Read choices out of predictions: JSON lines in, JSON lines out",
		Long: `Reads JSON lines {"id", "options": {"A": ..}, "prediction"} from FILE or
standard input, and writes one line for each: the same id with choice, status
and method. It needs no project.

Rule sets: ` + strings.Join(extract.Names(eval.KindChoice), ", ") + `;
for yes/no: ` + strings.Join(extract.Names(eval.KindYesNo), ", ") + `.`,
		Example: `  echo '{"id":1,"options":{"A":"cat","B":"dog"},"prediction":"It is a dog."}' | concord extract`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			k, err := eval.ParseKind(kind)
			if err != nil {
				return cli.NewUsageError(err)
			}
			if _, err := extract.FindRulesFor(rules, k); err != nil {
				return cli.NewUsageError(err)
			}
			in := a.In
			if len(args) == 1 && args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return fmt.Errorf("open predictions: %w", err)
				}
				defer func() { _ = f.Close() }()
				in = f
			}
			return runExtract(a, cmd, in, rules, k)
		},
	}
	cmd.Flags().StringVar(&rules, "rules", extract.Default, "rule `set` that reads the predictions")
	cmd.Flags().StringVar(&kind, "kind", "choice", "kind of question: choice or yesno")
	return cmd
}

func runExtract(a *project.Project, cmd *cobra.Command, in io.Reader, rules string, kind eval.Kind) error {
	malformed, err := extract.FilterLines(cmd.Context(), in, a.Out, rules, kind)
	if err != nil {
		return fmt.Errorf("extract: %w", err)
	}
	if malformed > 0 {
		_, _ = fmt.Fprintf(a.Err, "concord: %s could not be read; see their \"error\"\n", cli.FormatCount(malformed, "line"))
		return cli.StatusError{Code: cli.ExitFailed, Quiet: true}
	}
	return nil
}
