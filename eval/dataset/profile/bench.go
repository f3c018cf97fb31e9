package profile

import (
	"bytes"
	"encoding/json"
	"strings"

	"concord/eval"
	"concord/eval/dataset/internal/fastio"
)

// fromBench gives an object of MLLM-Bench the names of VLMEvalKit: a question
// {id, image_path, question, meta{level, capability, question type}}, or a
// model's answer to one {unique_idx, image, question, meta, gen_model_id,
// answer}; or of an answer that is graded by a rubric, {sample, model, question,
// answer, image}. Any other object stays as it is.
func fromBench(in map[string]json.RawMessage) map[string]json.RawMessage {
	var meta map[string]json.RawMessage
	if isResponse(in) {
		return map[string]json.RawMessage{
			"index": in["sample"], benchModel: in["model"], "question": in["question"], "prediction": in["answer"], "image_path": in["image"],
		}
	}
	if !bytes.HasPrefix(bytes.TrimSpace(in["meta"]), []byte("{")) || json.Unmarshal(in["meta"], &meta) != nil || meta["capability"] == nil {
		return in
	}
	out := map[string]json.RawMessage{"question": in["question"], BenchType: meta[BenchType]}
	if levels, err := json.Marshal([]string{string(fastio.Text(meta["level"])), string(fastio.Text(meta["capability"]))}); err == nil {
		out["taxonomy"] = levels
	}
	switch {
	case in["unique_idx"] != nil:
		out["index"], out["image_path"] = in["unique_idx"], in["image"]
		out[benchModel] = in[benchModel]
		if in["answer"] != nil {
			out["prediction"] = in["answer"]
		}
	case in["id"] != nil && in["judge_raw"] == nil:
		out["index"], out["image_path"] = in["id"], in["image_path"]
	default:
		return in
	}
	return out
}

// isResponse tells a model's answer that is graded by a rubric from rows in
// which an answer is the truth, or somebody's reading of one.
func isResponse(in map[string]json.RawMessage) bool {
	for _, name := range []string{"prediction", "response", "choice", "criterion", "judge", "annotator", "rater", "options"} {
		if in[name] != nil {
			return false
		}
	}
	return in["sample"] != nil && in["model"] != nil && in["answer"] != nil
}

// ParseQuestionType reads the name of a type, also as the released files spell
// it; unset for none.
func ParseQuestionType(text string) (eval.QuestionType, error) {
	switch name := strings.ToLower(strings.Join(strings.Fields(text), " ")); name {
	case "":
		return eval.TypeUnset, nil
	case "close-ended":
		return eval.ClosedEnded, nil
	default:
		return eval.ParseQuestionType(name)
	}
}
