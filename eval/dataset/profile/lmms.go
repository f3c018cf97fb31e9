package profile

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"concord/eval/bound"
	"concord/eval/dataset/format"
	"concord/eval/dataset/internal/fastio"
)

// LMMS is the layout of the samples that lmms-eval logs.
const LMMS = "lmms-eval"

func lmmsLayout() layout {
	return layout{
		name: LMMS, container: format.JSONL,
		claim: func(s *Start) (int, string) {
			kind, _ := format.Sniff(s.Head, s.ext())
			line, _, _ := bytes.Cut(format.Text(s.Head), []byte("\n"))
			if kind == format.JSONL && bytes.Contains(line, []byte(`"doc_id"`)) && bytes.Contains(line, []byte(`"filtered_resps"`)) {
				return 80, "its first line has doc_id and filtered_resps"
			}
			return 0, ""
		},
		begin: func(s *Source) error {
			s.sayLMMS()
			return nil
		},
		names: func(*Source) format.Layout { return format.Layout{Object: parsed(fromLMMS)} },
	}
}

// sayLMMS takes what the name of a file of samples says, and the results
// beside it: DATE_samples_TASK.jsonl has a DATE_results.json, with the model
// and the shots of each task.
func (s *Source) sayLMMS() {
	name := strings.TrimSuffix(filepath.Base(s.File.Path), filepath.Ext(s.File.Path))
	date, task, ok := strings.Cut(name, "_samples_")
	if !ok {
		return
	}
	s.Task = task
	text, err := bound.ReadFile(filepath.Join(filepath.Dir(s.File.Path), date+"_results.json"), bound.Results)
	if err != nil {
		return
	}
	var results struct {
		Name   string                     `json:"model_name"`
		Source string                     `json:"model_source"`
		Shots  map[string]json.RawMessage `json:"n-shot"`
	}
	if json.Unmarshal(text, &results) != nil {
		return
	}
	if s.Model = results.Name; s.Model == "" {
		s.Model = results.Source
	}
	s.Shots = shotsOf(results.Shots, task)
}

// shotsOf is the first of the values that is a number of shots; nil for none.
func shotsOf(values map[string]json.RawMessage, names ...string) *int {
	for _, name := range names {
		var n int
		if v, ok := values[name]; ok && string(v) != "null" && json.Unmarshal(v, &n) == nil && n >= 0 {
			return &n
		}
	}
	return nil
}

// fromLMMS gives a sample record of lmms-eval the names of VLMEvalKit. The
// question's own fields are in doc, where a task logs it, and its category
// is in the entry of the task's score.
func fromLMMS(in map[string]json.RawMessage) map[string]json.RawMessage {
	out := maps.Clone(in)
	delete(out, "doc")
	var doc map[string]json.RawMessage
	if json.Unmarshal(in["doc"], &doc) == nil {
		for n, v := range doc {
			out[n] = v
		}
	}
	if v, ok := doc["L2-category"]; ok {
		out["l2-category"] = v
		delete(out, "L2-category")
	}
	rename := func(to, from string) {
		if v := in[from]; len(v) > 0 && string(v) != "null" && string(v) != `""` {
			out[to] = v
			delete(out, from)
		}
	}
	if out["index"] == nil {
		rename("index", "doc_id")
	}
	rename("answer", "target") // what the log was scored by
	if out["question"] == nil {
		rename("question", "input")
	}
	if out["image_path"] == nil {
		rename("image_path", "input_media")
	}
	fromLMMSScores(out, in)
	for n, v := range out {
		if _, logged := in[n]; logged && bytes.HasPrefix(v, []byte("{")) {
			delete(out, n)
			out["log."+n] = v // what the task's metrics say
		}
	}
	out["prediction"] = firstText(in["filtered_resps"], in["resps"])
	return out
}

// fromLMMSScores takes the category and the score of a sample record: entries
// of the task's metrics have them, or the score alone.
func fromLMMSScores(out, in map[string]json.RawMessage) {
	for _, n := range slices.Sorted(maps.Keys(in)) {
		var entry struct {
			Category json.RawMessage `json:"category"`
			Fine     json.RawMessage `json:"l2_category"` // of MMStar, where category is the coarse one
			Score    json.RawMessage `json:"score"`
		}
		if json.Unmarshal(in[n], &entry) != nil {
			continue
		}
		if out["category"] == nil && len(entry.Category) > 0 {
			out["category"] = entry.Category
			if len(entry.Fine) > 0 {
				out["l2_category"] = entry.Fine
			}
		}
		if out[columnScores] == nil && len(entry.Score) > 0 {
			put(out, columnScores, []LogScore{{Scorer: "lmms-eval/" + n, Right: scoredRight(entry.Score), Raw: string(fastio.Text(entry.Score))}})
		}
	}
}

// firstText returns the first string within nested lists.
func firstText(values ...json.RawMessage) json.RawMessage {
	for _, v := range values {
		v = bytes.TrimSpace(v)
		var list []json.RawMessage
		switch {
		case bytes.HasPrefix(v, []byte(`"`)):
			return v
		case json.Unmarshal(v, &list) == nil && len(list) > 0:
			if s := firstText(list[0]); s != nil {
				return s
			}
		}
	}
	return nil
}
