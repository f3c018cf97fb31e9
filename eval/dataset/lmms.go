package dataset

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// resultsLimit is how much of a file of results is read for the model's name.
const resultsLimit = 64 << 20

// lmmsModel is the model that the results beside a file of samples name:
// DATE_samples_TASK.jsonl has a DATE_results.json. "" when there is none.
func lmmsModel(path string) string {
	date, _, ok := strings.Cut(filepath.Base(path), "_samples_")
	if !ok {
		return ""
	}
	f, err := os.Open(filepath.Join(filepath.Dir(path), date+"_results.json"))
	if err != nil {
		return ""
	}
	var results struct {
		Name   string `json:"model_name"`
		Source string `json:"model_source"`
	}
	err = json.NewDecoder(io.LimitReader(f, resultsLimit)).Decode(&results)
	if f.Close() != nil || err != nil {
		return ""
	}
	if results.Name != "" {
		return results.Name
	}
	return results.Source
}
