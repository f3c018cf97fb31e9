package export

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// TestScorersOfTheGuide runs the scorers of GUIDE.md over labels as export labels writes
// them, with what they take of inspect_ai in its place.
func TestScorersOfTheGuide(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	guide, err := os.ReadFile("../../../GUIDE.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	programs := regexp.MustCompile("(?s)```python\n# (\\w+\\.py)(.*?)```").FindAllSubmatch(guide, -1)
	if len(programs) != 4 {
		t.Fatalf("GUIDE.md has %d programs of their own, want 4", len(programs))
	}
	for _, p := range programs {
		write(string(p[1]), "#"+string(p[2]))
	}
	if err := os.Mkdir(filepath.Join(dir, "inspect_ai"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("inspect_ai/__init__.py", "")
	write("inspect_ai/scorer.py", `
CORRECT, INCORRECT, NOANSWER = "C", "I", "N"
accuracy = stderr = lambda: None
scorer = lambda metrics: lambda f: f
class Score:
    def __init__(self, **k): self.__dict__.update(k)
`)
	row := `{"sample":"%1","pass":0,"model":"m","annotator":"ann","choice":"%2","act":"label","informed":false,"label":"","tags":"","sets":""}` + "\n"
	labels := ""
	for _, l := range [][2]string{{"1", "A"}, {"1", "A"}, {"1", "B"}, {"2", "A"}, {"2", "B"}, {"3", "B"}} {
		labels += regexp.MustCompile("%2").ReplaceAllString(regexp.MustCompile("%1").ReplaceAllString(row, l[0]), l[1])
	}
	write("labels.jsonl", labels)
	write("log.jsonl", `{"doc_id": 0, "filtered_resps": [["Yes"]], "doc": {"index": 7}}`+"\n"+`{"doc_id": 1, "filtered_resps": "No"}`+"\n")
	write("lmms.jsonl", `{"doc_id":"7","filtered_resps":["Yes"],"concord_choice":"yes","concord_score":1,"concord_people_choice":"no","concord_people_score":0,"concord":{"corrected":{"value":0.5}}}`+"\n")
	write("log.json", `{"results": {"scores": [{"name": "match"}]}, "samples": [{"id": 1, "epoch": 1, "output": {"choices": [{"message": {"content": "A"}}]}, "scores": {"match": {"value": "C"}}}, {"id": 1, "epoch": 2, "output": {"choices": []}}]}`)
	about := `{"machine":{"value":0.5,"low":0.4,"high":0.6},"people_only":{"value":null,"low":null,"high":null},"corrected":{"value":0.6,"low":0.5,"high":0.7}}`
	write("inspect.jsonl", `{"sample_id":"1","epoch":1,"response":"A","scores":{"concord":{"value":"C","answer":"A"}},"results":`+about+"}\n")
	write("check.py", `
import asyncio, json, subprocess, sys, types
from concord_labels import read_labels
assert read_labels() == {"1": "A", "3": "B"}, read_labels()
from concord_scorer import people
score = people()
got = [asyncio.run(score(types.SimpleNamespace(sample_id=i), ["A"])).value for i in (1, 2, 3)]
assert got == ["C", "N", "I"], got
import utils
items = [utils.people_results({"concord_id": str(i), "answer": "A"}, ["x"])["people_acc"] for i in (1, 2, 3)]
assert items == [1, None, 0] and utils.people_mean(items) == 0.5 and utils.people_mean([None]) is None, items
subprocess.run([sys.executable, "write_back.py", "log.jsonl", "lmms.jsonl"], check=True)
first, second = [json.loads(line) for line in open("log.concord.jsonl")]
assert first["doc"] == {"index": 7} and first["concord_people_score"] == 0 and first["concord"]["corrected"]["value"] == 0.5, first
assert second == {"doc_id": 1, "filtered_resps": "No"}, second
subprocess.run([sys.executable, "write_back.py", "log.json", "inspect.jsonl"], check=True)
out = json.load(open("log.concord.json"))
assert out["samples"][0]["scores"] == {"match": {"value": "C"}, "concord": {"value": "C", "answer": "A"}} and "scores" not in out["samples"][1], out
assert [s["name"] for s in out["results"]["scores"]] == ["match", "concord_machine", "concord_people_only", "concord_corrected"], out
assert [len(s.get("metrics", {})) for s in out["results"]["scores"]] == [0, 3, 0, 3] and out["results"]["scores"][3]["metrics"]["low"]["value"] == 0.5, out
other = open("log.json").read().replace('"content": "A"', '"content": "C"')
open("other.json", "w").write(other)
refused = subprocess.run([sys.executable, "write_back.py", "other.json", "inspect.jsonl"], capture_output=True, text=True)
assert refused.returncode == 1 and "sample 1 has another response" in refused.stderr, refused
`)
	run := exec.CommandContext(t.Context(), "python3", "check.py")
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
