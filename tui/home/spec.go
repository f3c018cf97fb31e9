package home

import (
	"fmt"
	"slices"
	"strings"

	"concord/eval"
	"concord/tui/action"
	"concord/tui/form"
	"concord/tui/job"
	"concord/tui/widget"
)

// strategies and given are what the form offers, in its order.
var (
	strategies = [...]eval.Strategy{eval.Vanilla, eval.Circular}
	given      = [...]eval.Modality{eval.WithImage, eval.TextOnly, eval.GreyImage, eval.BaseText}
)

func namesOf[T fmt.Stringer](all []T) []string { return eval.Map(all, T.String) }

// currentSpec is the run that the form stands for. Fields that mean nothing in it are left out.
func (f *runForm) currentSpec() Spec {
	s := Spec{
		Dataset: eval.DatasetName(f.dataset.Value()), Model: f.model.Value(),
		Strategy: strategies[f.strategy], Modality: given[f.modality],
		Judges: slices.Clone(f.judges), Concurrency: max(1, int(f.concurrency.Value())), Budget: f.budget.Value(),
		New: f.fresh, Resume: f.resume,
	}
	s.AllPasses = f.allPasses && f.whyNoAllPasses() == ""
	s.Fallback = f.fallback && f.whyNoFallback() == ""
	if f.whyNoShots() == "" {
		s.Shots = int(f.shots.Value())
	}
	return s
}

func (f *runForm) fillDefaults() {
	form.ChooseFirstAllowed(&f.dataset, f.choices.Datasets, func(c DatasetChoice) (string, string) { return string(c.Name), c.Why })
	form.ChooseFirstAllowed(&f.model, f.choices.Models, func(c job.ModelChoice) (string, string) { return c.Name, c.Why })
	f.strategy, f.modality, f.chosen = 0, 0, false
	f.allPasses, f.fallback, f.judges = false, false, nil
	f.shots.SetNumber(0)
	f.concurrency.SetNumber(float64(max(1, f.choices.Defaults.Concurrency)))
	f.budget.SetNumber(f.choices.Defaults.Budget)
}

// suggestSettings chooses what suits the dataset, as long as nobody chose otherwise:
// CircularEval is for multiple choice with pictures (MMBench, Sec. 4.2).
func (f *runForm) suggestSettings() {
	c, ok := f.chosenDataset()
	if !ok || f.chosen || f.lastDataset == f.dataset.Value() {
		return
	}
	f.lastDataset = f.dataset.Value()
	f.modality = slices.Index(given[:], eval.WithImage)
	f.strategy = slices.Index(strategies[:], eval.Circular)
	if c.Pictures == 0 {
		f.modality = slices.Index(given[:], eval.TextOnly)
	}
	if c.Pictures == 0 || !hasChoiceQuestions(c) {
		f.strategy = slices.Index(strategies[:], eval.Vanilla)
	}
}

func hasChoiceQuestions(c DatasetChoice) bool {
	return len(c.Kinds) == 0 || slices.Contains(c.Kinds, eval.KindChoice)
}

func (f *runForm) chosenDataset() (DatasetChoice, bool) {
	return eval.FirstWanted(f.choices.Datasets, func(c DatasetChoice) bool { return string(c.Name) == f.dataset.Value() })
}

// whyNoAllPasses, whyNoShots and whyNoFallback say why a field means nothing now; "" when it does.
func (f *runForm) whyNoAllPasses() string {
	return action.WhyIf(strategies[f.strategy] != eval.Circular, "with circular only")
}

func (f *runForm) whyNoShots() string {
	if m := given[f.modality]; m != eval.TextOnly && m != eval.BaseText {
		return "with text or base only"
	}
	return ""
}

func (f *runForm) whyNoFallback() string {
	return action.WhyIf(len(f.judges) == 0, "with a judge only")
}

