package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/bound"
	"concord/eval/openai"
	"concord/eval/prompt"
	"concord/store"
)

// NewRunConfig makes the configuration of a run out of an order: everything that
// decides what is asked is in it, with the texts that it names stored.
func (l *Factory) NewRunConfig(ctx context.Context, o *Order) (eval.Config, error) {
	c := eval.Config{Dataset: o.Dataset, Model: o.Model, Strategy: o.Strategy, Modality: o.Modality, Origin: eval.Asked, AllPasses: o.AllPasses, Rules: o.Rules}
	if _, err := facts.FindRules(o.Rules); err != nil {
		return c, err
	}
	s, err := l.Datasets.DatasetFacts(ctx, o.Dataset)
	if err != nil {
		return c, err
	}
	if _, err := s.requireImagesIfAsked(o.Modality); err != nil {
		return c, err
	}
	m, err := l.Conf.Model(o.Model)
	if err != nil && (!o.Shared || m.Params == nil) { // whom workers ask, they know
		return c, err
	}
	set, err := l.Prompts.LoadTemplates("")
	if err != nil {
		return c, err
	}
	if o.ModelShots && o.Modality == eval.BaseText {
		o.Shots = m.Shots
	}
	c.Synthetic = s.dataset.Synthetic
	c.Settings = eval.Settings{
		Endpoint: eval.Either(o.Shared, "", m.Endpoint.BaseURL), Name: m.Wire, Language: o.Language, Shots: o.Shots,
		Prompts: set.Refs(prompt.TemplatesFor(s.listQuestionKinds(), o.Modality, o.Shots)...), Fallback: o.Fallback,
	}
	if c.Settings.Params, err = openai.CanonicalParams(m.Params); err != nil {
		return c, fmt.Errorf("model %s: %w", o.Model, err)
	}
	if o.Modality != eval.TextOnly && o.Modality != eval.BaseText {
		c.Settings.Edge, c.Settings.Params = m.Edge, openai.AddDetail(c.Settings.Params, m.Detail)
	}
	if o.Fallback || o.Shots > 0 && o.Exemplars == "" {
		c.Settings.Seed = o.Seed
	}
	if o.Shots > 0 {
		if c.Settings.Exemplars, err = l.loadExemplars(ctx, o); err != nil {
			return c, err
		}
	}
	for _, name := range o.Judges {
		setup, _, err := l.newReadingSetup(name, o.Language, s.listJudgeTemplates())
		if err != nil {
			return c, err
		}
		c.Settings.Judges = append(c.Settings.Judges, setup)
	}
	return c, nil
}

func (l *Factory) newReadingSetup(name, language string, templates []string) (out eval.JudgeSetup, set *prompt.Set, err error) {
	if len(templates) == 0 {
		return out, nil, errors.New("a judge reads multiple choice and yes/no answers, and this dataset asks for neither")
	}
	if set, err = l.Prompts.LoadTemplates(name); err != nil {
		return out, nil, err
	}
	if out, err = l.newJudgeSetup(name, language, set, templates); err != nil {
		return out, nil, fmt.Errorf("judge %s: %w", name, err)
	}
	out.Pseudo = l.Conf.PseudoChoice()
	return out, set, nil
}

// StoreJudgeSetups are judges as the configuration has them today, with their prompts stored.
func (l *Factory) StoreJudgeSetups(ctx context.Context, name eval.DatasetName, judges []string, language string) ([]eval.JudgeSetup, error) {
	if len(judges) == 0 {
		return nil, nil
	}
	s, err := l.Datasets.DatasetFacts(ctx, name)
	if err != nil {
		return nil, err
	}
	var out []eval.JudgeSetup
	for _, one := range judges {
		setup, set, err := l.newReadingSetup(one, language, s.listJudgeTemplates())
		if err == nil {
			err = l.Prompts.storePromptTexts(ctx, set, setup.Prompts)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, setup)
	}
	return out, nil
}

// loadExemplars loads the worked examples of a run: from a file, or drawn from the dataset.
func (l *Factory) loadExemplars(ctx context.Context, o *Order) ([]eval.Exemplar, error) {
	if o.Exemplars == "" {
		return l.drawExemplarsOfDataset(ctx, o)
	}
	f, err := bound.OpenRegular(o.Exemplars)
	if err != nil {
		return nil, fmt.Errorf("read exemplars: %w", err)
	}
	defer func() { _ = f.Close() }()
	all, err := prompt.ReadExemplars(f)
	if err != nil {
		return nil, fmt.Errorf("read exemplars from %s: %w", o.Exemplars, err)
	}
	if len(all) < o.Shots {
		return nil, fmt.Errorf("%s holds %s, --shots asks for %d", o.Exemplars, cli.FormatCount(len(all), "worked example"), o.Shots)
	}
	return all, nil
}

// drawExemplarsOfDataset are worked examples from the dataset itself.
func (l *Factory) drawExemplarsOfDataset(ctx context.Context, o *Order) (out []eval.Exemplar, err error) {
	out = prompt.DrawExemplars(func(yield func(eval.Sample) bool) {
		for s, serr := range l.Store.Datasets().Samples(ctx, o.Dataset) {
			if serr != nil {
				err = serr
				return
			}
			if !yield(s) {
				return
			}
		}
	}, o.Shots, o.Seed)
	if err == nil && len(out) <= o.Shots {
		err = fmt.Errorf("dataset %s has %s to draw worked examples from, --shots %d needs %d", o.Dataset, cli.FormatCount(len(out), "sample"), o.Shots, o.Shots+1)
	}
	return out, err
}

