package jobs

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/authoring"
	"concord/annotate/criteria"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/eval"
	"concord/eval/engine"
	"concord/eval/judge"
	"concord/eval/openai"
	"concord/eval/prompt"
	"concord/store"
)

// Why a caption is not asked for, as scripts read it.
const (
	noPicture      = "no_picture"
	PictureNotHeld = "picture_not_held"
	notTranslated  = "not_choice"
	beingWritten   = "being_written"
	answered       = "answered"
)

// CaptioningOrder is whose pictures a model is to describe.
type CaptioningOrder struct {
	Dataset eval.DatasetName
	Model   string
	Edge    int  // below 0: as the model is configured
	Failed  bool // what failed is asked again

	// Of translations: the language, the dataset that they are drafts of, and who has them made.
	To  string
	As  eval.DatasetName
	Who annotate.Annotator
}

// captionJob is an order made out.
type captionJob struct {
	singleCalls[eval.Ordinal, eval.Sample]
	order CaptioningOrder
	stale int                            // translations whose originals changed since
	done  map[eval.Ordinal]authoring.Set // what is stored of translations
	of    map[eval.Ordinal]string        // HashOriginal of what is to be translated
}

// captionTokens is a detailed description.
const captionTokens = 250

// NewCaptionJob makes an order out. Nothing is asked, and nothing is stored.
func (l *Factory) NewCaptionJob(ctx context.Context, o *CaptioningOrder) (*captionJob, error) {
	_, err := l.Datasets.DatasetFacts(ctx, o.Dataset)
	if err != nil {
		return nil, err
	}
	c := &captionJob{order: *o}
	sorter, template, none := c.newSampleSorter, prompt.Caption, ": the project holds none of its images: import it with them"
	if c.unit = "caption"; o.To != "" {
		sorter, template, none = c.newTranslationSorter, prompt.Translate, " has no multiple-choice sample with an answer and at most one image"
		c.unit = "translation"
	}
	if c.judgeConfig, err = l.newJudgeConfig(o.Model, template); err == nil {
		err = c.setImageEdge(o.Edge)
	}
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", o.Model, err)
	}
	c.missing, c.title, c.role, c.tokens = make(map[string]int), c.unit+"s by", "model", captionTokens
	c.prepare = c.newCaptioner
	c.question = func(at eval.Ordinal) (eval.Sample, error) { return l.Store.Datasets().Sample(o.Dataset, at) }
	c.job = func() eval.Job { return eval.Job{Dataset: o.Dataset, LeftOut: toLeftOutList(c.missing)} }
	whyLeftOut, err := sorter(ctx)
	if err != nil {
		return nil, err
	}
	for s, err := range l.Store.Datasets().Samples(ctx, o.Dataset) {
		if err != nil {
			return nil, err
		}
		if why := whyLeftOut(&s); why != "" {
			c.missing[why]++
		}
	}
	if c.Wanted == 0 {
		return nil, fmt.Errorf("dataset %s%s", o.Dataset, none)
	}
	return c, nil
}

// newSampleSorter gives what sorts a sample by its caption, or says why it can have none.
func (c *captionJob) newSampleSorter(ctx context.Context) (func(*eval.Sample) string, error) {
	d := c.order.Dataset
	standing, err := readNewestFacts(&c.singleCalls, "Captions", string(d), c.Factory.Store.Captions().All(ctx, d), func(f *eval.Caption) callFact[eval.Ordinal] {
		return callFact[eval.Ordinal]{f.Sample, f.Model, f.Setup, f.Usage, f.Failure}
	}, nil)
	return func(s *eval.Sample) string {
		switch {
		case len(s.Pictures) == 0:
			return noPicture
		case s.CountHeldImages() < len(s.Pictures):
			return PictureNotHeld
		}
		one, known := standing[s.Ordinal]
		c.countOrQueueUnit(s.Ordinal, !known || !one.HasReply() && c.order.Failed, !one.HasReply(), true)
		return ""
	}, err
}

