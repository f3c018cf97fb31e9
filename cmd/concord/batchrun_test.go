package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/openai/openaitest"
)

// vendor is a batch service in front of a rig's server.
type vendor struct {
	mu      sync.Mutex
	r       *rig
	url     string
	files   map[string]string
	batches []map[string]any
	created int                                             // batches that calls asked for
	looks   int                                             // at a batch
	ends    func(v *vendor, looks int) (status string)      // what a batch has become
	line    func(id string, status int, body []byte) string // a line of results
	lose    func(r *http.Request) bool                      // the reply to a request is lost, after it was done
	rewrite func(b map[string]any)                          // of a batch, before it is shown
	instead func(r *http.Request) string                    // what a gateway says with status 200 in its place; "": nothing
}

// newVendorRig has a rig whose endpoint has batches.
func newVendorRig(t *testing.T, questions int, o openaitest.Options) (*rig, *vendor) {
	t.Helper()
	t.Setenv(rigVariable, rigKey)
	t.Setenv("CONCORD_RIG_TENANT", "tenant-4711-is-secret-as-well")
	r := newRig(t, o, rigRows(questions, "")...)
	v := &vendor{r: r, files: make(map[string]string), line: openaiLine, ends: func(*vendor, int) string { return "completed" }}
	s := httptest.NewServer(v)
	t.Cleanup(s.Close)
	v.url = s.URL
	r.write("concord.toml", strings.Replace(r.read("concord.toml"), r.server.URL(), s.URL+"/v1", 1)+
		"[endpoints.lab.headers]\nx-tenant = \"CONCORD_RIG_TENANT\"\n[endpoints.lab.query]\napi-version = \"CONCORD_RIG_TENANT\"\n")
	r.ends(0, "config", "trust", "--yes")
	return r, v
}

func (v *vendor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if r.Header.Get("Authorization") != "Bearer "+rigKey || r.Header.Get("X-Tenant") == "" || r.URL.Query().Get("api-version") == "" {
		http.Error(w, `{"error":{"message":"who are you? `+r.Header.Get("Authorization")+`"}}`, http.StatusUnauthorized)
		return
	}
	if v.instead != nil && v.instead(r) != "" {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, v.instead(r))
		return
	}
	var out any
	path := strings.TrimPrefix(r.URL.Path, "/v1")
	switch id, _ := strings.CutPrefix(path, "/batches/"); {
	case path == "/files" && r.Method == http.MethodPost:
		f, _, err := r.FormFile("file")
		if err != nil || r.FormValue("purpose") != "batch" {
			http.Error(w, "no file", http.StatusBadRequest)
			return
		}
		text, _ := io.ReadAll(f)
		id := fmt.Sprintf("file-%d", len(v.files))
		v.files[id] = string(text)
		out = map[string]any{"id": id, "object": "file"}
	case path == "/batches" && r.Method == http.MethodPost:
		var b map[string]any
		_ = json.NewDecoder(r.Body).Decode(&b)
		b["id"], b["status"] = fmt.Sprintf("batch_%d", len(v.batches)), "validating"
		v.batches = append(v.batches, b)
		v.created++
		out = b
	case path == "/batches":
		out = map[string]any{"object": "list", "data": v.batches, "has_more": false}
	case id != path:
		var n int
		if _, err := fmt.Sscanf(id, "batch_%d", &n); err != nil || n >= len(v.batches) {
			http.Error(w, `{"error":{"message":"No batch found"}}`, http.StatusNotFound)
			return
		}
		v.looks++
		out = v.progress(v.batches[n])
	default:
		file, ok := v.files[strings.TrimSuffix(strings.TrimPrefix(path, "/files/"), "/content")]
		if !ok {
			http.Error(w, `{"error":{"message":"no such file"}}`, http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = io.WriteString(w, file)
		return
	}
	if v.lose != nil && v.lose(r) {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out)
}

// progress is a batch as it is now. Once it ends, its calls are made.
func (v *vendor) progress(b map[string]any) map[string]any {
	status := v.ends(v, v.looks)
	calls := v.files[b["input_file_id"].(string)]
	n := strings.Count(calls, "\n")
	counts := map[string]any{"total": n, "completed": 0, "failed": 0}
	b["request_counts"] = counts
	if b["status"] = status; status == "completed" || status == "expired" || status == "cancelled" {
		if b["output_file_id"] == nil {
			v.r.write("calls.jsonl", calls)
			var good, bad []string
			for line := range strings.Lines(v.r.service("calls.jsonl", v.line)) {
				if strings.Contains(line, `"status_code":200`) {
					good = append(good, line)
				} else {
					bad = append(bad, line)
				}
			}
			id := "file-out-" + b["id"].(string)
			v.files[id], b["output_file_id"] = strings.Join(good, ""), id
			if len(bad) > 0 {
				v.files["e"+id], b["error_file_id"] = strings.Join(bad, ""), "e"+id
			}
			counts["completed"], counts["failed"] = len(good), len(bad)
		}
	}
	if v.rewrite != nil {
		v.rewrite(b)
	}
	return b
}

type batchRun struct {
	Run, Submitted, Skipped, Read, Added, Unchanged int
	Batches                                         []struct {
		Batch, Status, Why       string
		Calls, Completed, Failed int
	}
}

func (r *rig) batchRun(code int, args ...string) (batchRun, string) {
	r.tb.Helper()
	got := r.ends(code, append([]string{"batch", "run", "--dataset", "d", "--model", "vlm", "--modality", "text", "--every", "5ms", "--json"}, args...)...)
	for _, secret := range []string{rigKey, "tenant-4711"} {
		if strings.Contains(got.out+got.err, secret) {
			r.tb.Errorf("a secret is told: %s%s", got.out, got.err)
		}
	}
	if got.out == "" {
		return batchRun{}, got.err
	}
	return decode[batchRun](r.tb, got.out), got.err
}

// noSecrets looks into every file of the rig's folder and of the folder of logs.
func (r *rig) noSecrets() {
	r.tb.Helper()
	for _, dir := range []string{r.dir, os.Getenv("XDG_STATE_HOME")} {
		if dir == "" {
			continue
		}
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !d.Type().IsRegular() {
				return err
			}
			if text, _ := os.ReadFile(path); bytes.Contains(text, []byte(rigKey)) || bytes.Contains(text, []byte("tenant-4711")) {
				r.tb.Errorf("%s holds a secret", path)
			}
			return nil
		})
		if err != nil {
			r.tb.Error(err)
		}
	}
}

