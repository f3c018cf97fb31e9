package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"concord/cmd/concord/internal/cli"
)

// childVariable makes the test binary the program itself.
const childVariable = "CONCORD_CHILD"

// scriptCommand is the program's name in scripts.
const scriptCommand = "concord"

// programName is the name under which it is the program as well.
const programName = "concord-program"

// childBreaks makes it the program with a clock that panics once a file named
// breakFile is in its folder.
const (
	childBreaks = "breaks"
	breakFile   = "break"
)

func breaks() int {
	now := func() time.Time {
		if os.Remove(breakFile) == nil {
			panic("the clock stands still")
		}
		return time.Now()
	}
	a := newUnopenedProject(cli.Stdio(), os.Args[1:])
	a.Now = now
	return a.Execute(context.Background())
}

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashFolder); dir != "" {
		crashChild(dir)
		return
	}
	switch child := os.Getenv(childVariable); {
	case child == childBreaks:
		os.Exit(breaks())
	case child != "" || filepath.Base(os.Args[0]) == programName:
		main()
	}
	if filepath.Base(os.Args[0]) != scriptCommand {
		if err := setTestEnvironment(); err != nil {
			panic(err)
		}
	}
	_ = flag.Set("test.parallel", "6") // most of what runs at once waits
	testscript.Main(m, map[string]func(){
		scriptCommand: func() { os.Exit(runProgram(context.Background(), os.Args[1:], cli.Stdio())) },
	})
}

// setTestEnvironment sets what commands in this process find in the environment,
// once: tests run beside each other.
func setTestEnvironment() error {
	dir, err := os.MkdirTemp("", "concord")
	if err != nil {
		return err
	}
	for name, value := range map[string]string{
		"XDG_CACHE_HOME": filepath.Join(dir, "cache"), "XDG_STATE_HOME": filepath.Join(dir, "state"),
		"XDG_CONFIG_HOME": filepath.Join(dir, "home"), rigVariable: rigKey,
	} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}

// TestScripts runs the commands as a shell would: testdata/script/*.txtar. In
// short mode, which is that of the race detector, only those that ask models:
// the others do one thing after the other.
func TestScripts(t *testing.T) {
	data, err := filepath.Abs("../../../shared/data")
	if err != nil {
		t.Fatal(err)
	}
	dir, files := "testdata/script", []string(nil)
	if testing.Short() {
		dir = ""
		for _, name := range []string{"detections", "judge_votes", "user_prompts", "user_refusals"} {
			files = append(files, filepath.Join("testdata", "script", name+".txtar"))
		}
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		Files:               files,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
			env.Setenv("XDG_RUNTIME_DIR", filepath.Join(env.WorkDir, "run"))
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("DATA", data)
			return os.MkdirAll(filepath.Join(env.WorkDir, "run"), 0o700)
		},
		Condition: func(cond string) (bool, error) {
			if cond == "realdata" {
				_, err := os.Stat(data)
				return err == nil, nil
			}
			return false, os.ErrInvalid
		},
	})
}
