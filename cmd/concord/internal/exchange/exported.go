package exchange

import (
	"encoding/json"

	"concord/eval"
)

// The settings of a run as an export writes them beside each prediction, and
// those of a judge beside each judgment. Neither holds a key: settings name
// an endpoint by its address alone.
type (
	runSettings struct {
		Endpoint  string           `json:"endpoint"`
		Model     string           `json:"model"`
		Params    json.RawMessage  `json:"params"`
		Prompts   []eval.PromptRef `json:"prompts"`
		Language  string           `json:"language,omitempty"`
		Edge      int              `json:"edge,omitempty"`
		Shots     int              `json:"shots"`
		Exemplars []exemplar       `json:"exemplars,omitempty"`
		Judges    []judgeSettings  `json:"judges,omitempty"`
		Fallback  bool             `json:"fallback"`
		Seed      uint64           `json:"seed,omitempty"`
		AllPasses bool             `json:"all_passes"`
		Rules     string           `json:"rules"`
	}
	judgeSettings struct {
		Judge    string           `json:"judge"`
		Endpoint string           `json:"endpoint"`
		Model    string           `json:"model"`
		Params   json.RawMessage  `json:"params"`
		Prompts  []eval.PromptRef `json:"prompts"`
		Language string           `json:"language,omitempty"`
		Pseudo   string           `json:"pseudo_choice"`
	}
	exemplar struct {
		Sample   string            `json:"sample,omitempty"`
		Question string            `json:"question"`
		Options  map[string]string `json:"options"`
		Answer   string            `json:"answer"`
	}
)

// exportSettings is nil for a run that concord did not ask.
func exportSettings(run eval.Run) any {
	s := run.Config.Settings
	if run.Config.Origin != eval.Asked {
		return nil
	}
	out := runSettings{
		Endpoint: s.Endpoint, Model: s.Name, Params: rawParamsOrEmpty(s.Params), Prompts: append([]eval.PromptRef{}, s.Prompts...),
		Language: s.Language, Edge: s.Edge, Shots: s.Shots, Fallback: s.Fallback, Seed: s.Seed,
		AllPasses: run.Config.AllPasses, Rules: run.Config.Rules,
	}
	for _, x := range s.Exemplars {
		e := exemplar{Sample: string(x.Sample), Question: x.Question, Options: make(map[string]string), Answer: string(x.Answer)}
		for _, o := range x.Options {
			e.Options[string(o.Letter)] = o.Text
		}
		out.Exemplars = append(out.Exemplars, e)
	}
	for _, j := range s.Judges {
		out.Judges = append(out.Judges, judgeSettings{
			Judge: j.Judge, Endpoint: j.Endpoint, Model: j.Name, Params: rawParamsOrEmpty(j.Params), Prompts: append([]eval.PromptRef{}, j.Prompts...),
			Language: j.Language, Pseudo: string(j.Pseudo),
		})
	}
	return out
}

func rawParamsOrEmpty(p string) json.RawMessage {
	if !json.Valid([]byte(p)) {
		return json.RawMessage("{}")
	}
	return json.RawMessage(p)
}
