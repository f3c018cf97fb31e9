package dataset

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"concord/eval"
)

// columnScores is where the readers of logs put what the log's own scorers
// say; no file has such a column.
const columnScores = "\x00scores"

// logScore is what a log's scorer says of one answer.
type logScore struct {
	Scorer string `json:"scorer"`
	Answer string `json:"answer"` // that it read
	Read   bool   `json:"read"`   // it says what it read, if only that it read nothing
	Right  bool   `json:"right"`
	Raw    string `json:"raw"`
}

// scoredRight reads a score: inspect_ai writes C for correct, others 1.
func scoredRight(value json.RawMessage) bool {
	switch string(bytes.TrimSpace(value)) {
	case `"C"`, "1", "1.0", "true", "True", "TRUE":
		return true
	}
	return false
}

// kitScores is what VLMEvalKit's own files of results say: whether a question
// was hit in all of its passes, or what was extracted of yes and no.
func (r *row) kitScores() []logScore {
	raw := r.name(r.head.score)
	switch hit := r.name(r.head.hit); {
	case raw != "":
		said := r.name(r.head.extracted)
		if strings.EqualFold(said, "unknown") {
			said = ""
		}
		return []logScore{{Scorer: "vlmevalkit/extracted", Answer: said, Read: true, Right: scoredRight([]byte(raw)), Raw: raw}}
	case hit != "":
		return []logScore{{Scorer: "vlmevalkit/hit", Right: scoredRight([]byte(hit)), Raw: hit}}
	}
	return nil
}

// JudgmentSink is what a PredictionSink may offer beside: the readings of a
// log's own scorers are kept as a judge's.
type JudgmentSink interface {
	// PutJudgments commits judgments on predictions that are recorded. Those
	// that are there already are left alone and not counted.
	PutJudgments(ctx context.Context, all []eval.Judgment) (added int, err error)
}

// scored counts the scorers' verdicts on a row that was taken, and keeps what
// they read.
func (p *predictor) scored(rec *record, s *eval.Sample, f *eval.Fact) {
	for i, score := range rec.scores {
		if i == 0 { // of several, the first by name
			p.sum.Scored++
			p.sum.Scorer = score.Scorer
			if score.Right {
				p.sum.ScoredRight++
			}
		}
		reading, ok := score.reading(f.Prediction.Asked(s), s.Kind)
		if !ok || len(score.Scorer) > idLimit {
			continue
		}
		raw, err := json.Marshal(score)
		if err != nil {
			continue // texts and bools always marshal
		}
		p.judgments = append(p.judgments, eval.Judgment{
			Key: f.Prediction.Key, Judge: score.Scorer, Extraction: reading, Raw: string(raw), At: p.at,
		})
	}
}

// reading is the option that the scorer read; not ok where it says none that
// the question has, as scorers that compare texts do.
func (l *logScore) reading(shown eval.Shown, kind eval.Kind) (eval.Extraction, bool) {
	out := eval.Extraction{Status: eval.Missing, Method: "judge"}
	answer := strings.TrimSpace(l.Answer)
	switch {
	case !l.Read || kind != eval.KindChoice && kind != eval.KindYesNo:
		return out, false
	case answer == "":
		return out, true
	}
	allowed := []eval.Choice{eval.Yes, eval.No}
	if kind == eval.KindChoice {
		allowed = allowed[:0]
		for _, o := range shown.Options {
			allowed = append(allowed, o.Letter)
		}
	}
	for _, c := range allowed {
		if strings.EqualFold(answer, string(c)) {
			out.Choice, out.Status = c, eval.Found
			return out, true
		}
	}
	return out, false
}

// keepJudgments commits what the scorers read, once its predictions are.
func (p *predictor) keepJudgments(ctx context.Context) error {
	sink, ok := p.sink.(JudgmentSink)
	if !ok || len(p.judgments) == 0 {
		return nil
	}
	stands := make(map[eval.Key]bool, len(p.facts))
	for i := range p.facts {
		f := &p.facts[i].Prediction
		stands[f.Key] = true
		if known, ok := p.sink.(Recorded); ok {
			old, err := known.Prediction(f.Key)
			if err != nil {
				return fmt.Errorf("look up prediction %s: %w", f.Key, err)
			}
			stands[f.Key] = old.Text == f.Text // else the reading is of what was not kept
		}
	}
	kept := p.judgments[:0]
	for _, j := range p.judgments {
		if j.Run = p.id; stands[j.Key] {
			kept = append(kept, j)
		}
	}
	added, err := sink.PutJudgments(ctx, kept)
	if err != nil {
		return fmt.Errorf("keep the readings of %s: %w", p.sum.Scorer, err)
	}
	p.sum.Judgments += added
	p.judgments = p.judgments[:0]
	return nil
}
