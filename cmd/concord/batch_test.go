package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"concord/cmd/concord/internal/cli"
	"concord/eval/openai/openaitest"
)

// batchSummary is what batch export and batch import say.
type batchSummary struct {
	Calls, Skipped, Waiting         int
	Files                           []string
	Read, Added, Unchanged, Problem int
}

func (r *rig) exportBatch(name string, args ...string) batchSummary {
	r.tb.Helper()
	args = append([]string{"batch", "export", "--dataset", "d", "--model", "vlm", "--modality", "text", "--json", "--out", r.path(name)}, args...)
	return decode[batchSummary](r.tb, r.done(args...))
}

// service does what a batch service does with a file of calls: it makes them
// one after the other, and writes a line of results for each.
func (r *rig) service(file string, result func(id string, status int, body []byte) string) string {
	r.tb.Helper()
	var out strings.Builder
	lines := bufio.NewScanner(strings.NewReader(r.read(file)))
	for lines.Scan() {
		call := decode[struct {
			ID          string `json:"custom_id"`
			Method, URL string
			Body        json.RawMessage
		}](r.tb, lines.Text())
		if call.Method != http.MethodPost || call.URL != "/v1/chat/completions" || len(call.ID) > 64 {
			r.tb.Fatalf("a line is %s", lines.Text())
		}
		req, err := http.NewRequestWithContext(r.tb.Context(), call.Method, strings.TrimSuffix(r.server.URL(), "/v1")+call.URL, bytes.NewReader(call.Body))
		if err != nil {
			r.tb.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+rigKey)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			r.tb.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil {
			r.tb.Fatal(err)
		}
		out.WriteString(result(call.ID, resp.StatusCode, body) + "\n")
	}
	return out.String()
}

// openaiLine is a result as OpenAI's batches write it.
func openaiLine(id string, status int, body []byte) string {
	return fmt.Sprintf(`{"id":"batch_req_1","custom_id":%q,"response":{"status_code":%d,"request_id":"r","body":%s},"error":null}`, id, status, body)
}

// vllmLine is a result as vLLM's run-batch writes it.
func vllmLine(id string, status int, body []byte) string {
	if status != http.StatusOK {
		return fmt.Sprintf(`{"id":"vllm-1","custom_id":%q,"response":{"status_code":%d,"request_id":"vllm-batch-1","body":null},"error":%s}`, id, status, body)
	}
	return fmt.Sprintf(`{"id":"vllm-1","custom_id":%q,"response":{"status_code":200,"request_id":"vllm-batch-1","body":%s},"error":null}`, id, body)
}

// texts are the answers of a project, as an export has them.
func (r *rig) texts() map[string]string {
	r.tb.Helper()
	all := make(map[string]string)
	lines := bufio.NewScanner(strings.NewReader(r.done("export", "predictions", "--format", "jsonl")))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		p := decode[struct {
			Sample     string
			Pass       int
			Prediction string
		}](r.tb, lines.Text())
		all[fmt.Sprintf("%s.%d", p.Sample, p.Pass)] = p.Prediction
	}
	return all
}

func TestBatchTakesWhatIsGoodAndExportsTheRestAgain(t *testing.T) {
	t.Parallel()
	const questions = 20
	for name, line := range map[string]func(string, int, []byte) string{"openai": openaiLine, "vllm": vllmLine} {
		t.Run(name, func(t *testing.T) {
			answer := (&script{asked: make(map[int]int), plain: true}).answer
			r := newRig(t, openaitest.Options{Answer: answer}, rigRows(questions, "")...)
			if s := r.exportBatch("calls.jsonl"); s.Calls != questions || len(s.Files) != 1 {
				t.Fatalf("%+v", s)
			}
			results := strings.Split(strings.TrimSuffix(r.service("calls.jsonl", line), "\n"), "\n")
			id := strings.Split(results[3], `"`)[7]
			results[3] = line(id, http.StatusInternalServerError, []byte(`{"error":{"message":"it broke","code":"server_error"}}`))
			results[7] = results[7][:len(results[7])/2]
			results = append(results, openaiLine("somebody-elses-1", 200, []byte(`{}`)), strings.Replace(results[4], "concord-", "concord-00000000-", 1))
			r.write("results.jsonl", strings.Join(results, "\n")+"\n")
			take := func(file string) batchSummary {
				t.Helper()
				got := r.concord("batch", "import", r.path(file), "--json")
				return decode[batchSummary](t, got.out)
			}
			if s := take("results.jsonl"); s.Added != questions-1 || s.Read != questions-1 || s.Skipped != 3 {
				t.Errorf("first: %+v", s)
			}
			if s := take("results.jsonl"); s.Added != 0 || s.Unchanged != questions-1 || s.Skipped != 3 {
				t.Errorf("twice: %+v", s)
			}
			if s := r.exportBatch("again.jsonl"); s.Calls != 2 {
				t.Errorf("to be made again: %+v", s)
			}
			r.write("more.jsonl", r.service("again.jsonl", line))
			if s := take("more.jsonl"); s.Added != 2 || s.Skipped != 0 {
				t.Errorf("the rest: %+v", s)
			}
			if s := take("results.jsonl"); s.Added != 0 {
				t.Errorf("a failure that an answer took the place of: %+v", s)
			}
			before, _ := r.server.TotalCalls()
			s := r.eval("--modality", "text")
			if after, _ := r.server.TotalCalls(); s.Made || after != before || s.Questions != questions || s.Errors != 0 || s.Predictions != questions {
				t.Errorf("%d more calls, %+v", after-before, s)
			}
			if a := r.accuracy("vanilla"); a.Accuracy.N != questions || a.Accuracy.K > questions {
				t.Errorf("%+v", a)
			}
			if _, err := os.Stat(r.path("again-2.jsonl")); err == nil {
				t.Error("there is a second file")
			}
		})
	}
}

