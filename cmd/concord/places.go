package main

import (
	"os"
	"path/filepath"

	"concord/cmd/concord/internal/config"
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
