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
