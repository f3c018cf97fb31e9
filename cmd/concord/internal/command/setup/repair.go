package setup

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/doctor"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/screen"
	"concord/cmd/concord/internal/view"
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

func acceptProjectAsIs(a *project.Project) error {
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
	return a.PrintResult(map[string]any{"file": a.Path}, "%s is taken as it is\n", a.Path)
}

// NewBackupCmd makes the command backup.
func NewBackupCmd(a *project.Project) *cobra.Command {
	return project.NewCmd("backup FILE", "Copy the project, also while it is in use", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error { return runBackup(cmd.Context(), a, args[0]) })
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
	out, err := cli.CreateOutFile(to, a.Path)
	if err != nil {
		return err
	}
	defer func() { err = out.CommitOrRemove(err) }()
	asking := *a
	asking.Out, asking.AsIs = out, true
	if err = out.Chmod(0o600); err == nil { // before anything is in it
		err = asking.ReadStore(ctx, func(st *store.Store) error {
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
	return checkProjectCopy(ctx, a, out.Name(), to)
}

func checkProjectCopy(ctx context.Context, a *project.Project, path, name string) error {
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
	return a.PrintResult(map[string]any{"file": name, "records": n}, "%s holds %s\n", name, cli.FormatCountOf(n, "record", "records"))
}

// NewCompactCmd makes the command compact.
func NewCompactCmd(a *project.Project) *cobra.Command {
	return project.NewCmd("compact", "Write the project anew: every record with its checksum, and no room unused", nil, func(cmd *cobra.Command, _ []string) error {
		before, err := os.Stat(a.Path)
		if err != nil {
			return fmt.Errorf("project %s: %w", a.Path, err)
		}
		if err := a.WriteExistingStore(cmd.Context(), func(st *store.Store) error { return st.Compact(cmd.Context()) }); err != nil {
			return err
		}
		after, err := os.Stat(a.Path)
		if err != nil {
			return err
		}
		return a.PrintResult(map[string]any{"file": a.Path, "bytes": after.Size(), "bytes_before": before.Size()},
			"%s takes %s, and took %s\n", a.Path, cli.FormatBytes(uint64(after.Size())), cli.FormatBytes(uint64(before.Size())))
	})
}

// NewDoctorCmd makes the command doctor.
func NewDoctorCmd(a *project.Project) *cobra.Command {
	var repair string
	var accept bool
	cmd := project.NewCmd("doctor", "Check the project, the config, the endpoints and the terminal", nil, func(cmd *cobra.Command, _ []string) error {
		switch {
		case repair != "" && accept:
			return cli.NewUsageError(errors.New("--repair and --accept do not go together"))
		case repair != "":
			return runRepair(cmd.Context(), a, repair)
		case accept:
			return acceptProjectAsIs(a)
		}
		return runDoctor(cmd.Context(), a)
	})
	cmd.Flags().StringVar(&repair, "repair", "", "write what can be saved of the project into a new `file`")
	cmd.Flags().BoolVar(&accept, "accept", false, "take a project as it is whose last commit may be missing")
	screen.AddFlags(a, cmd.Flags())
	return cmd
}

func runDoctor(ctx context.Context, a *project.Project) error {
	var all doctor.Findings
	if a.Held != nil { // the process that asks looks after the rest itself
		doctor.CheckProjectContents(ctx, a, a.Held, &all)
	} else {
		doctor.CheckProjectFile(ctx, a, &all)
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
	if _, broken := all.CountWarningsAndBroken(); broken > 0 {
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
	_, err := io.WriteString(a.OutputForDrawing(), all.FormatText(a.TableWidth(), doctor.HealthStyles(a.Out)))
	return err
}

// NewStatusCmd makes the command status.
func NewStatusCmd(a *project.Project) *cobra.Command {
	return project.NewShowCmd(a, "status", "Show how far the project is, and the next step", func(a *project.Project, st *store.Store) error {
		steps, err := view.ListSetupSteps(st, nil)
		if err != nil {
			return err
		}
		return printSetupSteps(a, steps)
	})
}

func printSetupSteps(a *project.Project, steps []view.Step) error {
	if a.JSON {
		return a.WriteJSON(map[string]any{"steps": steps, "next": view.FirstOpenStep(steps).Command})
	}
	for _, s := range steps {
		mark := eval.Either(s.Done, "✓", " ")
		if _, err := fmt.Fprintf(a.Out, "%s %-8s %s\n", mark, s.Name, cli.EscapeControls(s.Said)); err != nil {
			return err
		}
	}
	next := cmp.Or(view.FirstOpenStep(steps).Command, "nothing, a corrected figure is saved and exported")
	_, err := fmt.Fprintf(a.Out, "next: %s\n", cli.EscapeControls(next))
	return err
}

// NewVersionCmd makes the command version.
func NewVersionCmd(a *project.Project) *cobra.Command {
	return project.NewCmd("version", "Print the version, the commit, Go's version and the schema of projects", nil, func(*cobra.Command, []string) error {
		return a.PrintResult(struct {
			eval.Build
			Schema int `json:"schema"`
		}{eval.ThisBuild(), store.SchemaNumber()}, "concord version %s\n", FormatVersion())
	})
}

// FormatVersion gives what concord --version prints behind "concord version".
func FormatVersion() string {
	b := eval.ThisBuild()
	return fmt.Sprintf("%s, %s, schema %d", b, b.Go, store.SchemaNumber())
}

// NewManCmd makes the command man.
func NewManCmd(a *project.Project) *cobra.Command {
	var dir string
	cmd := project.NewCmd("man --dir FOLDER", "Write the manual: a page for each command", nil, func(cmd *cobra.Command, _ []string) error { return writeManPages(a, cmd.Root(), dir) })
	cmd.Flags().StringVar(&dir, "dir", "", "the `folder` to write into; it is made if it is not there")
	_ = cmd.MarkFlagRequired("dir")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

func writeManPages(a *project.Project, root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write manual: %w", err)
	}
	root.DisableAutoGenTag = true
	when := time.Unix(0, 0).UTC() // the same pages whenever they are written
	head := doc.GenManHeader{Title: "CONCORD", Section: "1", Source: "concord", Manual: "concord", Date: &when}
	if err := doc.GenManTree(root, &head, dir); err != nil {
		return fmt.Errorf("write manual: %w", err)
	}
	pages, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("write manual: %w", err)
	}
	return a.PrintResult(map[string]any{"folder": dir, "pages": len(pages)}, "wrote the manual to %s: man -l %s/concord.1\n", cli.EscapeControls(dir), cli.EscapeControls(dir))
}

// errorSchema is that of the line that ends on the error stream what failed with --json.
const errorSchema = `{"type":["object"],"required":["error"],"properties":{"error":{"type":["object"],"required":["kind","message"],"properties":{"kind":{"type":["string"]},"message":{"type":["string"]}}}}}`

// schemaFile holds the JSON schema of what each command prints, by the command's words: schemas.json, packed, which
// takes a tenth of its 0.2 MB. A test of the commands writes both, and holds what they print against them.
//
//go:embed schemas.json.gz
var schemaFile []byte

// NewSchemaCmd prints the JSON schema of what a command prints with --json, of the
// lines of an export, or of concord.toml.
func NewSchemaCmd(a *project.Project) *cobra.Command {
	schemas := func() (all map[string]json.RawMessage, names []cobra.Completion, err error) {
		packed, err := gzip.NewReader(bytes.NewReader(schemaFile))
		if err == nil {
			err = json.NewDecoder(packed).Decode(&all)
		}
		if err == nil {
			all["error"] = json.RawMessage(errorSchema)
			all["concord.toml"], err = json.Marshal(config.BuildJSONSchema())
		}
		return all, slices.Sorted(maps.Keys(all)), err
	}
	return &cobra.Command{
		Use:     "schema [NAME]",
		Short:   "Print the JSON schema of a command's --json, of an export's lines, of errors or of concord.toml",
		Example: "concord schema\nconcord schema report accuracy\nconcord schema export predictions > predictions.schema.json",
		Args:    cobra.ArbitraryArgs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			_, names, _ := schemas()
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			all, names, err := schemas()
			name := strings.Join(args, " ")
			switch s, ok := all[name]; {
			case err != nil:
				return fmt.Errorf("read the schemas: %w", err)
			case name == "":
				return a.PrintResult(names, "%s\n", strings.Join(names, "\n"))
			case !ok:
				return eval.NewNotFoundError("there is no schema of the name %q (concord schema lists them)", name)
			default:
				return printJSONSchema(a, name, s)
			}
		},
	}
}

func printJSONSchema(a *project.Project, name string, schema json.RawMessage) error {
	var fields map[string]any
	if err := json.Unmarshal(schema, &fields); err != nil {
		return fmt.Errorf("read the schema %s: %w", name, err)
	}
	if fields["title"] == nil {
		fields["$schema"], fields["title"] = "https://json-schema.org/draft/2020-12/schema", "concord "+name
	}
	return a.WriteJSON(fields)
}
