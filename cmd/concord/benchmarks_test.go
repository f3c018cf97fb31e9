package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"concord/cmd/concord/internal/cli"
)

// Files of published benchmarks give the scores that were published for them.
func TestBenchmarks(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "shared", "data", "benchmarks")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("../shared/data/benchmarks is absent")
	}
	kit := func(name string) string {
		return filepath.Join("vlmevalkit_vila", filepath.Dir(name), filepath.Base(name)+".xlsx")
	}
	for _, c := range []struct {
		name        string
		dataset     string // file; "": made of the predictions
		predictions string
		rules       string
		score       float64
		metric      string
		groups      map[string]float64
	}{
		{"HallusionBench", "", kit("HallusionBench/vila_8b_HallusionBench"), "vlmevalkit", 0.522608, "accuracy", map[string]float64{"fAcc": 0.222543, "qAcc": 0.206593}},
		{"RealWorldQA", "", kit("RealWorldQA/vila_8b_RealWorldQA"), "vlmevalkit-2026", 0.465359, "accuracy", nil},
		{"MMT", "", kit("MMT-Bench_VAL/vila_8b_MMT-Bench_VAL"), "vlmevalkit-2024", 0.482571, "accuracy", nil},
		{"OCRBench", "", kit("OCRBench/vila_8b_OCRBench"), "concord", 0.438, "contains", nil},
		{"ChartQA", "", kit("ChartQA_TEST/vila_13b_ChartQA_TEST"), "concord", 0.5872, "relaxed", nil},
		{"TextVQA", "", kit("TextVQA_VAL/vila_13b_TextVQA_VAL"), "concord", 0.61028, "vqa", nil},
		{"MathVista", "mathvista/testmini.json", "mathvista/output_bard.json", "concord", 0.348, "mathvista", nil},
		{"BLINK", "blink/val_answers.json", "blink/saved_val_predictions/GPT4o.json", "concord", 0.600411, "task mean", nil},
		{"ScienceQA", "scienceqa/llava15/llava-v1.5-13b_output.jsonl", "scienceqa/final_test_QCM-ALE_2_seed_3.json", "concord", 0.751710, "accuracy", nil},
		{"ScienceQA-LLaVA", "scienceqa/llava15/llava-v1.5-13b_output.jsonl", "scienceqa/llava/test_sqa_llava_13b_v0.json", "concord", 0.909219, "accuracy", nil},
		{"MMMU", "mmmu/answer_dict_val.json", "mmmu/llava1.5_13b/total_val_output.json", "concord", 0.366667, "mmmu", nil},
		{"SEED", "", "seedbench/GPT-4V.json", "concord", 0.672834, "exact", nil},
		{"POPE", "pope/coco_e3e39262/coco_pope_adversarial.json", "pope/llava15/llava-v1.5-13b.jsonl", "concord", 0.844587, "f1", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			project := filepath.Join(t.TempDir(), "p.db")
			command := func(args ...string) string {
				t.Helper()
				var out, errs bytes.Buffer
				if code := runProgram(t.Context(), append([]string{"-p", project}, args...), cli.Streams{Out: &out, Err: &errs}); code != cli.ExitDone {
					t.Fatalf("%v: status %d, %s", args, code, &errs)
				}
				return out.String()
			}
			if c.dataset != "" {
				command("import", "dataset", filepath.Join(folder, c.dataset), "--name", c.name)
			}
			command("import", "predictions", filepath.Join(folder, c.predictions), "--dataset", c.name, "--model", "m")
			var out struct {
				Rows []struct {
					Metric string
					Score  struct{ Value, Low, High float64 }
					Groups []struct {
						Name     string
						Accuracy struct{ Value float64 }
					}
				}
			}
			if err := json.Unmarshal([]byte(command("report", "accuracy", "--json", "--rules", c.rules)), &out); err != nil || len(out.Rows) != 1 {
				t.Fatal(err, out)
			}
			r := out.Rows[0]
			if math.Abs(r.Score.Value-c.score) > 1e-6 || r.Metric != c.metric || r.Score.Low >= r.Score.Value || r.Score.High <= r.Score.Value {
				t.Errorf("%s %+v, want %s %v", r.Metric, r.Score, c.metric, c.score)
			}
			for _, g := range r.Groups {
				if want, ok := c.groups[g.Name]; ok && math.Abs(g.Accuracy.Value-want) > 1e-6 {
					t.Errorf("%s: %v, want %v", g.Name, g.Accuracy.Value, want)
				}
			}
		})
	}
}
