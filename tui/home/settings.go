package home

import (
	"fmt"
	"strings"

	"concord/eval"
	"concord/tui/job"
	"concord/tui/widget"
)

// settings is everything that decides what a run does.
func (o *overview) settings() []string {
	c := o.r.Run.Config
	out := o.field("settings", strings.Join(way(o.r), " · "))
	s := c.Settings
	field := func(name, text string) {
		if text != "" {
			out = append(out, o.field(name, job.Clip(text))...)
		}
	}
	field("endpoint", s.Endpoint)
	field("asked as", job.Join(s.Name, s.Params))
	field("prompts", prompts(s.Prompts))
	field("asking", strings.Join(asking(s), " · "))
	for i, j := range s.Judges {
		name := ""
		if i == 0 {
			name = "judged by"
		}
		out = append(out, o.field(name, job.Clip(judge(j)))...)
	}
	if s.Fallback {
		field("fallback", fmt.Sprintf("what no judge reads is drawn at random, seed %d", s.Seed))
	}
	return out
}

// way is how a run goes about its dataset.
func way(r Row) []string {
	c := r.Run.Config
	parts := []string{c.Strategy.String()}
	if c.AllPasses {
		parts = append(parts, "all passes")
	}
	if c.Modality != eval.ModalityUnset {
		parts = append(parts, modalities[c.Modality])
	}
	if rules := r.Progress.Counts.Reader; rules != "" {
		parts = append(parts, "rules "+widget.Line(rules))
	}
	if c.Origin != eval.OriginUnset {
		parts = append(parts, c.Origin.String())
	}
	if c.File != "" {
		parts = append(parts, "from "+widget.Line(c.File))
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

func asking(s eval.Settings) []string {
	var out []string
	if s.Shots > 0 {
		out = append(out, widget.Plural(s.Shots, "shot"))
	}
	if s.Language != "" {
		out = append(out, "in "+s.Language)
	}
	if s.Edge > 0 {
		out = append(out, fmt.Sprintf("images of %s px at most", widget.Count(s.Edge)))
	}
	return out
}

// prompts name templates by their version and the beginning of their hash.
func prompts(refs []eval.PromptRef) string {
	out := make([]string, len(refs))
	for i, p := range refs {
		version := p.Version
		if strings.Trim(version, "0123456789.") == "" && version != "" {
			version = "v" + version
		}
		out[i] = strings.Join(strings.Fields(p.Name+" "+p.Language+" "+version+" "+short(p.Hash)), " ")
	}
	return strings.Join(out, " · ")
}

// short is the beginning of a hash, enough to tell it from others.
func short(hash string) string { return hash[:min(len(hash), 8)] }

func judge(j eval.JudgeSetup) string {
	out := j.Judge
	if j.Name != "" && j.Name != j.Judge {
		out += " (" + j.Name + ")"
	}
	if j.Endpoint != "" {
		out += " at " + j.Endpoint
	}
	out = job.Join(job.Join(out, j.Params), prompts(j.Prompts))
	if j.Pseudo != "" {
		out = job.Join(out, "none is "+string(j.Pseudo))
	}
	return out
}
