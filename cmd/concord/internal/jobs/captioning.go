package jobs

import (
	"context"
	"fmt"
	"strings"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/engine"
	"concord/eval/judge"
	"concord/eval/openai"
	"concord/eval/prompt"
)

// Why a caption is not asked for, as scripts read it.
const (
	noPicture      = "no_picture"
	PictureNotHeld = "picture_not_held"
)

// CaptioningOrder is whose pictures a model is to describe.
type CaptioningOrder struct {
	Dataset eval.DatasetName
	Model   string
	Edge    int  // below 0: as the model is configured
	Failed  bool // what failed is asked again
}

// captioning is an order made out.
type captioning struct {
	singles[eval.Ordinal, eval.Sample]
	order CaptioningOrder
}

// captionTokens is a detailed description.
const captionTokens = 250

// Captioning makes an order out. Nothing is asked, and nothing is stored.
func (l *Factory) Captioning(ctx context.Context, o *CaptioningOrder) (*captioning, error) {
	if _, err := l.Datasets.Facts(ctx, o.Dataset); err != nil {
		return nil, err
	}
	c := &captioning{order: *o}
	var err error
	if c.judgeConfig, err = l.cast(o.Model, prompt.Caption); err == nil {
		err = c.sight(o.Edge)
	}
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", o.Model, err)
	}
	c.missing, c.title, c.unit, c.role, c.tokens = make(map[string]int), "captions by", "caption", "model", captionTokens
	c.prepare = c.captioner
	c.question = func(at eval.Ordinal) (eval.Sample, error) { return l.Store.Datasets().Sample(o.Dataset, at) }
	c.job = func() eval.Job { return eval.Job{Dataset: o.Dataset, LeftOut: leftOut(c.missing)} }
	standing, err := stands(&c.singles, "Captions", string(o.Dataset), l.Store.Captions().All(ctx, o.Dataset), func(f *eval.Caption) fact[eval.Ordinal] {
		return fact[eval.Ordinal]{f.Sample, f.Model, f.Setup, f.Usage, f.Failure}
	})
	if err != nil {
		return nil, err
	}
	for s, err := range l.Store.Datasets().Samples(ctx, o.Dataset) {
		switch {
		case err != nil:
			return nil, err
		case len(s.Pictures) == 0:
			c.missing[noPicture]++
			continue
		case s.Held() < len(s.Pictures):
			c.missing[PictureNotHeld]++
			continue
		}
		one, known := standing[s.Ordinal]
		c.sort(s.Ordinal, !known || !one.Reads() && o.Failed, !one.Reads(), true)
	}
	if c.Wanted == 0 {
		return nil, fmt.Errorf("dataset %s: the project holds none of its images: import it with them", o.Dataset)
	}
	return c, nil
}

func (c *captioning) captioner(_ context.Context, chatter eval.Chatter) (out caller[eval.Sample], err error) {
	captioner, err := judge.NewCaptioner(c.means(chatter))
	st := c.Factory.Store
	out.chat = func(s eval.Sample) (*eval.Sample, eval.Chat, error) {
		chat, err := captioner.Chat(s, st.Datasets().Picture)
		return &s, chat, err
	}
	out.run = func(a engine.Asking[eval.Sample]) (*engine.Runner, error) {
		return engine.NewCaptions(a, captioner, st.Datasets().Picture, st.Captions())
	}
	return out, err
}

func (c *captioning) on() []eval.Run { return nil }

// CaptionSummary is what became of a captioning order, as `concord caption`
// prints it.
type CaptionSummary struct {
	Dataset eval.DatasetName `json:"dataset"`
	Model   string           `json:"model"`
	jobSummary
}

// print says what became of a captioning order: one object for scripts, else a
// few lines.
func (c *captioning) print(p eval.Progress, ended error) error {
	s := CaptionSummary{c.order.Dataset, c.order.Model, jobSummaryOf(p, ended, &c.Tally, c.missing)}
	var b strings.Builder
	fmt.Fprintf(&b, "captions by %s on %s: %s\n%s", cli.Visible(s.Model), cli.Visible(string(s.Dataset)), s.done("caption"), s.calls("caption"))
	b.WriteString(s.omitted("sample"))
	b.WriteString(s.spent())
	return c.Factory.Tell(s, "%s", &b)
}

// judgeConfig is a judge model with the endpoint, parameters and prompts that a job asks it with.
type judgeConfig struct {
	Factory *Factory
	setup   eval.JudgeSetup
	set     *prompt.Set
}

// cast is a model as the configuration has it today, asked by these templates.
func (l *Factory) cast(name string, templates ...string) (judgeConfig, error) {
	set, err := l.Prompts.Current()
	if err != nil {
		return judgeConfig{}, err
	}
	setup, err := l.setup(name, prompt.English, set, templates)
	return judgeConfig{Factory: l, set: set, setup: setup}, err
}

// setup is a model that is asked to judge, as the configuration has it today.
func (l *Factory) setup(name, language string, set *prompt.Set, templates []string) (eval.JudgeSetup, error) {
	m, err := l.Conf.Model(name)
	if err != nil {
		return eval.JudgeSetup{}, err
	}
	params, err := openai.CanonicalParams(m.Params)
	return eval.JudgeSetup{
		Judge: name, Endpoint: m.Endpoint.BaseURL, Name: m.Wire, Params: params, Prompts: set.Refs(templates...), Language: language,
	}, err
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
func (r *judgeConfig) weigh(t *eval.Tally, n, tokens int, chat func(i int) (*eval.Sample, eval.Chat, error)) (eval.Estimate, error) {
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
	err = load(&w, n, chat)
	return w.Estimate(), err
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
