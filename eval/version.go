package eval

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
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

// ExternalScore is a model's score on a benchmark that was measured elsewhere, as
// whoever measured it prints it: a fact, with its source. Reports that take it
// mark it as external. It is no Score, which a judge gives one answer.
type ExternalScore struct {
	Benchmark string    `json:"benchmark"`      // as a dataset is named, where the project has one of it
	Model     string    `json:"model"`          // as runs name it
	Metric    string    `json:"metric"`         // such as accuracy, perception or S_wv
	Value     float64   `json:"value"`          // in the metric's own unit; accuracies in percent
	N         int       `json:"n,omitempty"`    // over how many items; 0: not told
	Source    string    `json:"source"`         // who says so: a paper and its table, a leaderboard
	File      string    `json:"file,omitempty"` // where it came from
	At        time.Time `json:"-"`
	Revision  int       `json:"-"` // from 0, of the measures of its benchmark, model and metric
}

// SaysSame reports whether the two say the same of the same, wherever they came from.
func (m *ExternalScore) SaysSame(o *ExternalScore) bool {
	return m.Benchmark == o.Benchmark && m.Model == o.Model && m.Metric == o.Metric &&
		m.Value == o.Value && m.Source == o.Source && m.N == o.N
}
