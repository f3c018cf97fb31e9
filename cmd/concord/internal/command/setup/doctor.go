package setup

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/doctor"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/screen"
)

// NewDoctorCmd makes the command doctor.
func NewDoctorCmd(a *project.Project) *cobra.Command {
	var repair string
	var accept bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the project, the config, the endpoints and the terminal",
		Long:  cli.Help("doctor"),
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case repair != "" && accept:
				return cli.Usage(errors.New("--repair and --accept do not go together"))
			case repair != "":
				return runRepair(cmd.Context(), a, repair)
			case accept:
				return runAccept(a)
			}
			return runDoctor(cmd.Context(), a)
		},
	}
	cmd.Flags().StringVar(&repair, "repair", "", "write what can be saved of the project into a new `file`")
	cmd.Flags().BoolVar(&accept, "accept", false, "take a project as it is whose last commit may be missing")
	screen.AddFlags(a, cmd.Flags())
	return cmd
}

func runDoctor(ctx context.Context, a *project.Project) error {
	var all doctor.Findings
	if a.Held != nil { // the process that asks looks after the rest itself
		doctor.CheckFacts(ctx, a, a.Held, &all)
	} else {
		doctor.CheckFile(ctx, a, &all)
		if c := doctor.CheckConfig(a, &all); c != nil {
			doctor.CheckEndpoints(ctx, c, &all)
		}
		doctor.CheckTerminal(doctor.NewTerminal(a), &all)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := printFindings(a, all); err != nil {
		return err
	}
	if _, broken := all.Worst(); broken > 0 {
		return cli.StatusError{Code: cli.ExitFailed, Quiet: true}
	}
	return nil
}

func printFindings(a *project.Project, all doctor.Findings) error {
	if a.JSON {
		return a.WriteJSON(struct {
			Report string          `json:"report"`
			Rows   doctor.Findings `json:"rows"`
		}{"doctor", all})
	}
	// What the checks found is cleaned word by word; the colours are ours.
	_, err := io.WriteString(a.Drawn(), all.Text(a.Width(), doctor.Dyes(a.Out)))
	return err
}