// newTranslationSorter is newSampleSorter of translations. What is stored of them are drafts
// that people review; a failure is not, and is asked again by the next order.
func (c *captionJob) newTranslationSorter(ctx context.Context) (func(*eval.Sample) string, error) {
	o, st := &c.order, c.Factory.Store
	o.To = cmp.Or(map[string]string{prompt.English: "English", prompt.Chinese: "Chinese"}[o.To], o.To)
	o.As = cmp.Or(o.As, o.Dataset+"-"+eval.DatasetName(strings.ToLower(o.To)))
	done, err := eval.Collect(st.Authoring().AllSets(ctx, o.As))
	ds, none := st.Datasets().Dataset(o.As)
	if none == nil && ds.Origin != store.AuthoredOrigin || len(done) > 0 && done[0].Original != o.Dataset { // all of them have one
		err = cli.NewUsageError(fmt.Errorf("dataset %s holds other samples than translations of %s: name another one with --as-dataset", o.As, o.Dataset))
	}
	c.done = eval.IndexBy(done, func(s authoring.Set) (eval.Ordinal, authoring.Set) { return s.Sample, s })
	c.of = make(map[eval.Ordinal]string)
	return func(s *eval.Sample) string {
		if back, err := authoring.ParseText(authoring.FormatText(s)); err != nil || s.Kind != eval.KindChoice || len(s.Pictures) > 1 || !slices.Equal(back.Taxonomy, s.Taxonomy) {
			return notTranslated
		}
		now, hash := c.done[s.Ordinal], authoring.HashOriginal(s)
		stale := now.State != criteria.Unwritten && now.IsStale(hash)
		c.stale += eval.Either(stale, 1, 0)
		switch {
		case stale && (now.State == criteria.Draft || len(now.Drafts) > 0):
			return beingWritten
		case stale && st.Authoring().CheckUnanswered(&now) != nil:
			return answered
		}
		c.of[s.Ordinal] = hash
		c.countOrQueueUnit(s.Ordinal, stale || now.State == criteria.Unwritten, false, true)
		return ""
	}, err
}

// storeTranslationDraft stores a translation as a draft that waits for its review.
func (c *captionJob) storeTranslationDraft(ctx context.Context, f eval.Caption) error {
	if f.Text == "" {
		return nil
	}
	s, err := c.Factory.Store.Datasets().Sample(c.order.Dataset, f.Sample)
	if err != nil {
		return err
	}
	now := c.done[f.Sample]
	act := now.NewAct(criteria.Submitted, c.order.Who, f.At)
	act.Dataset, act.Sample, act.Text, act.Model = c.order.As, s.Ordinal, f.Text, f.Model
	act.Original, act.ID, act.Of = c.order.Dataset, s.ID, c.of[f.Sample]
	if len(s.Pictures) > 0 {
		act.Image = s.Pictures[0]
	}
	_, err = c.Factory.Store.Authoring().Append(ctx, act, nil)
	return err
}

func (c *captionJob) newCaptioner(_ context.Context, chatter eval.Chatter) (out modelCaller[eval.Sample], err error) {
	st := c.Factory.Store
	captioner, record := (*judge.Captioner)(nil), st.Captions().RecordCaption
	if c.order.To == "" {
		captioner, err = judge.NewCaptioner(c.judgeDependencies(chatter))
	} else {
		record = c.storeTranslationDraft
		captioner, err = judge.NewTranslator(c.judgeDependencies(chatter), c.order.To, authoring.ApplyTranslationReply)
	}
	out.chat = func(s eval.Sample) (*eval.Sample, eval.Chat, error) {
		chat, err := captioner.BuildChat(s, st.Datasets().Picture)
		return &s, chat, err
	}
	out.run = func(a engine.SingleCalls[eval.Sample]) (*engine.Runner, error) {
		return engine.NewCaptionRunner(a, captioner, st.Datasets().Picture, record)
	}
	return out, err
}

func (c *captionJob) comparedRuns() []eval.Run { return nil }

// CaptionSummary is what became of a captioning order, as `concord caption` prints it.
type CaptionSummary struct {
	Dataset eval.DatasetName `json:"dataset"`
	Model   string           `json:"model"`
	Stale   int              `json:"stale,omitempty"` // translations whose originals had changed
	jobSummary
}