// whyNotStart says why the run cannot be; "" when nothing speaks against it here.
func (f *runForm) whyNotStart() string {
	d, ok := f.chosenDataset()
	switch {
	case !ok:
		return "choose a dataset"
	case d.Why != "":
		return string(d.Name) + ": " + d.Why
	case given[f.modality] == eval.WithImage && d.Pictures == 0:
		return string(d.Name) + " has no images: ask it with text, or base"
	case strategies[f.strategy] == eval.Circular && !hasChoiceQuestions(d):
		return fmt.Sprintf("circular rotates options, and %s has none (%s): take vanilla", d.Name, formatKinds(d))
	}
	for _, name := range append([]string{f.model.Value()}, f.judges...) {
		if c, ok := eval.FirstWanted(f.choices.Models, func(c job.ModelChoice) bool { return c.Name == name }); !ok {
			return name + " is not configured any more"
		} else if c.Why != "" {
			return name + ": " + c.Why
		}
	}
	return ""
}

// formatKinds gives the kinds of a dataset's samples in words.
func formatKinds(d DatasetChoice) string { return eval.JoinList(d.Kinds, eval.Kind.String) }

// drawSettings draws everything that decides what a run does.
func (o *overview) drawSettings() []string {
	c := o.r.Run.Config
	out := o.drawField("settings", strings.Join(describeRunMethod(o.r), " · "))
	s := c.Settings
	field := func(name, text string) {
		if text != "" {
			out = append(out, o.drawField(name, job.CleanHeadOfText(text))...)
		}
	}
	field("endpoint", s.Endpoint)
	field("asked as", job.JoinWithDot(s.Name, s.Params))
	field("prompts", formatPrompts(s.Prompts))
	field("asking", strings.Join(describePromptSettings(s), " · "))
	for i, j := range s.Judges {
		name := eval.Either(i == 0, "judged by", "")
		out = append(out, o.drawField(name, job.CleanHeadOfText(formatJudge(j)))...)
	}
	if s.Fallback {
		field("fallback", fmt.Sprintf("what no judge reads is drawn at random, seed %d", s.Seed))
	}
	return out
}

// describeRunMethod describes how a run goes about its dataset.
func describeRunMethod(r Row) []string {
	c := r.Run.Config
	parts := []string{c.Strategy.String()}
	if c.AllPasses {
		parts = append(parts, "all passes")
	}
	if c.Modality != eval.ModalityUnset {
		parts = append(parts, modalities[c.Modality])
	}
	if rules := r.Progress.Counts.Reader; rules != "" {
		parts = append(parts, "rules "+widget.CleanLine(rules))
	}
	if c.Origin != eval.OriginUnset {
		parts = append(parts, c.Origin.String())
	}
	if c.File != "" {
		parts = append(parts, "from "+widget.CleanLine(c.File))
	}
	if c.Synthetic {
		parts = append(parts, "synthetic")
	}
	return parts
}

// modalities say what the model is given.
var modalities = [...]string{
	eval.ModalityUnset: "",
	eval.WithImage:     "with image",
	eval.TextOnly:      "text only",
	eval.GreyImage:     "grey image",
	eval.BaseText:      "language base, text only",
	eval.WithoutImages: "images lacking",
}

func describePromptSettings(s eval.Settings) []string {
	var out []string
	if s.Shots > 0 {
		out = append(out, widget.FormatPlural(s.Shots, "shot"))
	}
	if s.Language != "" {
		out = append(out, "in "+s.Language)
	}
	if s.Edge > 0 {
		out = append(out, fmt.Sprintf("images of %s px at most", widget.FormatCount(s.Edge)))
	}
	return out
}

// formatPrompts name templates by their version and the beginning of their hash.
func formatPrompts(refs []eval.PromptRef) string {
	return strings.Join(eval.Map(refs, func(p eval.PromptRef) string {
		version := eval.Either(strings.Trim(p.Version, "0123456789.") == "" && p.Version != "", "v"+p.Version, p.Version)
		return strings.Join(strings.Fields(p.Name+" "+p.Language+" "+version+" "+p.Hash[:min(len(p.Hash), 8)]), " ")
	}), " · ")
}

func formatJudge(j eval.JudgeSetup) string {
	out := j.Judge
	if j.Name != "" && j.Name != j.Judge {
		out += " (" + j.Name + ")"
	}
	if j.Endpoint != "" {
		out += " at " + j.Endpoint
	}
	out = job.JoinWithDot(job.JoinWithDot(out, j.Params), formatPrompts(j.Prompts))
	if j.Pseudo != "" {
		out = job.JoinWithDot(out, "none is "+string(j.Pseudo))
	}
	return out
}
