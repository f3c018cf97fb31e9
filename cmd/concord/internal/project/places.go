package project

import (
	"os"
	"path/filepath"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
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
