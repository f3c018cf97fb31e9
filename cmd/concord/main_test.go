package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// childVariable makes the test binary the program itself.
const childVariable = "CONCORD_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashFolder); dir != "" {
		crashChild(dir)
		return
	}
	if os.Getenv(childVariable) != "" {
		main()
	}
	testscript.Main(m, map[string]func(){
		"concord": func() { os.Exit(run(context.Background(), os.Args[1:], stdio())) },
	})
}

// TestScripts runs the commands as a shell would: testdata/script/*.txtar.
func TestScripts(t *testing.T) {
	data, err := filepath.Abs("../../../shared/data")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
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
