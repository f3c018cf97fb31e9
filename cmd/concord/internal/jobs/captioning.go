package jobs

import (
	"context"
	"errors"
	"fmt"
	"iter"
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
	judgeConfig
	order CaptioningOrder
	eval.Tally
	due     []eval.Ordinal
	missing map[string]int
}

// Captioning makes an order out. Nothing is asked, and nothing is stored.
func (l *Factory) Captioning(ctx context.Context, o *CaptioningOrder) (*captioning, error) {
	if _, err := l.Datasets.Facts(ctx, o.Dataset); err != nil {
		return nil, err
	}
	c := &captioning{order: *o, missing: make(map[string]int)}
	var err error
	if c.judgeConfig, err = l.cast(o.Model, prompt.Caption); err == nil {
		err = c.sight(o.Edge)
	}
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", o.Model, err)
	}
	standing, err := c.standing(ctx)
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
		c.Wanted++
		switch one, known := standing[s.Ordinal]; {
		case !known || !one.Reads() && o.Failed:
			c.due = append(c.due, s.Ordinal)
		case !one.Reads():
			c.Failed++
		default:
			c.Stored++
		}
	}
	if c.Wanted == 0 {
		return nil, fmt.Errorf("dataset %s: the project holds none of its images: import it with them", o.Dataset)
	}
	return c, nil
}

// standing is what the model has said of the pictures. Captions that were made
// with other settings cannot be gone on with; imported ones can.
func (c *captioning) standing(ctx context.Context) (map[eval.Ordinal]eval.Caption, error) {
	hash, _ := judge.Hash(c.setup)
	out := make(map[eval.Ordinal]eval.Caption)
	for one, err := range c.Factory.Store.Captions().All(ctx, c.order.Dataset) {
		switch {
		case err != nil:
			return nil, err
		case one.Model != c.order.Model:
			continue
		case one.Reads() && one.Setup != hash && one.Setup != "":
			return nil, fmt.Errorf("captions by %s on %s %s\nCaptions of two kinds are never mixed. Give the model as it is now another name in concord.toml: [models.NAME] with model = %q",
				one.Model, c.order.Dataset, c.differs(one.Setup), c.setup.Name)
		}
		c.Usage.Add(one.Usage)
		old, known := out[one.Sample]
		if one.Reads() || one.Failure.Kind == eval.FailureSample && (!known || !old.Reads()) {
			out[one.Sample] = one
		}
	}
	return out, nil
}

// Title is what messages call the job.
func (c *captioning) Title() string { return "captions by " + cli.Visible(c.order.Model) }

func (c *captioning) asked() string { return c.order.Model }

func (c *captioning) fact() string { return "caption" }

func (c *captioning) on() []eval.Run { return nil }

func (c *captioning) sample(o eval.Ordinal) (eval.Sample, error) {
	return c.Factory.Store.Datasets().Sample(c.order.Dataset, o)
}

// captionTokens is a detailed description.
const captionTokens = 250

func (c *captioning) Estimate() (eval.Estimate, error) {
	captioner, err := judge.NewCaptioner(c.means(nil))
	if err != nil {
		return eval.Estimate{}, err
	}
	return c.weigh(&c.Tally, len(c.due), captionTokens, func(i int) (eval.Sample, eval.Chat, error) {
		s, err := c.sample(c.due[i])
		if err != nil {
			return s, eval.Chat{}, err
		}
		chat, err := captioner.Chat(s, c.Factory.Store.Datasets().Picture)
		return s, chat, err
	})
}

// Runner is what asks for the captions that are due.
func (c *captioning) Runner(ctx context.Context, e Effort) (*engine.Runner, error) {
	chatter, err := c.equip(ctx, e)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", c.asked(), err)
	}
	captioner, err := judge.NewCaptioner(c.means(chatter))
	if err != nil {
		return nil, err
	}
	st := c.Factory.Store
	return engine.NewCaptions(engine.Asking[eval.Sample]{
		Terms: c.Factory.terms(e, c.asked()), Price: c.Factory.Models.price(c.asked()), Tally: c.Tally,
		Job: eval.Job{Dataset: c.order.Dataset, LeftOut: leftOut(c.missing)},
		Due: func(ctx context.Context) iter.Seq2[eval.Sample, error] { return each(ctx, c.due, c.sample) },
	}, captioner, st.Datasets().Picture, st.Captions())
}

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
