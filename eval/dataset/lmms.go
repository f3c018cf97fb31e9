package dataset

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// resultsLimit is how much of a file of results is read for what it says of
// the log.
const resultsLimit = 64 << 20

// lmmsSays takes what the name of a file of samples says, and the results
// beside it: DATE_samples_TASK.jsonl has a DATE_results.json, with the model
// and the shots of each task.
func (s *source) lmmsSays() {
	name := strings.TrimSuffix(filepath.Base(s.path), filepath.Ext(s.path))
	date, task, ok := strings.Cut(name, "_samples_")
	if !ok {
		return
	}
	s.task = task
	f, err := os.Open(filepath.Join(filepath.Dir(s.path), date+"_results.json"))
	if err != nil {
		return
	}
	var results struct {
		Name   string                     `json:"model_name"`
		Source string                     `json:"model_source"`
		Shots  map[string]json.RawMessage `json:"n-shot"`
	}
	err = json.NewDecoder(io.LimitReader(f, resultsLimit)).Decode(&results)
	if f.Close() != nil || err != nil {
		return
	}
	if s.model = results.Name; s.model == "" {
		s.model = results.Source
	}
	s.shots = shotsOf(results.Shots, task)
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