// ChangedError says that a run of that name has other settings.
type ChangedError struct {
	Run   eval.Run
	diffs []eval.Difference
}

func (e *ChangedError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "run %d of %s on %s was made with other settings:", e.Run.ID, e.Run.Config.Model, e.Run.Config.Dataset)
	for _, d := range e.diffs {
		fmt.Fprintf(&b, "\n  %s: was %s, is %s", d.Field, cmp.Or(d.Was, "none"), cmp.Or(d.Is, "none"))
	}
	fmt.Fprintf(&b, "\nContinue it under its own settings with --run %d, or start a new run with --new", e.Run.ID)
	if e.JudgesOnly() {
		fmt.Fprintf(&b, "\nTo have another judge read its answers: concord judge --dataset %s --run %d --judge NAME", e.Run.Config.Dataset, e.Run.ID)
	}
	return b.String()
}

// JudgesOnly reports whether nothing but the judges is different.
func (e *ChangedError) JudgesOnly() bool {
	return !slices.ContainsFunc(e.diffs, func(d eval.Difference) bool { return d.Field != "judges" })
}

// FindRunOfOrder finds the run of an order.
func (l *Factory) FindRunOfOrder(ctx context.Context, o *Order) (eval.Run, error) {
	c, err := l.NewRunConfig(ctx, o)
	if err != nil {
		return eval.Run{}, err
	}
	run, _, err := l.FindOrCreateRun(ctx, c, o.New)
	return run, err
}

// FindOrCreateRun finds the run of a configuration, or makes it. A run of that name with
// other settings is a changedError, unless a new one is wanted.
func (l *Factory) FindOrCreateRun(ctx context.Context, c eval.Config, anew bool) (run eval.Run, made bool, err error) {
	run, diffs, err := l.runs.findMostSimilarRun(ctx, c)
	switch {
	case err == nil && len(diffs) == 0:
		return run, false, nil
	case err == nil && !anew:
		return run, false, &ChangedError{run, diffs}
	case err != nil && !errors.Is(err, eval.ErrNotFound):
		return run, false, err
	}
	if err := l.Models.checkReachable(c); err != nil {
		return run, false, err
	}
	refs := map[string][]eval.PromptRef{"": c.Settings.Prompts} // by the judge that they are of
	for _, j := range c.Settings.Judges {
		refs[j.Judge] = append(refs[j.Judge], j.Prompts...)
	}
	for judge, some := range refs {
		set, err := l.Prompts.LoadTemplates(judge)
		if err == nil {
			err = l.Prompts.storePromptTexts(ctx, set, some)
		}
		if err != nil {
			return run, false, err
		}
	}
	run, err = l.Store.Runs().CreateRun(ctx, c)
	return run, err == nil, err
}

// Templates reads prompt templates, and stores those that a run was set up with.
type Templates struct {
	Conf  *config.Config
	Store *store.Store
}

// LoadTemplates gives the built-in templates with those that files replace for all, or
// for this judge alone; "" for a model that answers.
func (t *Templates) LoadTemplates(judge string) (*prompt.Set, error) {
	overrides, own := make(map[string]string), make(map[string]string)
	for key, path := range t.Conf.PromptFiles() {
		name, of, ofOne := strings.Cut(key, config.OfJudge)
		if ofOne && of != judge {
			continue
		}
		if err := t.Conf.CheckPromptFileTrusted(key); err != nil {
			return nil, err
		}
		text, err := ReadPromptFile(path)
		if err != nil {
			return nil, fmt.Errorf("prompt %s: %w (the path is relative to the config file)", key, err)
		}
		if _, err := prompt.LoadSet(map[string]string{name: text}); err != nil {
			return nil, fmt.Errorf("prompt %s, %s: %w (concord's own to begin with: concord config prompt)", key, path, err)
		}
		eval.Either(ofOne, own, overrides)[name] = text
	}
	maps.Copy(overrides, own)
	return prompt.LoadSet(overrides)
}

// loadByRefs gives the templates that a run or a judge was set up with, as they were then.
func (t *Templates) loadByRefs(refs []eval.PromptRef) (*prompt.Set, error) {
	overrides := make(map[string]string, len(refs))
	for _, r := range refs {
		text, err := t.Store.Texts().Text(r.Hash)
		if err != nil {
			return nil, fmt.Errorf("prompt %s/%s: %w", r.Name, r.Language, err)
		}
		overrides[r.Name+"/"+r.Language] = string(text)
	}
	return prompt.LoadSet(overrides)
}

func (t *Templates) storePromptTexts(ctx context.Context, set *prompt.Set, refs []eval.PromptRef) error {
	for _, r := range refs {
		text, ok := set.TemplateText(r.Name, r.Language)
		if !ok {
			return fmt.Errorf("prompt %s/%s: %w", r.Name, r.Language, eval.ErrNotFound)
		}
		if _, err := t.Store.Texts().Put(ctx, text.Text); err != nil {
			return fmt.Errorf("keep prompt %s: %w", r.Name, err)
		}
	}
	return nil
}

// ReadPromptFile reads a prompt's file, up to the length that a prompt may have.
func ReadPromptFile(path string) (string, error) {
	text, err := bound.ReadFile(path, bound.Text)
	return string(text), eval.WrapError(err, "read prompt")
}
