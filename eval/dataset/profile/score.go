package profile

import (
	"bytes"
	"encoding/json"
	"strings"

	"concord/eval/dataset/column"
)

// columnScores is where the readers of logs put what the log's own scorers
// say; no file has such a column.
const columnScores = column.Scores

// LogScore is what a log's scorer says of one answer.
type LogScore struct {
	Scorer string `json:"scorer"`
	Answer string `json:"answer"` // that it read
	Read   bool   `json:"read"`   // it says what it read, if only that it read nothing
	Right  bool   `json:"right"`
	Raw    string `json:"raw"`
}

// Scores is what the file's own scorers say of the row's answer, in the order
// of their names.
func (r *Row) Scores() (out []LogScore) {
	if r.Head.scores >= 0 && json.Unmarshal(r.Cell(r.Head.scores), &out) != nil {
		out = nil // no log of ours: nothing was promised of that column
	}
	return append(out, r.kitScores()...)
}

// kitScores is what VLMEvalKit's own files of results say: whether a question
// was hit in all of its passes, or what was extracted of yes and no.
func (r *Row) kitScores() []LogScore {
	raw := r.Name(r.Head.score)
	switch hit := r.Name(r.Head.hit); {
	case raw != "":
		said := r.Name(r.Head.extracted)
		if strings.EqualFold(said, "unknown") {
			said = ""
		}
		return []LogScore{{Scorer: "vlmevalkit/extracted", Answer: said, Read: true, Right: scoredRight([]byte(raw)), Raw: raw}}
	case hit != "":
		return []LogScore{{Scorer: "vlmevalkit/hit", Right: scoredRight([]byte(hit)), Raw: hit}}
	}
	return nil
}

// scoredRight reads a score: inspect_ai writes C for correct, others 1.
func scoredRight(value json.RawMessage) bool {
	switch string(bytes.TrimSpace(value)) {
	case `"C"`, "1", "1.0", "true", "True", "TRUE":
		return true
	}
	return false
}