func TestBatchRunSubmitsPollsAndTakesTheResults(t *testing.T) {
	r, v := newVendorRig(t, 10, openaitest.Options{Answer: (&script{asked: make(map[int]int), plain: true}).answer})
	v.ends = func(_ *vendor, looks int) string {
		return []string{"validating", "in_progress", "in_progress", "finalizing", "completed", "completed", "completed"}[min(looks-1, 6)]
	}
	s, told := r.batchRun(0, "--most-calls", "4")
	if s.Submitted != 10 || s.Added != 10 || len(s.Batches) != 3 || v.created != 3 || s.Batches[0].Calls != 4 {
		t.Errorf("%+v, %d batches", s, v.created)
	}
	if !strings.Contains(told, "batch batch_0: validating, 0 of 4 calls made, 0 failed") {
		t.Error(told)
	}
	if s, _ := r.batchRun(0); s.Submitted != 0 || len(s.Batches) != 0 || v.created != 3 {
		t.Errorf("again: %+v, %d batches", s, v.created)
	}
	if a := r.accuracy("vanilla"); a.Accuracy.N != 10 || a.Errors != 0 || a.Pending != 0 {
		t.Errorf("%+v", a)
	}
	r.noSecrets()
}

func TestBatchRunGoesOnWhereItWasInterrupted(t *testing.T) {
	r, v := newVendorRig(t, 6, openaitest.Options{Answer: (&script{asked: make(map[int]int), plain: true}).answer})
	ctx, stop := context.WithCancel(t.Context())
	v.ends = func(_ *vendor, looks int) string {
		if looks == 2 {
			stop()
		}
		return "in_progress"
	}
	args := []string{"batch", "run", "--dataset", "d", "--model", "vlm", "--modality", "text", "--every", "5ms"}
	got := r.concordIn(ctx, args...)
	if got.code != cli.ExitInterrupted || !strings.Contains(got.err, "run 1: 1 batch is open: the same command waits on") {
		t.Fatalf("%+v", got)
	}
	if got := r.ends(1, "eval", "--run", "1"); !strings.Contains(got.err, "run 1: 1 batch is open, whose calls would be asked twice (concord batch run --run 1") {
		t.Errorf("%+v", got)
	}
	v.mu.Lock()
	v.ends = func(*vendor, int) string { return "completed" }
	v.mu.Unlock()
	if s, told := r.batchRun(0); s.Submitted != 0 || s.Added != 6 || v.created != 1 || !strings.Contains(told, "1 batch is open, and nothing is submitted beside") {
		t.Errorf("%+v, %d batches\n%s", s, v.created, told)
	}
	// The reply that named the batch was lost: it is found by its file.
	r2, v2 := newVendorRig(t, 6, openaitest.Options{Answer: (&script{asked: make(map[int]int), plain: true}).answer})
	v2.lose = func(r *http.Request) bool { return r.Method == http.MethodPost && r.URL.Path == "/v1/batches" }
	if _, told := r2.batchRun(1); !strings.Contains(told, "start a batch of run 1") || !strings.Contains(told, "the same command waits on") {
		t.Error(told)
	}
	// A gateway's error with status 200 is no list without batches: nothing is submitted again.
	v2.mu.Lock()
	v2.lose, v2.instead = nil, func(r *http.Request) string {
		return eval.Either(r.URL.Path == "/v1/batches", `{"error":{"message":"quota of `+rigKey+` is used up","code":"insufficient_quota"}}`, "")
	}
	v2.mu.Unlock()
	if _, told := r2.batchRun(1); !strings.Contains(told, "the reply of status 200 holds an error: quota of [key] is used up") || v2.created != 1 {
		t.Errorf("%d batches\n%s", v2.created, told)
	}
	v2.mu.Lock()
	v2.instead = nil
	v2.mu.Unlock()
	if s, told := r2.batchRun(0); s.Submitted != 0 || s.Added != 6 || v2.created != 1 {
		t.Errorf("%+v, %d batches\n%s", s, v2.created, told)
	}
}

