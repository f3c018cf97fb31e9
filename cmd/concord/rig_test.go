package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval/openai/openaitest"
)

// rig is a project with a dataset, a configuration, and the server behind it,
// reached over HTTP. Its commands run in this process, as a shell would run
// them, but for the waits between retries.
type rig struct {
	tb     testing.TB
	dir    string
	server *openaitest.Server
}

const (
	rigVariable = "CONCORD_RIG_KEY"
	rigKey      = "sk-rig-4711-do-not-tell-anybody"
)

// newRig makes the folder and starts the server. The dataset "d" is imported
// from rows of MMBench's columns.
func newRig(tb testing.TB, o openaitest.Options, rows ...string) *rig {
	tb.Helper()
	r := &rig{tb: tb, dir: tb.TempDir()}
	r.serve(o)
	r.configure("")
	if len(rows) > 0 {
		r.write("d.tsv", "index\tquestion\tA\tB\tC\tD\tanswer\tcategory\timage\n"+strings.Join(rows, ""))
		r.done("import", "dataset", r.path("d.tsv"), "--name", "d")
	}
	return r
}

// newQueueRig has a queue q of four answers that no rule can read.
func newQueueRig(tb testing.TB) *rig {
	tb.Helper()
	r := newRig(tb, openaitest.Options{}, rigRows(4, "")...)
	var lines strings.Builder
	for i := range 4 {
		_, _ = fmt.Fprintf(&lines, `{"id":%d,"prediction":"It could be many things."}`+"\n", i)
	}
	r.write("otter.jsonl", lines.String())
	r.done("import", "predictions", r.path("otter.jsonl"), "--dataset", "d", "--model", "otter")
	r.done("queue", "create", "q", "--dataset", "d", "--from", "unparsable")
	return r
}

// serve puts another server behind the configuration that is written next.
func (r *rig) serve(o openaitest.Options) {
	r.tb.Helper()
	if o.Key == "" {
		o.Key = rigKey
	}
	r.server = openaitest.New(o)
	if err := r.server.ListenOnFreePort(r.tb.Context()); err != nil {
		r.tb.Fatal(err)
	}
	s := r.server
	r.tb.Cleanup(func() { _ = s.Close() })
}

// configure writes concord.toml: an endpoint, two models, two judges, and more.
func (r *rig) configure(more string) {
	r.write("concord.toml", fmt.Sprintf(`
[endpoints.lab]
base_url = %q
api_key_env = %q
timeout = "2s"

[models.vlm]
endpoint = "lab"
price_prompt = 1.0
price_completion = 2.0
[models.judge]
endpoint = "lab"
price_prompt = 1.0
price_completion = 2.0
[models.judge2]
endpoint = "lab"
`, r.server.URL(), rigVariable)+more)
	r.ends(0, "config", "trust", "--yes")
}

func (r *rig) path(name string) string { return filepath.Join(r.dir, name) }

func (r *rig) write(name, text string) {
	r.tb.Helper()
	if err := os.WriteFile(r.path(name), []byte(text), 0o600); err != nil {
		r.tb.Fatal(err)
	}
}

func (r *rig) read(name string) string {
	r.tb.Helper()
	text, err := os.ReadFile(r.path(name))
	if err != nil {
		r.tb.Fatal(err)
	}
	return string(text)
}

// ran is what became of a command.
type ran struct {
	code     int
	out, err string
}

// concord runs a command on the rig's project.
func (r *rig) concord(args ...string) ran { return r.concordIn(r.tb.Context(), args...) }

func (r *rig) concordIn(ctx context.Context, args ...string) ran {
	var out, errs bytes.Buffer
	a := newUnopenedProject(cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, append(args, "-p", r.path("p.db")))
	a.Waits = project.RetryWaits{Base: time.Millisecond, Most: 2 * time.Millisecond}
	closeLog := a.RedirectLogToFile()
	defer closeLog()
	code := a.Execute(ctx)
	if code == cli.ExitDone {
		checkSchema(r.tb, args, out.String())
	}
	return ran{code, out.String(), errs.String()}
}

