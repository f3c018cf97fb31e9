package draw

import (
	"math"

	"concord/eval"
	"concord/eval/metric"
)

// compareWithMetric gives how far judges are from the dataset's own metric on a
// response, from 0 to 1 in the mean over judges: 0 where none has a say. A judge
// gives a score from 1 to eval.TopScore, or a choice, which is right or not.
func (p *population) compareWithMetric(q *eval.Question, pr *eval.Prediction) (float64, error) {
	read := (&metric.Scheme{Rules: p.reader}).Read(&q.Sample, pr)
	isRight := func(e eval.Extraction) (score float64) {
		if read.Combined = e; read.IsRight() {
			score = 1
		}
		return score
	}
	measured, ok := metric.CompareAnswer(&q.Sample, pr.Text)
	if !ok {
		measured = isRight(read.Rules)
	}
	if !ok && read.Answer == "" {
		return 0, nil
	}
	said := make(map[string]float64) // by judge; the newest comes last
	for i := range q.Judgments {
		if j := &q.Judgments[i]; j.Key == pr.Key && j.HasReply() && read.Answer != "" {
			said[j.Judge] = isRight(j.Extraction)
		}
	}
	scores, err := p.st.Scores().OfPrediction(pr.Key)
	for _, s := range scores {
		if s.Value > 0 { // the reply held one
			said[s.Judge] = float64(s.Value-1) / (eval.TopScore - 1)
		}
	}
	sum := 0.0
	for _, score := range said {
		sum += math.Abs(score-measured) / float64(len(said))
	}
	return sum, err
}
