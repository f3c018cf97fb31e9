package setup

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/project"
)

// NewConfigCmd makes the command config.
func NewConfigCmd(a *project.Project) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the configuration, and where each value comes from",
		Long:  cli.Help("config-config"),
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE:  func(*cobra.Command, []string) error { return showConfig(a) },
	}
	cmd.AddCommand(newConfigInitCmd(a), newConfigPathCmd(a), newConfigPromptCmd(a), newConfigKeysCmd(a), newConfigSchemaCmd(a), newConfigTrustCmd(a))
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

func showConfig(a *project.Project) error {
	c, err := a.Config()
	if err != nil {
		return err
	}
	rows := make([]configRow, 0)
	for _, v := range c.Values() {
		rows = append(rows, configRow{v.Key, v.Value, v.Origin.String(), v.Note})
	}
	if a.JSON {
		return a.WriteJSON(struct {
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
	if err := cli.WriteColumns(a.Out, lines); err != nil {
		return err
	}
	for _, f := range c.Files() {
		if f.Found {
			return nil
		}
	}
	_, err = fmt.Fprintf(a.Out, "\nThere is no config yet: concord config init writes one to begin with.\n")
	return err
}

func filesOf(c *config.Config) []configFile {
	out := make([]configFile, 0)
	for _, f := range c.Files() {
		out = append(out, configFile(f))
	}
	return out
}

func newConfigPathCmd(a *project.Project) *cobra.Command {
	return &cobra.Command{
		Use:   "path",
		Short: "Show where a config is looked for, the one that wins first",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			var rows [][]string
			files := make([]configFile, 0)
			for _, f := range config.Files(a.ConfigPlaces()) {
				info, err := os.Stat(f.Path)
				f.Found = err == nil && !info.IsDir()
				files = append(files, configFile(f))
				rows = append(rows, []string{f.Path, map[bool]string{true: "found", false: "not there"}[f.Found]})
			}
			if a.JSON {
				return a.WriteJSON(map[string]any{"files": files})
			}
			return cli.WriteColumns(a.Out, rows)
		},
	}
}

func newConfigInitCmd(a *project.Project) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a config to begin with: comments and examples",
		Long:  cli.Help("config-init"),
		Args:  cli.UsageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			path := filepath.Join(filepath.Dir(a.Path), config.ProjectFile)
			if len(args) == 1 {
				path = args[0]
			}
			return initConfig(a, path, force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "overwrite a file that is there")
	return cmd
}

func initConfig(a *project.Project, path string, force bool) error {
	if _, err := os.Stat(path); err == nil && !force {
		return cli.Usage(fmt.Errorf("write %s: it is there already (--force overwrites it)", path))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write config: %w", err)
	}
	f, err := cli.CreateOut(path, a.Path)
	if err != nil {
		return err
	}
	_, err = f.Write(config.Template())
	if err := f.Finish(err); err != nil {
		return fmt.Errorf("write config: %w", err)
	}
	if filepath.Base(path) == config.ProjectFile {
		if err := a.TrustIn(filepath.Dir(path)).Made(); err != nil {
			return err
		}
	}
	if a.JSON {
		return a.WriteJSON(map[string]string{"wrote": path})
	}
	_, err = fmt.Fprintf(a.Out, "wrote %s\nNext: take the # from an endpoint and a model, then: concord doctor\n", cli.Visible(path))
	return err
}

func newConfigSchemaCmd(a *project.Project) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of a config file, for editors",
		Long:  cli.Help("config-schema"),
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE:  func(*cobra.Command, []string) error { return a.WriteJSON(config.JSONSchema()) },
	}
}
