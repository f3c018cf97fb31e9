package dataset

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"concord/eval"
	"concord/eval/dataset/profile"
)

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
		reading, ok := readingOf(&score, f.Prediction.Asked(s), s.Kind)
		if !ok || len(score.Scorer) > profile.IDLimit {
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

// readingOf is the option that the scorer read; not ok where it says none that
// the question has, as scorers that compare texts do.
func readingOf(l *profile.LogScore, shown eval.Shown, kind eval.Kind) (eval.Extraction, bool) {
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
		return fmt.Errorf("keep the extracted answers of %s: %w", p.sum.Scorer, err)
	}
	p.sum.Judgments += added
	p.judgments = p.judgments[:0]
	return nil
}
