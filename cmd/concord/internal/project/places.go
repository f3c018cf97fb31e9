package project

import (
	"os"
	"path/filepath"

	"concord/cmd/concord/internal/config"
)

// Config is what files and environment settle for this project.
func (a *Project) Config() (*config.Config, error) { return config.Load(a.ConfigPlaces()) }

// ConfigPlaces says where the configuration of the project is looked for.
func (a *Project) ConfigPlaces() config.Options {
	return config.Options{ProjectDir: filepath.Dir(a.Path), ConfigHome: configHome()}
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
