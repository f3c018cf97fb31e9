package config

import (
	"strconv"
	"strings"
)

// The variables that make an endpoint without any config.
const (
	OpenAIKey      = "OPENAI_API_KEY"
	OpenAIBaseURL  = "OPENAI_BASE_URL"
	OpenAI         = "openai" // the endpoint's name
	openAIEndpoint = "https://api.openai.com/v1"
)

// readEnvironment reads the settings that variables hold.
func readEnvironment(env func(string) (string, bool)) (found []setting, bad Problems) {
	take := func(k key, variable string) {
		s, ok := env(variable)
		if s = strings.TrimSpace(s); !ok || s == "" {
			return
		}
		o := Origin{Source: Environment, Name: variable}
		if secret(s) {
			bad = append(bad, Problem{Origin: o, Text: "looks like a key (not shown)"})
			return
		}
		f, _ := k.known()
		v, err := f.check(typed(s, f.preset))
		if err != nil {
			bad = append(bad, Problem{Origin: o, Text: redact(err.Error())})
			return
		}
		found = append(found, setting{key: k, value: v, origin: o})
	}
	take(key{section: secEndpoints, name: OpenAI, field: "base_url"}, OpenAIBaseURL)
	for _, name := range order {
		if s := schema[name]; (!s.named || s.shared) && !s.free {
			for _, f := range s.names() {
				k := key{section: name, field: f}
				take(k, k.variable())
			}
		}
	}
	return found, bad
}

// typed makes the text of a variable into what a file would hold there.
func typed(s string, preset any) any {
	switch preset.(type) {
	case int, float64:
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n
		}
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return f
		}
	case bool:
		if b, err := strconv.ParseBool(s); err == nil {
			return b
		}
	}
	return s
}
