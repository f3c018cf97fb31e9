package setup

import (
	"concord/eval"

	"bufio"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/project"
)

func newConfigTrustCmd(a *project.Project) *cobra.Command {
	var yes, forget bool
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "Show which keys and files concord.toml sends where, and trust it",
		RunE: func(*cobra.Command, []string) error {
			c, err := a.Config()
			if err != nil {
				return err
			}
			return trustSendings(a, config.FindSendings(c), yes, forget)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "trust it without a question")
	cmd.Flags().BoolVar(&forget, "forget", false, "trust it no more")
	cmd.MarkFlagsMutuallyExclusive("yes", "forget")
	return cmd
}

// sendingRow is a sending as scripts read it.
type sendingRow struct {
	config.Sending
	Trusted bool `json:"trusted"`
}

func trustSendings(a *project.Project, all []config.Sending, yes, forget bool) error {
	file := a.Trust()
	trusted, err := file.Trusts(all)
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
		err = file.Forget(all)
	case open && !yes:
		agreed, err = askToAgree(a)
	}
	if err == nil && agreed {
		for i := range trusted {
			trusted[i] = true
		}
		err = file.TrustSendings(all...)
	}
	if err != nil {
		return err
	}
	return printTrust(a, all, trusted)
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

func printTrust(a *project.Project, all []config.Sending, trusted []bool) error {
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
