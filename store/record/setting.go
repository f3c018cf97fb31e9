package record

import (
	"reflect"

	"concord/eval"
)

// The records of how an endpoint's model is asked, a part of a run's
// configuration.
type (
	// Settings is the record of how an endpoint's model is asked.
	Settings struct {
		Endpoint  string     `cbor:"1,keyasint,omitempty"`
		Name      string     `cbor:"2,keyasint,omitempty"`
		Params    string     `cbor:"3,keyasint,omitempty"`
		Prompts   []Prompt   `cbor:"4,keyasint,omitempty"`
		Language  string     `cbor:"5,keyasint,omitempty"`
		Edge      int        `cbor:"6,keyasint,omitempty"`
		Shots     int        `cbor:"7,keyasint,omitempty"`
		Exemplars []Exemplar `cbor:"8,keyasint,omitempty"`
		Judges    []Setup    `cbor:"9,keyasint,omitempty"`
		Fallback  bool       `cbor:"10,keyasint,omitempty"`
		Seed      uint64     `cbor:"11,keyasint,omitempty"`
	}
	// Prompt is the record of a prompt by its hash.
	Prompt struct {
		Name     string `cbor:"1,keyasint,omitempty"`
		Language string `cbor:"2,keyasint,omitempty"`
		Version  string `cbor:"3,keyasint,omitempty"`
		Hash     string `cbor:"4,keyasint,omitempty"`
	}
	// Exemplar is the record of a worked example.
	Exemplar struct {
		Sample   string   `cbor:"1,keyasint,omitempty"`
		Question string   `cbor:"2,keyasint,omitempty"`
		Options  []Option `cbor:"3,keyasint,omitempty"`
		Answer   string   `cbor:"4,keyasint,omitempty"`
	}
	// Setup is the record of how a judge is asked.
	Setup struct {
		Judge    string   `cbor:"1,keyasint,omitempty"`
		Endpoint string   `cbor:"2,keyasint,omitempty"`
		Name     string   `cbor:"3,keyasint,omitempty"`
		Params   string   `cbor:"4,keyasint,omitempty"`
		Prompts  []Prompt `cbor:"5,keyasint,omitempty"`
		Language string   `cbor:"6,keyasint,omitempty"`
		Pseudo   string   `cbor:"7,keyasint,omitempty"`
		Edge     int      `cbor:"8,keyasint,omitempty"`
	}
)

// fromSettings gives nil for settings that say nothing, so that the bytes of
// a configuration without any stay what they were.
func fromSettings(s eval.Settings) *Settings {
	r := Settings{
		Endpoint: s.Endpoint, Name: s.Name, Params: s.Params, Prompts: fromPrompts(s.Prompts), Language: s.Language,
		Edge: s.Edge, Shots: s.Shots, Fallback: s.Fallback, Seed: s.Seed,
	}
	for _, e := range s.Exemplars {
		r.Exemplars = append(r.Exemplars, Exemplar{
			Sample: string(e.Sample), Question: e.Question, Options: fromOptions(e.Options), Answer: string(e.Answer),
		})
	}
	for _, j := range s.Judges {
		r.Judges = append(r.Judges, Setup{
			Judge: j.Judge, Endpoint: j.Endpoint, Name: j.Name, Params: j.Params, Prompts: fromPrompts(j.Prompts),
			Language: j.Language, Pseudo: string(j.Pseudo), Edge: j.Edge,
		})
	}
	if reflect.ValueOf(r).IsZero() {
		return nil
	}
	return &r
}

func (r *Settings) settings() eval.Settings {
	if r == nil {
		return eval.Settings{}
	}
	s := eval.Settings{
		Endpoint: r.Endpoint, Name: r.Name, Params: r.Params, Prompts: toPrompts(r.Prompts), Language: r.Language,
		Edge: r.Edge, Shots: r.Shots, Fallback: r.Fallback, Seed: r.Seed,
	}
	for _, e := range r.Exemplars {
		s.Exemplars = append(s.Exemplars, eval.Exemplar{
			Sample: eval.SampleID(e.Sample), Question: e.Question, Options: toOptions(e.Options), Answer: eval.Choice(e.Answer),
		})
	}
	for _, j := range r.Judges {
		s.Judges = append(s.Judges, eval.JudgeSetup{
			Judge: j.Judge, Endpoint: j.Endpoint, Name: j.Name, Params: j.Params, Prompts: toPrompts(j.Prompts),
			Language: j.Language, Pseudo: eval.Choice(j.Pseudo), Edge: j.Edge,
		})
	}
	return s
}

func fromPrompts(refs []eval.PromptRef) []Prompt {
	var out []Prompt
	for _, p := range refs {
		out = append(out, Prompt(p))
	}
	return out
}

func toPrompts(records []Prompt) []eval.PromptRef {
	var out []eval.PromptRef
	for _, r := range records {
		out = append(out, eval.PromptRef(r))
	}
	return out
}

// Counts is the record of a run's totals.
type Counts struct {
	Predictions int    `cbor:"1,keyasint,omitempty"`
	Failures    int    `cbor:"2,keyasint,omitempty"`
	Questions   int    `cbor:"3,keyasint,omitempty"`
	Statuses    []int  `cbor:"4,keyasint,omitempty"`
	Reader      string `cbor:"5,keyasint,omitempty"`
	Prompt      int    `cbor:"6,keyasint,omitempty"` // tokens, as the next two
	Completion  int    `cbor:"7,keyasint,omitempty"`
	Reasoning   int    `cbor:"8,keyasint,omitempty"`
}

// The records of runs. Every field of a configuration is left out when it is
// zero: the hash that finds a run is over the bytes of its configuration, and
// a field added later must not change it for the runs that there are.
type (
	// Config is the record of a run's configuration.
	Config struct {
		Dataset   string    `cbor:"1,keyasint,omitempty"`
		Model     string    `cbor:"2,keyasint,omitempty"`
		Strategy  uint8     `cbor:"3,keyasint,omitempty"`
		Modality  uint8     `cbor:"4,keyasint,omitempty"`
		Origin    uint8     `cbor:"5,keyasint,omitempty"`
		AllPasses bool      `cbor:"6,keyasint,omitempty"`
		Rules     string    `cbor:"7,keyasint,omitempty"`
		Synthetic bool      `cbor:"8,keyasint,omitempty"`
		File      string    `cbor:"9,keyasint,omitempty"`
		Settings  *Settings `cbor:"10,keyasint,omitempty"`
	}
	// Run is the record of a run.
	Run struct {
		Config  Config `cbor:"1,keyasint"`
		Created int64  `cbor:"2,keyasint,omitempty"`
		Whole   bool   `cbor:"3,keyasint,omitempty"`
	}
)

// FromConfig makes the record of a configuration.
func FromConfig(c eval.Config) Config {
	return Config{
		Dataset: string(c.Dataset), Model: c.Model, Strategy: uint8(c.Strategy), Modality: uint8(c.Modality),
		Origin: uint8(c.Origin), AllPasses: c.AllPasses, Rules: c.Rules, Synthetic: c.Synthetic, File: c.File,
		Settings: fromSettings(c.Settings),
	}
}

// Config is the configuration that the record holds.
func (r Config) Config() eval.Config {
	return eval.Config{
		Dataset: eval.DatasetName(r.Dataset), Model: r.Model, Strategy: eval.Strategy(r.Strategy),
		Modality: eval.Modality(r.Modality), Origin: eval.Origin(r.Origin), AllPasses: r.AllPasses,
		Rules: r.Rules, Synthetic: r.Synthetic, File: r.File, Settings: r.Settings.settings(),
	}
}
