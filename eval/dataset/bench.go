package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"concord/eval"
	"concord/eval/dataset/internal/fastio"
)

// The columns that only MLLM-Bench's files have, as their rows name them.
const (
	benchType  = "question type"
	benchModel = "gen_model_id"
)

// fromBench gives an object of MLLM-Bench the names of VLMEvalKit: a question
// {id, image_path, question, meta{level, capability, question type}}, or a
// model's answer to one {unique_idx, image, question, meta, gen_model_id,
// answer}. Any other object stays as it is.
func fromBench(in map[string]json.RawMessage) map[string]json.RawMessage {
	var meta map[string]json.RawMessage
	if !bytes.HasPrefix(bytes.TrimSpace(in["meta"]), []byte("{")) || json.Unmarshal(in["meta"], &meta) != nil || meta["capability"] == nil {
		return in
	}
	out := map[string]json.RawMessage{"question": in["question"], benchType: meta[benchType]}
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

// questionType reads the type of a question. One row of the released file
// holds an address there: what is no type is reported, and the sample kept
// without one.
func (r *record) questionType(w *row, column int) eval.QuestionType {
	written := r.clean(w.cell(column), benchType)
	t, err := parseQuestionType(written)
	if err != nil {
		r.notes = append(r.notes, fmt.Sprintf("question type %.60q of sample %s is none: the sample is kept without one", written, r.index))
	}
	return t
}

// parseQuestionType reads the name of a type, also as the released files spell
// it; unset for none.
func parseQuestionType(text string) (eval.QuestionType, error) {
	switch name := strings.ToLower(squeeze(text)); name {
	case "":
		return eval.TypeUnset, nil
	case "close-ended":
		return eval.ClosedEnded, nil
	default:
		return eval.ParseQuestionType(name)
	}
}