// newTestApp gives a command on a project, as newUnopenedProject makes one.
func newTestApp(s cli.Streams, path string) *project.Project {
	a := newUnopenedProject(s, nil)
	a.Path = path
	return a
}

// child is a command on the rig's project as a process of its own.
func (r *rig) child(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(r.tb.Context(), os.Args[0], append(args, "-p", r.path("p.db"))...)
	cmd.Env = append(os.Environ(), childVariable+"=1")
	return cmd
}

// done runs a command that must succeed.
func (r *rig) done(args ...string) string {
	r.tb.Helper()
	return r.ends(cli.ExitDone, args...).out
}

// ends runs a command that must end with a status.
func (r *rig) ends(code int, args ...string) ran {
	r.tb.Helper()
	got := r.concord(args...)
	if got.code != code {
		r.tb.Fatalf("concord %s: exit status %d, want %d\n%s%s", strings.Join(args, " "), got.code, code, got.out, got.err)
	}
	return got
}

// eval runs concord eval on the rig's dataset and gives its summary.
func (r *rig) eval(args ...string) jobs.RunSummary {
	r.tb.Helper()
	return decode[jobs.RunSummary](r.tb, r.done(append([]string{"eval", "--dataset", "d", "--model", "vlm", "--json"}, args...)...))
}

// accuracy is the row of report accuracy for a strategy.
func (r *rig) accuracy(strategy string, args ...string) accuracyRow {
	r.tb.Helper()
	out := r.done(append([]string{"report", "accuracy", "--json"}, args...)...)
	rows := decode[struct{ Rows []accuracyRow }](r.tb, out).Rows
	rows = slices.DeleteFunc(rows, func(a accuracyRow) bool { return a.Strategy != strategy })
	if len(rows) != 1 {
		r.tb.Fatalf("report accuracy has %d rows of %s: %s", len(rows), strategy, out)
	}
	return rows[0]
}

// accuracyRow is what tests want to know of a row of report accuracy.
type accuracyRow struct {
	Run                             int
	Strategy, Extractor             string
	Accuracy                        struct{ K, N int }
	Found, Missing, Errors, Pending int
}

func decode[T any](tb testing.TB, text string) T {
	tb.Helper()
	var v T
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&v); err != nil {
		tb.Fatalf("%v in %q", err, text)
	}
	if d.More() {
		tb.Fatalf("more than one object in %q", text)
	}
	return v
}

// asked is how many calls a server has answered, and how often each question
// was asked of a model.
func (r *rig) asked(model string) (total int, each map[openaitest.Ask]int) {
	each = r.server.CallCounts()
	for a, n := range each {
		if a.Model != model {
			delete(each, a)
			continue
		}
		total += n
	}
	return total, each
}

// rigRows are n questions of four options, of which the one that says so is
// right; picture may be "".
func rigRows(n int, picture string) []string {
	rows := make([]string, n)
	for i := range rows {
		right := i % 4
		options := []string{"a wrong cat", "a wrong dog", "a wrong owl", "a wrong fox"}
		options[right] = "the right thing"
		rows[i] = fmt.Sprintf("%d\tWhat is number %d?\t%s\t%c\tcat%d\t%s\n",
			i, i, strings.Join(options, "\t"), 'A'+right, i%3, picture)
	}
	return rows
}

// rigAsk is what a server finds in a prompt: the question's number, the letter
// of the right option and that of a wrong one. It is quick, since benchmarks
// ask it too.
func rigAsk(q *openaitest.Request) (n int, right, wrong string) {
	prompt := q.Prompt()
	if _, rest, ok := strings.Cut(prompt, "What is number "); ok {
		digits, _, _ := strings.Cut(rest, "?")
		n, _ = strconv.Atoi(digits)
	}
	if at := strings.Index(prompt, ". the right thing"); at > 0 {
		right = prompt[at-1 : at]
	}
	if wrong = "A"; right == "A" {
		wrong = "B"
	}
	return n, right, wrong
}

// rightly answers every question rightly.
func rightly(q *openaitest.Request) openaitest.Response {
	_, right, _ := rigAsk(q)
	return openaitest.Response{Text: right}
}
