package home

import (
	"fmt"
	"strings"

	"concord/eval"
	"concord/tui/job"
	"concord/tui/widget"
)

// drawSettings draws everything that decides what a run does.
func (o *overview) drawSettings() []string {
	c := o.r.Run.Config
	out := o.drawField("settings", strings.Join(describeWay(o.r), " · "))
	s := c.Settings
	field := func(name, text string) {
		if text != "" {
			out = append(out, o.drawField(name, job.ClipText(text))...)
		}
	}
	field("endpoint", s.Endpoint)
	field("asked as", job.JoinTexts(s.Name, s.Params))
	field("prompts", formatPrompts(s.Prompts))
	field("asking", strings.Join(describeAsking(s), " · "))
	for i, j := range s.Judges {
		name := ""
		if i == 0 {
			name = "judged by"
		}
		out = append(out, o.drawField(name, job.ClipText(formatJudge(j)))...)
	}
	if s.Fallback {
		field("fallback", fmt.Sprintf("what no judge reads is drawn at random, seed %d", s.Seed))
	}
	return out
}

// describeWay describes how a run goes about its dataset.
func describeWay(r Row) []string {
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

func describeAsking(s eval.Settings) []string {
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
	out := make([]string, len(refs))
	for i, p := range refs {
		version := p.Version
		if strings.Trim(version, "0123456789.") == "" && version != "" {
			version = "v" + version
		}
		out[i] = strings.Join(strings.Fields(p.Name+" "+p.Language+" "+version+" "+p.Hash[:min(len(p.Hash), 8)]), " ")
	}
	return strings.Join(out, " · ")
}

func formatJudge(j eval.JudgeSetup) string {
	out := j.Judge
	if j.Name != "" && j.Name != j.Judge {
		out += " (" + j.Name + ")"
	}
	if j.Endpoint != "" {
		out += " at " + j.Endpoint
	}
	out = job.JoinTexts(job.JoinTexts(out, j.Params), formatPrompts(j.Prompts))
	if j.Pseudo != "" {
		out = job.JoinTexts(out, "none is "+string(j.Pseudo))
	}
	return out
}
