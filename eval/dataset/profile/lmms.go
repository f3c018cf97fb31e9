package profile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"concord/eval/bound"
	"concord/eval/dataset/format"
	"concord/eval/dataset/internal/fastio"
)

// LMMS is the layout of the samples that lmms-eval logs.
const LMMS = "lmms-eval"

func newLMMSLayout() layout {
	return layout{
		name: LMMS, container: format.JSONL,
		claim: func(s *FileStart) (int, string) {
			kind, _ := format.DetectContainer(s.Head, s.extension())
			line, _, _ := bytes.Cut(format.TrimBOMAndSpace(s.Head), []byte("\n"))
			if kind == format.JSONL && bytes.Contains(line, []byte(`"doc_id"`)) && bytes.Contains(line, []byte(`"filtered_resps"`)) {
				return 80, "its first line has doc_id and filtered_resps"
			}
			return 0, ""
		},
		begin: func(s *Source) error {
			s.readLMMSResults()
			return nil
		},
		names: func(*Source) format.Layout { return format.Layout{Object: parseAndRename(renameLMMSSample)} },
	}
}

// readLMMSResults takes what the name of a file of samples says, and the results
// beside it: DATE_samples_TASK.jsonl has a DATE_results.json, with the model
// and the shots of each task.
func (s *Source) readLMMSResults() {
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
	s.Model = cmp.Or(results.Name, results.Source)
	s.Shots = findShots(results.Shots, task)
}

// findShots finds the first of the values that is a number of shots; nil for none.
func findShots(values map[string]json.RawMessage, names ...string) *int {
	for _, name := range names {
		var n int
		if v, ok := values[name]; ok && string(v) != "null" && json.Unmarshal(v, &n) == nil && n >= 0 {
			return &n
		}
	}
	return nil
}

// renameLMMSSample gives a sample record of lmms-eval the names of VLMEvalKit. The
// question's own fields are in doc, where a task logs it, and its category
// is in the entry of the task's score.
func renameLMMSSample(in fastio.Object) fastio.Object {
	out := slices.Clone(in)
	out.Delete("doc")
	var doc map[string]json.RawMessage
	if json.Unmarshal(in.Get("doc"), &doc) == nil {
		for n, v := range doc {
			if n == "L2-category" {
				n = "l2-category"
			}
			out.Set(n, v)
		}
	}
	rename := func(to, from string) {
		if v := in.Get(from); len(v) > 0 && string(v) != "null" && string(v) != `""` {
			out.Set(to, v)
			out.Delete(from)
		}
	}
	if out.Get("index") == nil {
		rename("index", "doc_id")
	}
	rename("answer", "target") // what the log was scored by
	if out.Get("question") == nil {
		rename("question", "input")
	}
	if out.Get("image_path") == nil {
		rename("image_path", "input_media")
	}
	copyLMMSScores(&out, in)
	for i, m := range out {
		if in.Get(m.Name) != nil && bytes.HasPrefix(m.Value, []byte("{")) {
			out[i].Name = "log." + m.Name // what the task's metrics say
		}
	}
	out.Set("prediction", findFirstText(in.Get("filtered_resps"), in.Get("resps")))
	return out
}

// copyLMMSScores takes the category and the score of a sample record: entries
// of the task's metrics have them, or the score alone.
func copyLMMSScores(out *fastio.Object, in fastio.Object) {
	for _, m := range slices.SortedFunc(slices.Values(in), func(a, b fastio.Member) int { return cmp.Compare(a.Name, b.Name) }) {
		var entry struct {
			Category json.RawMessage `json:"category"`
			Fine     json.RawMessage `json:"l2_category"` // of MMStar, where category is the coarse one
			Score    json.RawMessage `json:"score"`
		}
		if json.Unmarshal(m.Value, &entry) != nil {
			continue
		}
		if out.Get("category") == nil && len(entry.Category) > 0 {
			out.Set("category", entry.Category)
			if len(entry.Fine) > 0 {
				out.Set("l2_category", entry.Fine)
			}
		}
		if out.Get(columnScores) == nil && len(entry.Score) > 0 {
			setNonEmpty(out, columnScores, []LogScore{{Scorer: "lmms-eval/" + m.Name, Right: isScoredRight(entry.Score), Raw: string(fastio.CellText(entry.Score))}})
		}
	}
}

// findFirstText returns the first string within nested lists.
func findFirstText(values ...json.RawMessage) json.RawMessage {
	for _, v := range values {
		v = bytes.TrimSpace(v)
		var list []json.RawMessage
		switch {
		case bytes.HasPrefix(v, []byte(`"`)):
			return v
		case json.Unmarshal(v, &list) == nil && len(list) > 0:
			if s := findFirstText(list[0]); s != nil {
				return s
			}
		}
	}
	return nil
}

// metaInfo is MMStar's struct of a row's origin; its fields are columns of
// the benchmark's TSV.
const metaInfo = "meta_info"

// keepColumnName names a column of a parquet file as the file does.
func keepColumnName(path []string) (string, bool) {
	switch {
	case len(path) == 1:
		return path[0], true
	case len(path) == 2 && path[0] == metaInfo:
		return path[1], true
	}
	return strings.Join(path, "."), true
}

// kitColumnName names it as VLMEvalKit's TSV does.
func kitColumnName(path []string) (string, bool) {
	name, ok := keepColumnName(path)
	if name == "L2-category" {
		name = "l2-category"
	}
	return name, ok
}
