package project

import (
	"fmt"
	"os"
	"path/filepath"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/eval"
)

// Config is what files and environment settle for this project.
func (a *Project) Config() (*config.Config, error) { return config.Load(a.ConfigPlaces()) }

// ConfigPlaces says where the configuration of the project is looked for.
func (a *Project) ConfigPlaces() config.Options {
	return config.Options{ProjectDir: filepath.Dir(a.Path), ConfigHome: configHome(), Trust: a.Trust()}
}

// Trust is what this user has said about the configuration beside the project.
func (a *Project) Trust() config.TrustFile { return a.TrustIn(filepath.Dir(a.Path)) }

// TrustIn is what this user has said about the one in a folder. Without a folder
// of the user's own to keep it in, nothing is trusted.
func (*Project) TrustIn(folder string) config.TrustFile {
	dir, err := cli.StateFolder()
	if err != nil {
		return config.TrustFile{Folder: folder}
	}
	return config.TrustFile{Path: filepath.Join(dir, "trusted"), Folder: folder}
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

// Cards is what the configuration knows of models. Figures do not depend on
// it: a configuration that cannot be read is told, and tables go without.
func Cards(a *Project) func(model string) (eval.Card, bool) {
	conf, err := a.Config()
	if err != nil {
		_, _ = fmt.Fprintf(a.Err, "models are printed without their cards: %s\n", err)
		return nil
	}
	known := make(map[string]eval.Card)
	for _, c := range conf.Cards() {
		known[c.Model] = c
	}
	return func(model string) (eval.Card, bool) {
		c, ok := known[model]
		return c, ok
	}
}
