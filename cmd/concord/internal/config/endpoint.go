package config

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Endpoint is a server that speaks the OpenAI wire format. One without a
// BaseURL is only named by a model, and defined nowhere.
type Endpoint struct {
	Name              string
	BaseURL           string
	KeyEnv            string        // the variable that holds the key; "" for a server that wants none
	Timeout           time.Duration // of one call
	RequestsPerMinute int           // 0: no limit
	TokensPerMinute   int           // 0: no limit
	Concurrency       int           // calls at once, of all runs; 0: what the client sets (64)
	Insecure          bool          // its key may go over plain HTTP to another machine

	keyless bool // the key may be missing: nobody has asked for one
}

// Endpoints are those of the config, by name, and "openai" where
// OPENAI_API_KEY or OPENAI_BASE_URL is set.
func (c *Config) Endpoints() []Endpoint {
	names := c.settings.names(secEndpoints)
	if !slices.Contains(names, OpenAI) && c.set(OpenAIKey) {
		names = append(names, OpenAI)
		slices.Sort(names)
	}
	out := make([]Endpoint, len(names))
	for i, n := range names {
		out[i] = c.endpoint(n)
	}
	return out
}

// Endpoint is the endpoint of that name.
func (c *Config) Endpoint(name string) (Endpoint, bool) {
	all := c.Endpoints()
	i := slices.IndexFunc(all, func(e Endpoint) bool { return e.Name == name })
	if i < 0 {
		return Endpoint{}, false
	}
	return all[i], true
}

func (c *Config) endpoint(name string) Endpoint {
	k := func(field string) key { return key{section: secEndpoints, name: name, field: field} }
	e := Endpoint{
		Name:              name,
		BaseURL:           of[string](c.settings, k("base_url")),
		KeyEnv:            of[string](c.settings, k("api_key_env")),
		Timeout:           of[time.Duration](c.settings, k("timeout")),
		RequestsPerMinute: of[int](c.settings, k("requests_per_minute")),
		TokensPerMinute:   of[int](c.settings, k("tokens_per_minute")),
		Concurrency:       of[int](c.settings, k("concurrency")),
		Insecure:          of[bool](c.settings, k("insecure")),
	}
	if name != OpenAI {
		return e
	}
	if e.KeyEnv == "" {
		e.KeyEnv = OpenAIKey
		// A server of one's own that stands in for OpenAI's may want no key.
		e.keyless = e.BaseURL != "" && e.BaseURL != openAIEndpoint
	}
	if e.BaseURL == "" {
		e.BaseURL = openAIEndpoint
	}
	return e
}

// Origin says where a value of an endpoint comes from, by its key in the
// file, such as "base_url".
func (c *Config) Origin(e Endpoint, field string) Origin {
	return c.settings.origin(key{section: secEndpoints, name: e.Name, field: field})
}

// DefaultEndpoint is the endpoint that models which the config does not know
// are asked of: the one that default_endpoint names, else the only one in the
// files, else "openai".
func (c *Config) DefaultEndpoint() (Endpoint, error) {
	k := key{field: "default_endpoint"}
	if name := of[string](c.settings, k); name != "" {
		if e, ok := c.Endpoint(name); ok {
			return e, nil
		}
		return Endpoint{}, Problem{Origin: c.settings.origin(k), Key: k.String(), Text: "there is no endpoint " + quote(name) + did(name, c.endpointNames())}
	}
	if inFiles := c.settings.namesIn(secEndpoints, FromFile); len(inFiles) == 1 {
		return c.endpoint(inFiles[0]), nil
	}
	if e, ok := c.Endpoint(OpenAI); ok {
		return e, nil
	}
	if names := c.endpointNames(); len(names) > 0 {
		return Endpoint{}, Problem{Key: k.String(), Text: "say which endpoint is to be asked: " + strings.Join(names, ", ")}
	}
	return Endpoint{}, Problem{Text: "no endpoint is known: set OPENAI_API_KEY or OPENAI_BASE_URL, or write a config (concord config init)"}
}

func (c *Config) endpointNames() []string {
	var out []string
	for _, e := range c.Endpoints() {
		out = append(out, e.Name)
	}
	return out
}

// Key is the endpoint's key, from the environment as it is now; "" for an
// endpoint that wants none. The error names the variable, and where it would be
// sent, when it must not be (ErrUntrusted, ErrPlainHTTP).
func (c *Config) Key(e Endpoint) (string, error) {
	if e.KeyEnv == "" {
		return "", nil
	}
	v, _ := c.env(e.KeyEnv)
	v = strings.TrimSpace(v)
	where := key{section: secEndpoints, name: e.Name, field: "api_key_env"}.String()
	switch {
	case v == "" && e.keyless:
		return "", nil
	case v == "":
		return "", Problem{Key: where, Text: fmt.Sprintf("the environment variable %s is not set (export %s=...)", e.KeyEnv, e.KeyEnv)}
	case strings.ContainsFunc(v, func(r rune) bool { return r > unicode.MaxASCII || unicode.IsControl(r) || r == ' ' }):
		return "", Problem{Key: where, Text: fmt.Sprintf("the environment variable %s holds a space, a line break or another character that no key has", e.KeyEnv)}
	}
	if err := maySend(c, e); err != nil {
		return "", err
	}
	return v, nil
}

// set reports whether a variable holds something.
func (c *Config) set(variable string) bool {
	v, _ := c.env(variable)
	return strings.TrimSpace(v) != ""
}

// incomplete finds endpoints without an address.
func (c *Config) incomplete() (bad Problems) {
	for _, e := range c.Endpoints() {
		if e.BaseURL != "" {
			continue
		}
		for k, s := range c.settings {
			if k.section == secEndpoints && k.name == e.Name {
				k.field = "base_url"
				bad = append(bad, Problem{Origin: s.origin, Key: k.String(), Text: `is missing: the server's address, such as "http://localhost:8000/v1"`})
				break
			}
		}
	}
	return bad
}
