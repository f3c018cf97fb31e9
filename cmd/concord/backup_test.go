package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/openai/openaitest"
	"concord/store"
)

// A backup to a pipe is refused, whether somebody reads it or not: what went
// through it could not be read again.
func TestBackupToPipe(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_STATE_HOME", dir)
	run := func(args ...string) (int, string) {
		var out bytes.Buffer
		return runProgram(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &out}), out.String()
	}
	if err := os.WriteFile("q.tsv", []byte("index\tquestion\tA\tB\tanswer\n1\tWhy?\tx\ty\tA\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out := run("import", "dataset", "q.tsv"); code != cli.ExitDone {
		t.Fatal(out)
	}
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile("pipe", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Close() }()
	for _, to := range []string{"pipe", os.DevNull} {
		if code, out := run("backup", to); code != cli.ExitFailed || !strings.Contains(out, "it is not a regular file") {
			t.Errorf("%s: %d\n%s", to, code, out)
		}
	}
}

// A project is copied while it is written to, by the process that holds it; the
// copy is whole, and as of one moment.
func TestBackupWhileInUse(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_STATE_HOME", dir)
	t.Setenv("XDG_RUNTIME_DIR", dir)
	run := func(args ...string) (int, string) {
		var out bytes.Buffer
		return runProgram(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &out}), out.String()
	}
	row := `{"id":"1","question":"q","options":{"A":"x","B":"y"},"answer":"A","prediction":"A"}` + "\n"
	if err := os.WriteFile("answers.jsonl", []byte(row), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out := run("import", "predictions", "answers.jsonl", "--dataset", "d", "--model", "m"); code != cli.ExitDone {
		t.Fatal(out)
	}
	st, err := store.Open(project.DefaultProject, store.Options{Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	h, err := project.ListenAsHolder(context.Background(), newTestApp(cli.Streams{}, project.DefaultProject), st)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 1; ctx.Err() == nil; i++ {
			p := eval.Prediction{Key: eval.Key{Run: 1, Sample: 0, Pass: eval.Pass(i % 200)}, Text: strings.Repeat("x", i%900)}
			_ = st.Runs().Record(ctx, eval.Fact{Prediction: p, Reader: "r"})
		}
	})
	for i := range 3 {
		name := fmt.Sprintf("copy%d.db", i)
		if code, out := run("backup", name); code != cli.ExitDone || !strings.Contains(out, name+" holds ") {
			t.Errorf("backup: %d\n%s", code, out)
		}
		if code, out := run("export", "predictions", "--project", name); code != cli.ExitDone || !strings.Contains(out, `"prediction":"A"`) {
			t.Errorf("the copy: %d\n%s", code, out)
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
	}
	stop()
	wg.Wait()
}

// A copy of a damaged project names the damage, since copying looks at no record.
func TestBackupOfADamagedProject(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{Answer: rightly}, rigRows(4, "")...)
	raw, err := os.ReadFile(r.path("p.db"))
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.ReplaceAll(raw, []byte("What is number 3?"), []byte("What is number 4?"))
	if bytes.Equal(raw, damaged) {
		t.Fatal("no question to damage")
	}
	if err := os.WriteFile(r.path("p.db"), damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	r.ends(cli.ExitFailed, "backup", r.path("copy.db"))
	if _, err := os.Stat(r.path("copy.db")); err == nil {
		t.Error("a damaged copy was left without --damaged")
	}
	got := r.ends(cli.ExitDone, "backup", r.path("copy.db"), "--damaged")
	if !strings.Contains(got.err, "DAMAGED: ") || !strings.Contains(got.err, "checksum") {
		t.Errorf("the damage is not named: %s%s", got.out, got.err)
	}
}
