package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/doctor"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

// atHome gives the test folders and an environment of its own, and works in
// an empty folder.
func atHome(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range []string{"run", "state", "config"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("XDG_RUNTIME_DIR", filepath.Join(dir, "run"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	t.Setenv(config.OpenAIKey, "")
	t.Setenv(config.OpenAIBaseURL, "")
	t.Chdir(dir)
	return dir
}

// diagnose runs the doctor and gives its rows as "check verdict finding > advice".
func diagnose(t *testing.T, wantCode int) []string {
	t.Helper()
	var out, errs strings.Builder
	code := runProgram(t.Context(), []string{"doctor", "--json"}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	if code != wantCode {
		t.Errorf("status %d, want %d: %s", code, wantCode, errs.String())
	}
	var told struct {
		Report string
		Rows   doctor.Findings
	}
	if err := json.Unmarshal([]byte(out.String()), &told); err != nil || told.Report != "doctor" {
		t.Fatalf("%v: %s%s", err, out.String(), errs.String())
	}
	var rows []string
	for _, r := range told.Rows {
		rows = append(rows, fmt.Sprintf("%s %s %s > %s", r.Check, r.Verdict, r.Finding, r.Advice))
	}
	return rows
}

func expect(t *testing.T, rows []string, want ...string) {
	t.Helper()
	all := strings.Join(rows, "\n")
	for _, w := range want {
		if !strings.Contains(all, w) {
			t.Errorf("no %q in\n%s", w, all)
		}
	}
}

// An endpoint is asked for its models alone, and each failure has an advice.
func TestDoctorTriesEndpoints(t *testing.T) {
	dir := atHome(t)
	const secret = "sk-verysecret0123456789"
	t.Setenv("GOOD_KEY", secret)
	t.Setenv("TWO_WORDS", secret+" "+secret)
	mux := http.NewServeMux()
	mux.HandleFunc("/good/v1/models", func(w http.ResponseWriter, q *http.Request) {
		if q.Header.Get("Authorization") != "Bearer "+secret {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"here","object":"model"}]}`)
	})
	mux.HandleFunc("/echo/v1/models", func(w http.ResponseWriter, q *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = fmt.Fprintf(w, `{"error":{"message":"wrong key %s"}}`, q.Header.Get("Authorization"))
	})
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>hello</html>") })
	mux.HandleFunc("/page/models", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>hello</html>") })
	mux.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		if q.Method != http.MethodGet {
			t.Errorf("%s %s: the doctor only gets", q.Method, q.URL.Path)
		}
		http.NotFound(w, q)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	file := ""
	for _, e := range [][2]string{
		{"good", "/good/v1\"\napi_key_env = \"GOOD_KEY"},
		{"nokey", "/good/v1"},
		{"echo", "/echo/v1\"\napi_key_env = \"GOOD_KEY"},
		{"unset", "/good/v1\"\napi_key_env = \"NOT_SET_ANYWHERE"},
		{"words", "/good/v1\"\napi_key_env = \"TWO_WORDS"},
		{"bare", "/good"},
		{"chats", "/other/v1"},
		{"page", "/page"},
	} {
		file += fmt.Sprintf("[endpoints.%s]\nbase_url = \"%s%s\"\n", e[0], server.URL, e[1])
	}
	file += "[endpoints.gone]\nbase_url = \"http://127.0.0.1:1/v1\"\n"
	file += "[models.here]\nendpoint = \"good\"\n[models.away]\nendpoint = \"good\"\n[models.lost]\nendpoint = \"god\"\n"
	file += "[prompts]\nchoice = \"none.txt\"\nyesno = \"bad.txt\"\n"
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(config.ProjectFile, file)
	write("bad.txt", "{{ .Nothing")
	if err := newTestApp(cli.Streams{}, filepath.Join(dir, "concord.db")).TrustFile().MarkOwnFile(); err != nil {
		t.Fatal(err)
	}

	rows := diagnose(t, cli.ExitFailed)
	expect(t, rows,
		"endpoint good ok "+server.URL+"/good/v1 lists 1 model in ",
		"model away look endpoint good does not list away > compare its model with the names that the endpoint lists: here",
		"endpoint nokey broken refused with HTTP status 401",
		"name its variable in api_key_env",
		"endpoint echo broken refused with HTTP status 401",
		"check the key in GOOD_KEY",
		"endpoint unset broken endpoints.unset.api_key_env: the environment variable NOT_SET_ANYWHERE is not set",
		"endpoint words broken endpoints.words.api_key_env: the environment variable TWO_WORDS holds a space",
		"endpoint bare broken GET "+server.URL+"/good/models: HTTP status 404", "try "+server.URL+"/good/v1",
		"endpoint chats look GET ", "may chat all the same",
		"endpoint page broken ", "try "+server.URL+"/page/v1",
		"endpoint gone broken no connection",
		`model broken concord.toml:28: models.lost.endpoint: there is no endpoint "god"; did you mean good?`,
		"config look default_endpoint: say which endpoint",
		"prompts broken choice: read prompt: ", "prompts broken yesno (bad.txt)",
	)

	// Nothing of all this repeats the key.
	var shown strings.Builder
	for _, args := range [][]string{{"doctor"}, {"doctor", "--json"}, {"config"}, {"config", "--json"}, {"config", "path"}, {"config", "init"}} {
		runProgram(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: &shown, Err: &shown})
	}
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		shown.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(shown.String(), "GOOD_KEY (set)") || !strings.Contains(shown.String(), "command failed") {
		t.Error("nothing was shown or logged")
	}
	if strings.Contains(shown.String(), "verysecret") {
		t.Error("the key was shown, logged or written")
	}
}

func TestDoctorLooksIntoTheProject(t *testing.T) {
	atHome(t)
	expect(t, diagnose(t, cli.ExitDone), "project look there is no project concord.db here yet", "endpoint look no endpoint is known")

	st, err := store.Open("concord.db", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(st.Datasets().BeginDataset(t.Context(), eval.Dataset{Name: "half", Samples: 2, Hash: "h"}))
	run1, err := st.Runs().CreateRun(t.Context(), eval.Config{Dataset: "half", Model: "m", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported})
	must(err)
	must(st.Runs().Record(t.Context(), eval.Fact{Prediction: eval.Prediction{
		Key: eval.Key{Run: run1.ID}, Failure: &eval.Failure{Kind: eval.FailureSample, Message: "x"},
	}}))
	inside := []string{
		"project ok concord.db holds 1 dataset, 1 run, 0 queues",
		"import look dataset half was not imported to the end",
		"import look run 1 (m) was not imported to the end",
		"run look run 1 (m on half) has 1 failed call",
		"disk ",
	}

	// The process that holds the project tells what is in it.
	h, err := project.ListenAsHolder(context.Background(), newTestApp(cli.Streams{}, "concord.db"), st)
	must(err)
	held := diagnose(t, cli.ExitDone)
	expect(t, held, append(inside, fmt.Sprintf("project ok concord.db is open in another process (pid %d)", os.Getpid()))...)
	if strings.Count(strings.Join(held, "\n"), "terminal ok") != 1 {
		t.Errorf("the holder looked at more than the project:\n%s", strings.Join(held, "\n"))
	}
	h.Close()
	expect(t, diagnose(t, cli.ExitDone), "project look concord.db is open in another process, which does not answer")
	must(st.Close())

	expect(t, diagnose(t, cli.ExitDone), append(inside, "records ok ")...)
	must(os.WriteFile("concord.db", []byte(strings.Repeat("no project ", 2000)), 0o600))
	expect(t, diagnose(t, cli.ExitFailed), "project broken ", "name the project's file with --project")
}