func TestBatchRunTakesWhatIsThereOfABatchThatFailed(t *testing.T) {
	r, v := newVendorRig(t, 6, openaitest.Options{Answer: (&script{asked: make(map[int]int), plain: true}).answer})
	n := 0
	v.line = func(id string, status int, body []byte) string {
		if n++; n > 4 {
			return fmt.Sprintf(`{"id":"x","custom_id":%q,"response":null,"error":{"code":"batch_expired","message":"This request could not be executed before the completion window expired."}}`, id)
		}
		return openaiLine(id, status, body)
	}
	v.ends = func(*vendor, int) string { return "expired" }
	s, told := r.batchRun(1)
	if s.Read != 6 || s.Added != 6 || s.Batches[0].Status != "expired" || s.Batches[0].Failed != 2 || !strings.Contains(told, "1 of 1 batch did not complete") || !strings.Contains(told, "2 calls failed") {
		t.Errorf("%+v\n%s", s, told)
	}
	v.ends = func(*vendor, int) string { return "failed" }
	v.rewrite = func(b map[string]any) {
		b["errors"] = map[string]any{"data": []any{map[string]any{"code": "token_limit_exceeded", "message": "Enqueued token limit reached, Bearer " + rigKey}}}
	}
	s, told = r.batchRun(1)
	if s.Submitted != 2 || s.Read != 0 || !strings.Contains(told, "2 calls without a result: Enqueued token limit reached") {
		t.Errorf("%+v\n%s", s, told)
	}
	v.rewrite, v.line, v.ends = nil, openaiLine, func(*vendor, int) string { return "completed" }
	if s, told = r.batchRun(0); s.Submitted != 2 || s.Added != 2 || v.created != 3 {
		t.Errorf("%+v\n%s", s, told)
	}
	r.noSecrets()
}

// Calls that the endpoint refuses are not submitted again, and are not said to be.
func TestBatchRunTellsRefusalsFromFailures(t *testing.T) {
	r, v := newVendorRig(t, 4, openaitest.Options{Answer: (&script{asked: make(map[int]int), plain: true}).answer})
	n := 0
	v.line = func(id string, status int, body []byte) string {
		n++
		refused := map[int]int{1: 400, 2: 429}[n]
		if refused == 0 {
			return openaiLine(id, status, body)
		}
		return fmt.Sprintf(`{"id":"x","custom_id":%q,"response":{"status_code":%d,"body":{"error":{"message":"no"}}},"error":null}`, id, refused)
	}
	if _, told := r.batchRun(0); !strings.Contains(told, "1 call failed: concord batch run submits") || !strings.Contains(told, "the endpoint refuses 1 call: concord eval --retry-failed") {
		t.Error(told)
	}
	if s, told := r.batchRun(0); s.Submitted != 1 || strings.Contains(told, "refuses") {
		t.Errorf("%+v\n%s", s, told)
	}
}

func TestBatchThatIsLostIsGivenUpByRequest(t *testing.T) {
	r, v := newVendorRig(t, 3, openaitest.Options{})
	ctx, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	v.ends = func(*vendor, int) string { stop(); return "in_progress" }
	r.concordIn(ctx, "batch", "run", "--dataset", "d", "--model", "vlm", "--modality", "text", "--every", "5ms")
	v.batches = nil
	if _, told := r.batchRun(1); !strings.Contains(told, "batch batch_0 of run 1: configuration: ") || !strings.Contains(told, "HTTP status 404: it does not know this batch") || !strings.Contains(told, "--forget") {
		t.Error(told)
	}
	if _, told := r.batchRun(0, "--forget"); !strings.Contains(told, "1 batch given up") {
		t.Error(told)
	}
	v.ends = func(*vendor, int) string { return "completed" }
	v.line = func(id string, status int, body []byte) string { // the vendor echoes the key
		return strings.Replace(openaiLine(id, status, body), `"content":"`, `"content":"`+rigKey+" ", 1)
	}
	if s, told := r.batchRun(0); s.Submitted != 3 || s.Added != 3 || v.created != 2 {
		t.Errorf("%+v\n%s", s, told)
	}
	if got := r.texts()["0.0"]; got != "[key] A" {
		t.Errorf("kept is %q", got)
	}
	r.noSecrets()
}
