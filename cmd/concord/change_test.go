package main

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/store"
)

const annKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOvE36yl23jfLqDMzp+gEP/hsolZ0r0FrGzrBSvK5eTu ann@lab"

// What an owner does while people work is done by the process that holds the
// project, with the files and the name of the one that asks.
func TestOwnersCommandsAreDoneByTheHolder(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_STATE_HOME", dir)
	t.Setenv("XDG_RUNTIME_DIR", dir)
	input := ""
	tell := func(args ...string) (int, string) {
		var out bytes.Buffer
		return runProgram(t.Context(), args, cli.Streams{In: strings.NewReader(input), Out: &out, Err: &out}), out.String()
	}
	done := func(want string, args ...string) {
		t.Helper()
		if code, out := tell(args...); code != cli.ExitDone || !strings.Contains(out, want) {
			t.Errorf("%v: %d\n%s", args, code, out)
		}
	}
	refused := func(want string, args ...string) {
		t.Helper()
		if code, out := tell(args...); code == cli.ExitDone || !strings.Contains(out, want) {
			t.Errorf("%v: %d\n%s", args, code, out)
		}
	}
	for name, text := range map[string]string{
		"answers.jsonl": `{"id":"1","question":"q","options":{"A":"x","B":"y"},"answer":"A","prediction":"A"}
{"id":"2","question":"q","options":{"A":"x","B":"y"},"answer":"A","prediction":"B"}
`,
		"ids.txt": "2\n", "gold.csv": "sample,choice\n1,A\n", "guide.md": "Read the end.", "ann.pub": annKey,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	done("added 2", "import", "predictions", "answers.jsonl", "--dataset", "d", "--model", "m")
	a := newTestApp(cli.Streams{}, project.DefaultProject)
	if err := a.RememberName("lea"); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(project.DefaultProject, store.Options{Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	h, err := project.ListenAsHolder(context.Background(), a, st)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()

	refused("open in another process", "import", "labels", "gold.csv", "--queue", "q")
	done("queue q: 1 of 1", "queue", "create", "q", "--dataset", "d", "--from", "all", "--ids", "ids.txt", "--guideline", "guide.md")
	done("the answers of 1 of", "queue", "create", "g", "--dataset", "d", "--from", "all", "--gold", "gold.csv", "--gold-rate", "50%")
	refused("no such file", "queue", "create", "n", "--dataset", "d", "--from", "all", "--gold", "nobody")
	done("ann has access", "people", "add", "ann", "--key", "ann.pub")
	refused("is ann's", "people", "add", "bob", "--key", "ann.pub")
	input = "Read all of it."
	done("is version 2 now", "queue", "guideline", "q", "--set", "-", "--as", "ann")
	done("as owner", "people", "role", "ann", "owner")

	all, err := st.People().History()
	if err != nil || len(all) != 2 || all[1].By != "lea" || all[1].Role != annotate.RoleOwner {
		t.Errorf("people are %+v, %v", all, err)
	}
	q, err := st.Queues().Queue("q")
	if err != nil || q.Guideline.Text != "Read all of it." {
		t.Errorf("the guideline is %+v, %v", q.Guideline, err)
	}
	// The holder opens no file for another process.
	conn, err := project.DialHolder(t.Context(), project.DefaultProject)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	var said bytes.Buffer
	code, err := project.SendRequest(conn, project.Request{Args: []string{"people", "add", "cy", "--key", "ann.pub"}}, &said, &said)
	if err != nil || code == cli.ExitDone || !strings.Contains(said.String(), "open ann.pub: file does not exist") {
		t.Errorf("without the file: %d, %q, %v", code, said.String(), err)
	}
}
