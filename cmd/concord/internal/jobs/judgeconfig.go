package jobs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"concord/eval"
	"concord/eval/judge"
	"concord/eval/openai"
	"concord/eval/prompt"
)

// judgeConfig is a judge model with the endpoint, parameters and prompts that a job asks it with.
type judgeConfig struct {
	Factory *Factory
	setup   eval.JudgeSetup
	set     *prompt.Set
}

// cast is a model as the configuration has it today, asked by these templates.
func (l *Factory) cast(name string, templates ...string) (judgeConfig, error) {
	m, err := l.Conf.Model(name)
	if err != nil {
		return judgeConfig{}, err
	}
	params, err := openai.CanonicalParams(m.Params)
	if err != nil {
		return judgeConfig{}, err
	}
	set, err := l.Prompts.Current()
	if err != nil {
		return judgeConfig{}, err
	}
	return judgeConfig{Factory: l, set: set, setup: eval.JudgeSetup{
		Judge: name, Endpoint: m.Endpoint.BaseURL, Name: m.Wire, Params: params,
		Prompts: set.Refs(templates...), Language: prompt.English,
	}}, nil
}

// sight sets how far the pictures that a model sees are scaled down: below 0,
// as it is configured.
func (r *judgeConfig) sight(edge int) error {
	m, err := r.Factory.Conf.Model(r.setup.Judge)
	if r.setup.Edge = m.Edge; edge >= 0 {
		r.setup.Edge = edge
	}
	return err
}

// means are what the model is asked with; a nil chatter asks nothing.
func (r *judgeConfig) means(c eval.Chatter) judge.Means {
	return judge.Means{Setup: r.setup, Chatter: c, Set: r.set, Hints: r.Factory.Conf.Hints()}
}

// equip makes the model ready to be asked, and stores the texts that its facts
// will name.
func (r *judgeConfig) equip(ctx context.Context, e Effort) (eval.Chatter, error) {
	l, s := r.Factory, r.setup
	if err := l.Models.Afford(e.Budget, []string{s.Judge}); err != nil {
		return nil, err
	}
	c, err := l.Models.chatter(s.Judge, s.Endpoint, s.Name, s.Params, s.Edge)
	if err != nil {
		return nil, err
	}
	if err := l.Prompts.keep(ctx, r.set, s.Prompts); err != nil {
		return nil, err
	}
	_, text := judge.Hash(s)
	if _, err := l.Store.Texts().Put(ctx, string(text)); err != nil {
		return nil, fmt.Errorf("keep setup of %s: %w", s.Judge, err)
	}
	return c, nil
}

// weigh is what n calls take, of which chat tells what is said first. A
// reply takes as long as those behind the tally did, or else so many tokens.
func (r *judgeConfig) weigh(t *eval.Tally, n, tokens int, chat func(i int) (eval.Sample, eval.Chat, error)) (eval.Estimate, error) {
	if n == 0 {
		return eval.Estimate{Priced: true}, nil
	}
	m, err := r.Factory.Conf.Model(r.setup.Judge)
	if err != nil {
		return eval.Estimate{}, err
	}
	w := eval.Workload{
		Strategy: eval.Vanilla, Total: n, Edge: r.setup.Edge, PictureTokens: m.PictureTokens, Price: m.Price, Answer: tokens,
	}
	if n := t.Done(); n > 0 && t.Usage.Completion > 0 {
		w.Answer = max(t.Usage.Completion/n, 1)
	}
	step := max(n/estimateFrom, 1)
	for i := 0; i < n; i += step {
		s, told, err := chat(i)
		var f *eval.Failure
		if errors.As(err, &f) && f.Kind == eval.FailureSample {
			told = eval.Chat{} // it will not be asked
		} else if err != nil {
			return eval.Estimate{}, err
		}
		sizes := make([]eval.PictureSize, 0, len(told.Pictures))
		for _, p := range told.Pictures {
			width, height, _ := prompt.Size(p)
			sizes = append(sizes, eval.PictureSize{Width: width, Height: height})
		}
		w.Add(eval.LoadOf(&s, told, sizes))
	}
	return w.Estimate(), nil
}

// differs says under which other settings facts were made, by their hash.
func (r *judgeConfig) differs(was string) string {
	old, err := r.Factory.Store.Texts().Text(was)
	if was == "" || err != nil {
		return "were made elsewhere, with settings that are not known"
	}
	_, text := judge.Hash(r.setup)
	return strings.Join(append([]string{"were made with other settings:"}, differing(old, text)...), "\n  ")
}
