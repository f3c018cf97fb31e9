package judge

import (
	"context"
	"strings"

	"concord/eval"
	"concord/eval/prompt"
)

// Scorer is a judge model that says how similar an open answer is to its
// reference (MMBench, App. D.2). It is safe for concurrent use.
type Scorer struct{ caller }

var _ eval.Scorer = (*Scorer)(nil)

// NewScorer checks that the setup can be carried out.
func NewScorer(m Means) (*Scorer, error) {
	c, err := newCaller("scorer", prompt.Score, m)
	if err != nil {
		return nil, err
	}
	return &Scorer{c}, nil
}

// Score asks the judge model about an answer. A reply without a score is asked
// for again with what was wrong with it, and then stands as it is. The usage is
// that of all calls, beside an error too.
func (s *Scorer) Score(ctx context.Context, q eval.ScoreQuestion) (eval.Score, error) {
	out := eval.Score{Key: q.Prediction.Key, Judge: s.Name(), Setup: s.setup}
	item, err := s.item(&q)
	if err != nil {
		return out, err
	}
	chat, ref, err := s.means.Set.Fill(s.means.Setup.Prompts, prompt.Score, item)
	if err != nil {
		return out, err
	}
	out.Prompt = ref.Hash
	got, err := s.ask(ctx, call{chat: chat, template: prompt.Score, item: item, quote: head, read: func(r eval.Reply) (w prompt.Wrong) {
		out.Value, w = Score(r)
		return w
	}})
	out.Raw, out.Earlier, out.Finish, out.Served, out.Usage = got.raw, got.earlier, got.finish, got.served, got.usage
	return out, err
}

// Chat is the first call about an answer. Its errors are failures: of the
// sample when there is nothing to compare.
func (s *Scorer) Chat(q eval.ScoreQuestion) (eval.Chat, error) {
	item, err := s.item(&q)
	if err != nil {
		return eval.Chat{}, err
	}
	chat, _, err := s.means.Set.Fill(s.means.Setup.Prompts, prompt.Score, item)
	return chat, err
}

func (s *Scorer) item(q *eval.ScoreQuestion) (prompt.Item, error) {
	i := prompt.Item{Language: s.lang, Question: q.Sample.Question, Reference: q.Sample.Reference, Answer: q.Prediction.Text}
	switch {
	case q.Sample.Kind != eval.KindOpen:
		return i, failure("sample %s is %s: its answers are right or wrong", q.Sample.ID, q.Sample.Kind)
	case strings.TrimSpace(q.Sample.Reference) == "":
		return i, failure("sample %s has no reference to score an answer by", q.Sample.ID)
	case q.Prediction.Failure != nil:
		return i, failure("sample %s pass %d has no answer to score", q.Sample.ID, q.Prediction.Pass)
	}
	return i, nil
}
