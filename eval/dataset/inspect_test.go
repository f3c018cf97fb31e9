package dataset

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/dataset/profile"
)

// Logs of inspect_ai in both forms: questions, answers, model and the
// scorer's reading.
func TestRealInspect(t *testing.T) {
	m := newMemory(t)
	for _, c := range []struct {
		name, model, scorer              string
		kind                             eval.Kind
		rows, right, judgments, pictures int
		first                            eval.Prediction
	}{
		{"mmlu.eval", "openai/gpt-4o", "inspect_ai/choice", eval.KindChoice, 1, 0, 1, 0, eval.Prediction{Text: "ANSWER: C"}},
		{"popularity.json", "openai/gpt-4o-mini", "inspect_ai/match", eval.KindYesNo, 3, 2, 3, 0, eval.Prediction{Text: "Yes"}},
		{"log_images.json", "openai/gpt-4o", "inspect_ai/match", eval.KindOpen, 1, 0, 0, 1, eval.Prediction{Text: "[Abstract]"}},
	} {
		o := PredictionOptions{Dataset: eval.DatasetName(c.name), Options: Options{Strict: true}}
		path := real(t, "logs/inspect/"+c.name)
		sum, err := ImportPredictions(t.Context(), m, path, o)
		if err != nil {
			t.Fatal(err)
		}
		if sum.Format != profile.Inspect || sum.Added != c.rows || !sum.Made || sum.Scorer != c.scorer || sum.Scored != c.rows ||
			sum.ScoredRight != c.right || sum.Judgments != c.judgments || sum.Pictures != c.pictures {
			t.Errorf("%s: %+v", c.name, sum)
		}
		run := m.runs[sum.Run-1]
		first := m.facts[eval.Key{Run: sum.Run}].Prediction
		if s := m.samples[o.Dataset][0]; run.Config.Model != c.model || first.Text != c.first.Text || s.Kind != c.kind || s.Source == "" {
			t.Errorf("%s: %+v, %+v, %+v", c.name, run.Config, first, s)
		}
		again, err := ImportPredictions(t.Context(), m, path, o)
		if err != nil || again.Added+again.Judgments != 0 || again.Unchanged != c.rows {
			t.Errorf("%s again: %+v, %v", c.name, again, err)
		}
	}
	s := m.samples["mmlu.eval"][0]
	if len(s.Options) != 4 || s.Answer != "A" || eval.JoinPath(s.Taxonomy) != "college_physics" || !strings.HasPrefix(s.Question, "Positronium") {
		t.Errorf("%+v", s)
	}
	if j := m.said[eval.Key{Run: 1}]; j.Judge != "inspect_ai/choice" || j.Extraction.Choice != "C" || j.Extraction.Status != eval.Found {
		t.Errorf("%+v", j)
	}
	if s := m.samples["log_images.json"][0]; s.Question != "What is this a picture of?" || s.Reference != "bike; bicycle" || s.Pictures[0].Hash == "" {
		t.Errorf("%+v", s)
	}
}

// The samples of an lmms-eval log count right by its scorer; the model is in
// the results beside it.
func TestRealLMMS(t *testing.T) {
	text, err := os.ReadFile(real(t, "logs/lmms-eval/20260923_232421_samples_mme.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	root := folderOf(t, map[string]string{
		"20260923_232421_samples_mme.jsonl": string(text),
		"20260923_232421_results.json":      `{"results": {}, "model_source": "qwen2_5_vl", "model_name": "Qwen/Qwen2.5-VL-7B-Instruct", "n-shot": {"mme": 2, "pope": 0}}`,
	})
	m := newMemory(t)
	sum, err := ImportPredictions(t.Context(), m, filepath.Join(root, "20260923_232421_samples_mme.jsonl"), PredictionOptions{})
	if err != nil || sum.Added != 8 || sum.Scored != 8 || sum.ScoredRight != 7 || sum.Judgments != 0 {
		t.Errorf("%+v, %v", sum, err)
	}
	if c := m.runs[0].Config; c.Model != "Qwen/Qwen2.5-VL-7B-Instruct" || c.Dataset != "mme" || c.Settings.Shots != 2 {
		t.Errorf("%+v", c)
	}
}

// A log names its dataset, or its task, and its shots; who imports it has the
// last word.
func TestLogNames(t *testing.T) {
	const sample = `,"samples":[{"id":1,"epoch":1,"input":"q","target":"yes","output":{"completion":"Yes"}}]}`
	four := 4
	check := func(text string, o PredictionOptions, want eval.DatasetName, shots int) {
		t.Helper()
		path := filepath.Join(folderOf(t, map[string]string{"log.json": text}), "log.json")
		m := newMemory(t)
		sum, err := ImportPredictions(t.Context(), m, path, o)
		if err != nil || sum.Dataset != want || sum.Added != 1 || sum.Model != "m" || sum.Shots != shots || m.runs[0].Config.Settings.Shots != shots {
			t.Errorf("%v: %+v, %+v", err, sum, m.runs)
		}
	}
	const task = `{"version":2,"eval":{"task":"t/x","model":"m","task_args":{"cot":true,"fewshot":3}`
	check(task+`,"dataset":{"name":"d"}}`+sample, PredictionOptions{}, "d", 3)
	check(task+`}`+sample, PredictionOptions{Shots: &four}, "t/x", 4)
	check(task+`}`+sample, PredictionOptions{Dataset: "own"}, "own", 3)
	check(`{"version":2,"eval":{"task":"t","model":"m","task_args":{"fewshot":true}}`+sample, PredictionOptions{}, "t", 0)

	lines := filepath.Join(folderOf(t, map[string]string{"d.jsonl": `{"id":1,"question":"q","answer":"yes","prediction":"yes"}`}), "d.jsonl")
	if name, err := ReadDatasetName(t.Context(), lines, ""); name != "" || err != nil {
		t.Errorf("%q, %v", name, err)
	}
}

