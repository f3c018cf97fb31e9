package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/doctor"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/screen"
	"concord/eval"
	"concord/store"
)

// runRepair saves what can be read of a project into a new file.
func runRepair(ctx context.Context, a *project.Project, to string) error {
	if a.Held != nil {
		return fmt.Errorf("%w: a project that is in use is not repaired", store.ErrLocked)
	}
	n, lost, err := store.Repair(ctx, a.Path, to, store.Options{Now: a.Now, Logger: a.Log})
	if err != nil {
		return a.ExplainLocked(err)
	}
	texts := append([]string{}, eval.Map(lost, error.Error)...)
	if a.JSON {
		return a.WriteJSON(struct {
			File  string   `json:"file"`
			Saved int      `json:"saved"`
			Lost  []string `json:"lost"`
		}{to, n, texts})
	}
	for _, text := range texts {
		if _, err := fmt.Fprintln(a.Out, "lost: "+cli.EscapeControls(text)); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(a.Out, "saved %s into %s; %s as it was\n", cli.FormatCountOf(n, "record", "records"), to, a.Path)
	return err
}

func runAccept(a *project.Project) error {
	if a.Held != nil {
		return fmt.Errorf("%w: a project that is in use was taken as it is", store.ErrLocked)
	}
	if !store.Exists(a.Path) {
		return fmt.Errorf("project %s: %w", a.Path, os.ErrNotExist)
	}
	st, err := store.Open(a.Path, store.Options{Now: a.Now, Logger: a.Log, Accept: true})
	if err != nil {
		return a.ExplainLocked(err)
	}
	if err := st.Close(); err != nil {
		return err
	}
	return a.Print(map[string]any{"file": a.Path}, "%s is taken as it is\n", a.Path)
}

// NewBackupCmd makes the command backup.
func NewBackupCmd(a *project.Project) *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the project, also while it is in use",
		Args:  cobra.ExactArgs(1),
		RunE:  func(cmd *cobra.Command, args []string) error { return runBackup(cmd.Context(), a, args[0]) },
	}
}

func runBackup(ctx context.Context, a *project.Project, to string) (err error) {
	if a.Held != nil { // the process that asks writes the file
		_, err := a.Held.WriteTo(a.Out)
		return err
	}
	// The copy is read through when it is written: a pipe or a device cannot be.
	if info, err := os.Stat(to); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return fmt.Errorf("copy the project to %s: it is not a regular file", to)
	}
	out, err := cli.CreateOut(to, a.Path)
	if err != nil {
		return err
	}
	defer func() { err = out.Finish(err) }()
	asking := *a
	asking.Out, asking.AsIs = out, true
	if err = out.Chmod(0o600); err == nil { // before anything is in it
		err = asking.Read(ctx, func(st *store.Store) error {
			_, err := st.WriteTo(out)
			if err == nil && a.Leave { // all damage is met, and told
				_, _, err = st.Check(ctx)
			}
			return err
		})
	}
	if err == nil {
		err = out.Sync()
	}
	if err != nil {
		return fmt.Errorf("copy the project: %w", err)
	}
	return checkCopy(ctx, a, out.Name(), to)
}

func checkCopy(ctx context.Context, a *project.Project, path, name string) error {
	o := store.Options{ReadOnly: true, Old: true, Now: a.Now, Logger: a.Log}
	if a.Leave {
		o.Damaged = func(error) {} // told when the project was read
	}
	st, err := store.Open(path, o)
	if err != nil {
		return err
	}
	n, damage, err := st.Check(ctx)
	if err = errors.Join(err, st.Close()); err == nil && !a.Leave && len(damage) > 0 {
		err = damage[0]
	}
	if err != nil {
		return fmt.Errorf("read the copy: %w", err)
	}
	return a.Print(map[string]any{"file": name, "records": n}, "%s holds %s\n", name, cli.FormatCountOf(n, "record", "records"))
}

// NewCompactCmd makes the command compact.
func NewCompactCmd(a *project.Project) *cobra.Command {
	return &cobra.Command{
		Use:   "compact",
		Short: "Write the project anew: every record with its checksum, and no room unused",
		RunE: func(cmd *cobra.Command, _ []string) error {
			before, err := os.Stat(a.Path)
			if err != nil {
				return fmt.Errorf("project %s: %w", a.Path, err)
			}
			if err := a.WriteExisting(cmd.Context(), func(st *store.Store) error { return st.Compact(cmd.Context()) }); err != nil {
				return err
			}
			after, err := os.Stat(a.Path)
			if err != nil {
				return err
			}
			return a.Print(map[string]any{"file": a.Path, "bytes": after.Size(), "bytes_before": before.Size()},
				"%s takes %s, and took %s\n", a.Path, cli.FormatBytes(uint64(after.Size())), cli.FormatBytes(uint64(before.Size())))
		},
	}
}

// NewDoctorCmd makes the command doctor.
func NewDoctorCmd(a *project.Project) *cobra.Command {
	var repair string
	var accept bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the project, the config, the endpoints and the terminal",
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case repair != "" && accept:
				return cli.NewUsageError(errors.New("--repair and --accept do not go together"))
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
	if _, broken := all.CountWorst(); broken > 0 {
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
	_, err := io.WriteString(a.DrawnOutput(), all.FormatText(a.TableWidth(), doctor.HealthStyles(a.Out)))
	return err
}