// printSummary says what became of a captioning order: one object for scripts, else a few lines.
func (c *captionJob) printSummary(p eval.Progress, ended error) error {
	s := CaptionSummary{c.order.Dataset, c.order.Model, c.stale, newJobSummary(p, ended, &c.Tally, c.missing)}
	var b strings.Builder
	calls := s.formatCalls(c.unit)
	if c.order.To != "" { // none of its failures is stored
		calls = strings.Replace(calls, "--retry-failed asks", "the same command asks", 1)
	}
	fmt.Fprintf(&b, "%s %s on %s: %s\n%s", c.title, cli.EscapeControls(s.Model), cli.EscapeControls(string(s.Dataset)), s.formatDone(c.unit), calls)
	if s.Stale > 0 {
		fmt.Fprintf(&b, "  stale     %s, whose original had changed when this began\n", cli.FormatCount(s.Stale, "translation"))
	}
	b.WriteString(s.formatOmitted("sample"))
	b.WriteString(s.formatSpent())
	return c.Factory.PrintResult(s, "%s", &b)
}

// judgeConfig is a judge model with the endpoint, parameters and prompts that a job asks it with.
type judgeConfig struct {
	Factory    *Factory
	setup      eval.JudgeSetup
	set        *prompt.Set
	hints      int    // how often a reply that does not parse is asked for again; negative: never
	configured string // the model's name in the configuration, where a prompt of it is tried
	own        string // hash of its settings under that name then
}

// configuredModelName is the model's name in the configuration.
func (r *judgeConfig) configuredModelName() string { return cmp.Or(r.configured, r.setup.Judge) }

// newJudgeConfig gives a model as the configuration has it today, asked by these templates.
func (l *Factory) newJudgeConfig(name string, templates ...string) (judgeConfig, error) {
	set, err := l.Prompts.LoadTemplates(name)
	if err != nil {
		return judgeConfig{}, err
	}
	setup, err := l.newJudgeSetup(name, prompt.English, set, templates)
	return judgeConfig{Factory: l, set: set, setup: setup, hints: l.Conf.MaxJudgeHints()}, err
}

// newJudgeSetup gives a model that is asked to judge, as the configuration has it today.
func (l *Factory) newJudgeSetup(name, language string, set *prompt.Set, templates []string) (eval.JudgeSetup, error) {
	m, err := l.Conf.Model(name)
	if of := eval.JudgeOfCandidate(name); err == nil && of != "" {
		err = fmt.Errorf("%s is the name of a prompt that is tried of %s, which no model may have", name, of)
	}
	if err != nil {
		return eval.JudgeSetup{}, err
	}
	params, err := openai.CanonicalParams(m.Params)
	return eval.JudgeSetup{Judge: name, Endpoint: m.Endpoint.BaseURL, Name: m.Wire, Params: params, Prompts: set.Refs(templates...), Language: language}, err
}

// otherJudgeName is the name under which the same may have been said, and the settings, "" for whichever: of
// a prompt that is tried the judge's own, else that of the candidate, which names its settings.
func (r *judgeConfig) otherJudgeName() (name, setup string) {
	if r.own != "" {
		return r.configured, r.own
	}
	hash, _ := judge.HashSetup(r.setup)
	return eval.NameCandidate(r.setup.Judge, hash), ""
}

// recordedJudgeName gives the name under which what was said is kept, and its settings.
func (r *judgeConfig) recordedJudgeName() (name, setup string) {
	if r.own == "" {
		setup, _ = judge.HashSetup(r.setup)
	}
	return r.setup.Judge, setup
}

// trial is a prompt that the jobs of a factory try, and what they try it on.
type trial struct {
	template, prompt string
	items            map[annotate.ItemKey]map[string]bool // by criterion, "" of what has none
}

// isTriedOn reports whether it is tried on an item, or on one of its criteria; "" is any.
func (t *trial) isTriedOn(k annotate.ItemKey, criterion string) bool {
	of := t.items[k]
	return of[criterion] || criterion == "" && len(of) > 0
}

// itemOfPair is the item that a pair is, in whichever order its responses are shown.
func (t *trial) itemOfPair(p eval.Pair) annotate.ItemKey {
	k := annotate.ItemKey{Key: eval.Key{Run: p.First, Sample: p.Sample}, Against: p.Second}
	if t != nil && t.items[k] == nil {
		k.Run, k.Against = k.Against, k.Run
	}
	return k
}