// zipOf is a zip of entries; a bomb's entry says that it unpacks to more than
// anybody holds.
func zipOf(t testing.TB, entries ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, e := range entries {
		name, text, _ := strings.Cut(e, "=")
		var w io.Writer
		var err error
		if text == "bomb" {
			w, err = z.CreateRaw(&zip.FileHeader{Name: name, UncompressedSize64: 1 << 40, CompressedSize64: 4, Method: zip.Deflate})
		} else {
			w, err = z.Create(name)
		}
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

const inspectEval = `{"version":2,"status":"success","eval":{"task":"t","model":"m","dataset":{"name":"d","sample_ids":["b","a"]}}`

func inspectOne(id, rest string) string {
	return fmt.Sprintf(`{"id":%q,"epoch":1,"input":"q %s?","choices":["None","x"],"target":"A"%s}`, id, id, rest)
}

// A broken sample costs itself alone, and is named by its place.
func TestInspectProblems(t *testing.T) {
	answer := `,"output":{"choices":[{"message":{"content":[{"type":"reasoning","reasoning":"hm"},{"type":"text","text":"A"}]}}]},"scores":{"choice":{"value":"C","answer":""}}`
	check := func(name string, in []byte, added int, want ...string) {
		t.Helper()
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, in, 0o644); err != nil {
			t.Fatal(err)
		}
		m := newMemory(t)
		sum, err := ImportPredictions(t.Context(), m, path, PredictionOptions{Dataset: "d"})
		if err != nil {
			if len(want) != 1 || !strings.Contains(err.Error(), want[0]) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
			return
		}
		var got []string
		for _, p := range sum.Problems {
			got = append(got, p.String())
		}
		if sum.Added != added || strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s: %+v\n%s", name, sum, strings.Join(got, "|"))
		}
		for _, s := range m.samples["d"] {
			if len(s.Options) != 2 || s.Options[0].Text != "None" {
				t.Errorf("%s: %+v", name, s)
			}
		}
	}
	a, b := inspectOne("a", answer), inspectOne("b", answer)
	check("good.json", []byte(inspectEval+",\n\"samples\":[\n"+a+",\n"+b+"]}"), 2)
	check("broken.json", []byte(inspectEval+",\n\"plan\":{},\n\"samples\" : [\n{\"id\": tru},\n"+b+",\n"+strings.Replace(a, `"epoch":1`, `"epoch":2`, 1)+"]}"), 1,
		"broken.json:4: not a JSON object: invalid character '}' in literal true (expecting 'e'): write the row as {\"column\": value, ...}, or leave it out",
		"broken.json:6: a later epoch of a sample: only the first one's answer is taken")
	check("failed.json", []byte(inspectEval+",\"samples\":["+b+","+inspectOne("c", `,"error":{"message":"no credit"}`)+"]}"), 1,
		"failed.json:1: the sample failed: no credit")
	check("cut.json", []byte(inspectEval+",\"samples\":["+b+","+a[:60]), 1, "cut.json:1: the object does not end before the file does")
	check("none.json", []byte(inspectEval+"}"), 0, "the log has no samples")
	check("null.json", []byte(inspectEval+`,"samples":null}`), 0, "the log has no samples")
	check("head.json", []byte(inspectEval[:80]), 0, "line 1: unexpected EOF")
	head := "header.json=" + inspectEval + "}"
	check("good.eval", zipOf(t, "_journal/start.json={}", "samples/a_epoch_1.json="+a, "samples/b_epoch_1.json="+b, head), 2)
	check("broken.eval", zipOf(t, head, "samples/a_epoch_1.json={", "samples/b_epoch_1.json="+b), 1,
		"broken.eval/samples/a_epoch_1.json:1: not a JSON object: unexpected end of JSON input: write the row as {\"column\": value, ...}, or leave it out")
	check("bomb.eval", zipOf(t, head, "samples/a_epoch_1.json=bomb", "samples/b_epoch_1.json="+b), 1,
		"bomb.eval/samples/a_epoch_1.json:1: what it unpacks to: 1024 GB, over the limit of 96 MB")
	check("empty.eval", zipOf(t, head), 0, "the zip has no samples")
	good := zipOf(t, head, "samples/b_epoch_1.json="+b)
	check("cut.eval", good[:len(good)-30], 0, "open zip: zip: not a valid zip file")
}

// What concord wrote into a log is no judge of it.
func TestInspectLeavesOutWhatConcordWrote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.json")
	sample := inspectOne("a", `,"output":{"choices":[{"message":{"content":"A"}}]},"scores":{"match":{"value":"C","answer":"A"},"concord":{"value":"I","answer":"B"},"concord_people":{"value":"I","answer":"B"}}`)
	if err := os.WriteFile(path, []byte(inspectEval+`,"samples":[`+sample+"]}"), 0o644); err != nil {
		t.Fatal(err)
	}
	m := newMemory(t)
	if _, err := ImportPredictions(t.Context(), m, path, PredictionOptions{Dataset: "d"}); err != nil {
		t.Fatal(err)
	}
	if len(m.said) != 1 || m.said[eval.Key{Run: 1}].Judge != "inspect_ai/match" {
		t.Errorf("judges said %+v", m.said)
	}
}
