package criteria

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The criteria of MLLM-Bench, as its file of votes numbers them: of 420
// samples one is not numbered and two have four.
func TestRealCriteria(t *testing.T) {
	path := filepath.Join("..", "..", "..", "shared", "data", "mllm_bench", "votes_qwen-2-vl-7b_gpt-4-turbo.jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Skip("no real data here:", err)
	}
	seen := make(map[int]bool)
	var counts [6]int
	for line := range strings.Lines(string(data)) {
		var row struct {
			ID       int    `json:"id"`
			Criteria string `json:"criteria"`
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if seen[row.ID] {
			continue
		}
		seen[row.ID] = true
		cs := ParseText(row.Criteria)
		counts[len(cs)]++
		if HashCriteria(ParseText(FormatText(cs))) != HashCriteria(cs) {
			t.Errorf("sample %d is numbered otherwise when it is read again: %q", row.ID, FormatText(cs))
		}
	}
	if want := [6]int{0, 49, 115, 254, 2, 0}; counts != want {
		t.Errorf("samples by number of criteria %v, want %v", counts, want)
	}
}
