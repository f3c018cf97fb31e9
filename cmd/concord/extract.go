package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"concord/eval"
	"concord/eval/extract"
)

func newExtractCmd(a *app) *cobra.Command {
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
		Args:    usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			k, err := eval.ParseKind(kind)
			if err != nil {
				return usageError{err}
			}
			if _, err := extract.RulesFor(rules, k); err != nil {
				return usageError{err}
			}
			in := a.in
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

func runExtract(a *app, cmd *cobra.Command, in io.Reader, rules string, kind eval.Kind) error {
	malformed, err := extract.Filter(cmd.Context(), in, a.out, rules, kind)
	if err != nil {
		return fmt.Errorf("extract: %w", err)
	}
	if malformed > 0 {
		_, _ = fmt.Fprintf(a.err, "concord: %s could not be read; see their \"error\"\n", count(malformed, "line"))
		return statusError{code: exitFailed, quiet: true}
	}
	return nil
}

// count writes a number with its noun: 1 line, 2 lines.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
