package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
)

func newDoctorCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the project, the config, the endpoints and the terminal",
		Long: `Checks the project's file, the configuration, every endpoint (by listing its
models: that spends no tokens) and the terminal, and says what to do about
each finding. Ends with status 1 when something is broken.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd.Context(), a) },
	}
	addScreenFlags(a, cmd.Flags())
	return cmd
}

func runDoctor(ctx context.Context, a *app) error {
	var all findings
	if a.held != nil { // the process that asks looks after the rest itself
		checkFacts(ctx, a, a.held, &all)
	} else {
		checkFile(ctx, a, &all)
		if c := checkConfig(a, &all); c != nil {
			checkEndpoints(ctx, c, &all)
		}
		checkTerminal(newSight(a), &all)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := printFindings(a, all); err != nil {
		return err
	}
	if _, broken := all.worst(); broken > 0 {
		return statusError{code: exitFailed, quiet: true}
	}
	return nil
}

func printFindings(a *app, all findings) error {
	if a.json {
		return a.writeJSON(struct {
			Report string   `json:"report"`
			Rows   findings `json:"rows"`
		}{"doctor", all})
	}
	_, err := io.WriteString(a.out, all.text(a.width(), dyes(a.out)))
	return err
}