// In rounds, with early stop and a judge, batches make the calls of a live run
// and give its result.
func TestBatchRoundsEqualALiveRun(t *testing.T) {
	t.Parallel()
	const questions = 30
	args := []string{"--strategy", "circular", "--judge", "judge"}
	live := newRig(t, openaitest.Options{Answer: (&script{asked: make(map[int]int)}).answer}, rigRows(questions, "")...)
	live.eval(append(args, "--modality", "text")...)

	r := newRig(t, openaitest.Options{Answer: (&script{asked: make(map[int]int)}).answer}, rigRows(questions, "")...)
	rounds := 0
	for calls := 1; calls > 0 && rounds < 20; rounds++ {
		calls = 0
		for _, more := range [][]string{nil, {"--judging"}} {
			s := r.exportBatch("calls.jsonl", append(args, more...)...)
			if s.Calls == 0 {
				continue
			}
			calls += s.Calls
			r.write("results.jsonl", r.service("calls.jsonl", openaiLine))
			r.done("batch", "import", r.path("results.jsonl"))
			if s := decode[batchSummary](t, r.done("batch", "import", r.path("results.jsonl"), "--json")); s.Added != 0 {
				t.Errorf("twice: %+v", s)
			}
		}
	}
	for _, model := range []string{"vlm", "judge"} {
		want, each := live.asked(model)
		got, same := r.asked(model)
		if got != want || len(same) != len(each) {
			t.Errorf("%s: %d calls in batches, %d live", model, got, want)
		}
	}
	want, got := live.texts(), r.texts()
	for k, text := range want {
		if got[k] != text {
			t.Errorf("%s: %q in batches, %q live", k, got[k], text)
		}
	}
	for _, strategy := range []string{"circular", "vanilla"} {
		a, b := live.accuracy(strategy, "--judge", "judge"), r.accuracy(strategy, "--judge", "judge")
		if a != b || len(want) != len(got) {
			t.Errorf("%s: %+v in batches, %+v live", strategy, b, a)
		}
	}
	if rounds != 5 {
		t.Errorf("%d rounds: want four passes, and one that finds nothing", rounds)
	}
}

// A judge's error file neither takes back what the judge has said, whichever
// comes first, nor counts twice.
func TestBatchOfAJudgeFailsAndComesAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{Answer: halfUnreadable}, rigRows(10, "")...)
	r.eval("--modality", "text")
	if s := r.exportBatch("calls.jsonl", "--run", "1", "--judging", "--judge", "judge"); s.Calls != 5 {
		t.Fatalf("%+v", s)
	}
	good := r.service("calls.jsonl", openaiLine)
	bad := r.service("calls.jsonl", func(id string, _ int, _ []byte) string {
		return vllmLine(id, http.StatusInternalServerError, []byte(`{"error":{"message":"it broke"}}`))
	})
	r.write("good.jsonl", good)
	r.write("bad.jsonl", bad)
	take := func(file string, want int) {
		t.Helper()
		s := decode[batchSummary](t, r.done("batch", "import", r.path(file), "--judge", "judge", "--json"))
		if s.Added != want || s.Read != 5 {
			t.Errorf("%s: %+v, want %d added", file, s, want)
		}
	}
	take("bad.jsonl", 5)
	take("bad.jsonl", 0)
	take("good.jsonl", 5)
	take("bad.jsonl", 0)
	take("good.jsonl", 0)
	if s := r.exportBatch("none.jsonl", "--run", "1", "--judging", "--judge", "judge"); s.Calls != 0 {
		t.Errorf("what is judged is exported again: %+v", s)
	}
	if a := r.accuracy("vanilla", "--judge", "judge"); a.Accuracy.K != 10 {
		t.Errorf("%+v", a)
	}
}

// Results are taken where no key is: nothing is asked.
func TestBatchImportNeedsNoKey(t *testing.T) {
	r := newRig(t, openaitest.Options{Answer: halfUnreadable}, rigRows(10, "")...)
	r.eval("--modality", "text")
	r.exportBatch("calls.jsonl", "--run", "1", "--judging", "--judge", "judge", "--language", "en")
	r.write("results.jsonl", r.service("calls.jsonl", openaiLine))
	t.Setenv(rigVariable, "")
	if s := decode[batchSummary](t, r.done("batch", "import", r.path("results.jsonl"), "--judge", "judge", "--json")); s.Added != 5 {
		t.Errorf("%+v", s)
	}
}

// Calls that the judge decides about are not written before it has read.
func TestBatchWaitsForTheJudge(t *testing.T) {
	r := newRig(t, openaitest.Options{Answer: (&script{asked: make(map[int]int)}).answer}, rigRows(10, "")...)
	args := []string{"--strategy", "circular", "--judge", "judge"}
	r.exportBatch("calls.jsonl", args...)
	r.write("results.jsonl", r.service("calls.jsonl", openaiLine))
	r.done("batch", "import", r.path("results.jsonl"))
	if s := r.exportBatch("calls.jsonl", args...); s.Waiting != 5 || s.Calls != 4 { // of the even ones, that of 0 ended
		t.Errorf("%+v", s)
	}
	got := r.ends(cli.ExitDone, "batch", "export", "--run", "1", "--out", r.path("calls.jsonl"))
	if !strings.Contains(got.err, "5 questions wait for the judge") {
		t.Errorf("%s", got.err)
	}
}
