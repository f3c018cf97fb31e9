package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"concord/cmd/concord/config"
	"concord/tui/widget"
)

// config is what files and environment settle for this project.
func (a *app) config() (*config.Config, error) { return config.Load(a.configPlaces()) }

func (a *app) configPlaces() config.Options {
	return config.Options{ProjectDir: filepath.Dir(a.path), ConfigHome: configHome()}
}

// configHome is the XDG folder of configurations, "" when there is none.
func configHome() string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) { // others are to be ignored
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".config")
}

func newConfigCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the configuration, and where each value comes from",
		Long: `Prints every value of the configuration and where it comes from: the
environment, concord.toml beside the project, concord/config.toml in the XDG
folder, or concord's default. Of a key only the variable's name is shown, and
whether it is set.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return showConfig(a) },
	}
	cmd.AddCommand(newConfigInitCmd(a), newConfigPathCmd(a), newConfigPromptCmd(a), newConfigKeysCmd(a), newConfigSchemaCmd(a))
	return cmd
}

// configRow is a value as scripts read it.
type configRow struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Origin string `json:"origin"`
	Note   string `json:"note,omitempty"`
}

type configFile struct {
	Path  string `json:"path"`
	Found bool   `json:"found"`
}

func showConfig(a *app) error {
	c, err := a.config()
	if err != nil {
		return err
	}
	rows := make([]configRow, 0)
	for _, v := range c.Values() {
		rows = append(rows, configRow{v.Key, v.Value, v.Origin.String(), v.Note})
	}
	if a.json {
		return a.writeJSON(struct {
			Report string       `json:"report"`
			Files  []configFile `json:"files"`
			Rows   []configRow  `json:"rows"`
		}{"config", filesOf(c), rows})
	}
	lines := make([][]string, 0, len(rows))
	for _, r := range rows {
		if r.Note != "" {
			r.Value += " (" + r.Note + ")"
		}
		lines = append(lines, []string{r.Key, r.Value, r.Origin})
	}
	if err := writeColumns(a.out, lines); err != nil {
		return err
	}
	for _, f := range c.Files() {
		if f.Found {
			return nil
		}
	}
	_, err = fmt.Fprintf(a.out, "\nThere is no config yet: concord config init writes one to begin with.\n")
	return err
}

func filesOf(c *config.Config) []configFile {
	out := make([]configFile, 0)
	for _, f := range c.Files() {
		out = append(out, configFile(f))
	}
	return out
}

// writeColumns prints rows with their cells aligned, two spaces apart.
func writeColumns(w io.Writer, rows [][]string) error {
	var widths []int
	for _, r := range rows {
		for i, cell := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], widget.Width(visible(cell)))
		}
	}
	var b bytes.Buffer
	for _, r := range rows {
		var line strings.Builder
		for i, cell := range r {
			cell = visible(cell)
			line.WriteString(cell + strings.Repeat(" ", widths[i]-widget.Width(cell)+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := b.WriteTo(w)
	return err
}

func newConfigPathCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "path",
		Short: "Show where a config is looked for, the one that wins first",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			var rows [][]string
			files := make([]configFile, 0)
			for _, f := range config.Files(a.configPlaces()) {
				info, err := os.Stat(f.Path)
				f.Found = err == nil && !info.IsDir()
				files = append(files, configFile(f))
				rows = append(rows, []string{f.Path, map[bool]string{true: "found", false: "not there"}[f.Found]})
			}
			if a.json {
				return a.writeJSON(map[string]any{"files": files})
			}
			return writeColumns(a.out, rows)
		},
	}
}

func newConfigInitCmd(a *app) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a config to begin with: comments and examples",
		Long: `Writes a config in which everything is an example that is commented out:
OpenAI, vLLM, Ollama, llama.cpp, models, a judge. FILE is concord.toml beside
the project unless it is given.`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			path := filepath.Join(filepath.Dir(a.path), config.ProjectFile)
			if len(args) == 1 {
				path = args[0]
			}
			return initConfig(a, path, force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "overwrite a file that is there")
	return cmd
}

func initConfig(a *app, path string, force bool) error {
	if _, err := os.Stat(path); err == nil && !force {
		return usageError{fmt.Errorf("write %s: it is there already (--force overwrites it)", path)}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write config: %w", err)
	}
	f, err := createOut(path, a.path)
	if err != nil {
		return err
	}
	_, err = f.Write(config.Starter())
	if err := f.finish(err); err != nil {
		return fmt.Errorf("write config: %w", err)
	}
	if a.json {
		return a.writeJSON(map[string]string{"wrote": path})
	}
	_, err = fmt.Fprintf(a.out, "wrote %s\nNext: take the # from an endpoint and a model, then: concord doctor\n", visible(path))
	return err
}

func newConfigSchemaCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of a config file, for editors",
		Long: `Prints what a config file may hold as a JSON schema. Editors with a TOML
language server complete and check by it; taplo, for one, when the file begins
with

  #:schema ./concord.schema.json`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return a.writeJSON(config.JSONSchema()) },
	}
}

// isConfigError reports whether a configuration is to blame.
func isConfigError(err error) bool {
	var p config.Problem
	return errors.As(err, &p)
}
