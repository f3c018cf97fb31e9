package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"concord/eval/openai/openaitest"
)

// What is printed of released files is as its schema says: their figures are not
// whole, and what they lack is null.
func TestSchemasOfReleasedFiles(t *testing.T) {
	t.Parallel()
	data := filepath.Join("..", "..", "..", "shared", "data")
	if _, err := os.Stat(data); err != nil {
		t.Skip("the released files are not here")
	}
	for name, commands := range map[string][]string{
		"choices and yes or no": {
			"import predictions DATA/mme/vila_8b_MME.xlsx --dataset mme --model vila",
			"import predictions DATA/mme/LaVIN --dataset lavin --model lavin",
			"import predictions DATA/mmbench/vila_8b_CCBench.xlsx --dataset cc --model vila",
			"import predictions DATA/mmstar/vila_8b_MMStar.xlsx --dataset star --model vila",
			"import predictions DATA/mmstar/llava_next_yi_34b_MMStar.xlsx --dataset star --model yi",
			"import predictions DATA/benchmarks/vlmevalkit_vila/HallusionBench/vila_8b_HallusionBench.xlsx --dataset hb --model vila",
			"import dataset DATA/mmbench/MMBench_EN_samples.tsv --name en",
			"queue create q --dataset cc --from all --overlap 2 --sample 60",
			"report mme", "report compare --dataset star", "report leaderboard --dataset star", "report accuracy --rules mmbench",
			"report alignment --queue q", "report annotators --queue q",
		},
		"open answers": {
			"import predictions DATA/benchmarks/vlmevalkit_vila/OCRBench/vila_8b_OCRBench.xlsx --dataset ocr --model vila",
			"import predictions DATA/benchmarks/vlmevalkit_vila/ChartQA_TEST/vila_13b_ChartQA_TEST.xlsx --dataset chart --model vila",
			"import dataset DATA/benchmarks/mathvista/testmini.json --name mv",
			"import predictions DATA/benchmarks/mathvista/output_bard.json --dataset mv --model bard",
		},
		"votes": {
			"import dataset DATA/mllm_bench/questions.json --name mb --image-folder DATA/mllm_bench/images",
			"import predictions DATA/mllm_bench/anchor_llava-v1.5-13b.json --dataset mb",
			"import predictions DATA/mllm_bench/qwen-vl-chat.json --dataset mb",
			"import votes DATA/mllm_bench/vote_results_qwen-vl-chat.json --dataset mb",
			"import votes DATA/mllm_bench/votes_qwen-2-vl-7b_gpt-4-turbo.jsonl --dataset mb",
			"import criteria DATA/mllm_bench/votes_qwen-2-vl-7b_gpt-4-turbo.jsonl --dataset mb",
			"queue create v --dataset mb --from pairs --sample 40 --overlap 2 --model qwen-vl-chat --anchor llava-v1.5-13b",
			"report annotators --queue v", "report agreement",
		},
		"criteria and scores": {
			"import rubrics DATA/rubrics/alttest_lesion --name bench",
			"report alignment --from criteria --dataset bench",
			"report rubric --dataset bench --corrected --disputed",
		},
		"criteria with weights": {"import rubrics DATA/rubrics/paperbench_judgeeval --name bench", "report rubric --dataset bench"},
		"criteria with probabilities": {
			"import rubrics DATA/rubrics/llm_rubric --name bench", "report rubric --dataset bench", "report alignment --from criteria --dataset bench",
		},
		"criteria of facts": {"import rubrics DATA/rubrics/faithscore_human --name bench", "report rubric --dataset bench"},
		"logs": {
			"import predictions DATA/logs/inspect/mmlu.eval --dataset mmlu",
			"import predictions DATA/logs/inspect/log_images.json --dataset images",
			"import predictions DATA/logs/lmms-eval/20260923_232421_samples_mme.jsonl --dataset mme --model qwen",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, openaitest.Options{})
			for _, c := range commands {
				r.done(append(strings.Fields(strings.ReplaceAll(c, "DATA", data)), "--json")...)
			}
			for _, c := range []string{"accuracy", "baselines", "bias", "circular", "criteria", "curation", "dataset", "positions", "ranks", "repeats", "scores", "steps", "votes"} {
				r.concord("report", c, "--json") // or the project has nothing for it
			}
			for _, c := range []string{"predictions", "criteria", "grades", "votes", "judgments", "labels", "scores --for inspect --run 1", "scores --for lmms-eval --run 1"} {
				r.concord(append([]string{"export"}, strings.Fields(c)...)...)
			}
			r.done("log", "--json")
			r.done("log", "--verify", "--json")
			r.done("status", "--json")
		})
	}
}