// useTriedPrompt has the judge asked by the prompt that is tried, if one is, in the name of the candidate.
func (r *judgeConfig) useTriedPrompt() (err error) {
	t := r.Factory.trial
	if t == nil {
		return nil
	}
	if r.set, err = r.set.CopyWithTemplate(t.template, t.prompt); err != nil {
		return err
	}
	r.configured = r.setup.Judge
	r.setup.Prompts = r.set.Refs(eval.Map(r.setup.Prompts, func(p eval.PromptRef) string { return p.Name })...)
	r.own, _ = judge.HashSetup(r.setup)
	r.setup.Judge = eval.NameCandidate(r.configured, r.own)
	return nil
}

// setImageEdge sets how far the pictures that a model sees are scaled down: below 0,
// as it is configured; and in which detail they are read.
func (r *judgeConfig) setImageEdge(edge int) error {
	m, err := r.Factory.Conf.Model(r.configuredModelName())
	r.setup.Params = openai.AddDetail(r.setup.Params, m.Detail)
	if r.setup.Edge = m.Edge; edge >= 0 {
		r.setup.Edge = edge
	}
	return err
}

// judgeDependencies are what the model is asked with; a nil chatter asks nothing.
func (r *judgeConfig) judgeDependencies(c eval.Chatter) judge.Dependencies {
	return judge.Dependencies{Setup: r.setup, Chatter: c, Set: r.set, Hints: r.hints}
}

// prepareChatter makes the model ready to be asked, and stores the texts that its facts will name.
func (r *judgeConfig) prepareChatter(ctx context.Context, e Effort) (*openai.Model, error) {
	l, s := r.Factory, r.setup
	if err := l.Models.RequirePricesForBudget(e.Budget, []string{r.configuredModelName()}); err != nil {
		return nil, err
	}
	c, err := l.Models.newChatter(r.configuredModelName(), s.Endpoint, s.Name, s.Params, s.Edge)
	if err != nil {
		return nil, err
	}
	if err := l.Prompts.storePromptTexts(ctx, r.set, s.Prompts); err != nil {
		return nil, err
	}
	_, text := judge.HashSetup(s)
	_, err = l.Store.Texts().Put(ctx, string(text))
	return c, eval.WrapError(err, "keep setup of %s", s.Judge)
}

// estimateCalls estimates what n calls take, of which chat tells what is said first. A
// reply takes as long as those behind the tally did, or else so many tokens.
func (r *judgeConfig) estimateCalls(t *eval.Tally, n, tokens int, chat func(i int) (*eval.Sample, eval.Chat, error)) (eval.Estimate, error) {
	if n == 0 {
		return eval.Estimate{Priced: true}, nil
	}
	m, err := r.Factory.Conf.Model(r.configuredModelName())
	if err != nil {
		return eval.Estimate{}, err
	}
	w := eval.Workload{Strategy: eval.Vanilla, Total: n, Edge: r.setup.Edge, PictureTokens: m.PictureTokens, Price: m.Price, Answer: tokens}
	if n := t.CountStored(); n > 0 && t.Usage.Completion > 0 {
		w.Answer = max(t.Usage.Completion/n, 1)
	}
	err = addSampledCalls(&w, n, chat)
	return w.Estimate(), err
}

// describeChangedSettings says under which other settings facts were made, by their hash.
func (r *judgeConfig) describeChangedSettings(was string) string {
	old, err := r.Factory.Store.Texts().Text(was)
	if was == "" || err != nil {
		return "were made elsewhere, with settings that are not known"
	}
	_, text := judge.HashSetup(r.setup)
	return strings.Join(append([]string{"were made with other settings:"}, listDifferingFields(old, text)...), "\n  ")
}

// describeOtherName says what gives the model another name in the configuration, with the prompts that are its own.
func (r *judgeConfig) describeOtherName() string {
	out := fmt.Sprintf("[models.NAME] with model = %q", r.setup.Name)
	files := r.Factory.Conf.PromptFiles()
	for _, key := range slices.Sorted(maps.Keys(files)) {
		if template, of, _ := strings.Cut(key, config.OfJudge); of == r.configuredModelName() {
			out += fmt.Sprintf(", and under [prompts] %q = %q", template+config.OfJudge+"NAME", files[key])
		}
	}
	return out
}
