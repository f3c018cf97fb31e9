package eval

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"strings"
)

// version and commit are set by -ldflags "-X concord/eval.version=1.2.3".
var version, commit string

// Build is what the program was built from.
type Build struct {
	Version string `json:"version"` // dev: of no release
	Commit  string `json:"commit"`  // "" where the build does not say
	Go      string `json:"go"`
}

// ThisBuild is the build of this process.
func ThisBuild() Build {
	b := Build{Version: version, Commit: commit, Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	for _, s := range info.Settings {
		switch {
		case commit != "":
		case s.Key == "vcs.revision":
			b.Commit = s.Value[:min(12, len(s.Value))] + b.Commit
		case s.Key == "vcs.modified" && s.Value == "true":
			b.Commit += "+changes"
		}
	}
	if release := info.Main.Version; b.Version == "" && strings.HasPrefix(release, "v") && !strings.Contains(release, "-0.") && !strings.Contains(release, "+") && !strings.HasPrefix(release, "v0.0.0-") {
		b.Version = release
	}
	b.Version = cmp.Or(b.Version, "dev")
	return b
}

// String is the version with the commit.
func (b Build) String() string { return strings.TrimSpace(b.Version + " " + b.Commit) }
