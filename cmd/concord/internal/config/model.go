package config

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"concord/eval"
)

// Model is a model to ask, under the name that runs and reports give it.
type Model struct {
	Name          string
	Wire          string // as the endpoint calls it
	Endpoint      Endpoint
	Params        json.RawMessage // fields of the request's body, as an object
	Edge          int             // pictures are scaled down to this longer edge, in pixels; 0: never
	Stream        bool
	PictureTokens int // what a picture costs, for estimates; 0: not known
	Price         eval.Price
	Retries       int // further calls after one that failed transiently
	Shots         int // worked examples before the question, of runs on the language base
	Card          eval.Card
}

// omit as a parameter's value keeps the parameter out of the request.
const omit = "omit"

// Models are those of the config, by name. One whose endpoint is defined
// nowhere has an Endpoint without a BaseURL; Model says so as an error.
func (c *Config) Models() []Model {
	names := c.settings.names(secModels)
	out := make([]Model, len(names))
	for i, n := range names {
		m, err := c.model(n)
		if err != nil {
			m.Endpoint = Endpoint{Name: of[string](c.settings, key{section: secModels, name: n, field: "endpoint"})}
		}
		out[i] = m
	}
	return out
}

// Model is the model of that name with its endpoint. One that the config does
// not know is asked, under that name, of the default endpoint.
func (c *Config) Model(name string) (Model, error) {
	if strings.TrimSpace(name) == "" {
		return Model{}, Problem{Text: "no model is named" + did("", c.settings.names(secModels))}
	}
	m, err := c.model(name)
	if err == nil {
		return m, nil
	}
	var p Problem
	if known := c.settings.names(secModels); errors.As(err, &p) && p.Key != m.key("endpoint").String() {
		p.Text = "model " + quote(name) + ": " + p.Text
		if !slices.Contains(known, name) {
			p.Text += did(name, known)
		}
		return Model{}, p
	}
	return Model{}, err
}

func (m Model) key(field string) key { return key{section: secModels, name: m.Name, field: field} }

func (c *Config) model(name string) (Model, error) {
	m := Model{Name: name}
	m.Wire = of[string](c.settings, m.key("model"))
	if m.Wire == "" {
		m.Wire = name
	}
	m.Edge = of[int](c.settings, m.key("edge"))
	m.Stream = of[bool](c.settings, m.key("stream"))
	m.PictureTokens = of[int](c.settings, m.key("picture_tokens"))
	m.Retries = of[int](c.settings, m.key("retries"))
	m.Shots = of[int](c.settings, m.key("shots"))
	m.Price = eval.Price{
		Prompt:     of[float64](c.settings, m.key("price_prompt")),
		Completion: of[float64](c.settings, m.key("price_completion")),
	}
	m.Card = eval.Card{
		Model:        name,
		Parameters:   of[float64](c.settings, m.key("parameters")),
		LanguageBase: of[string](c.settings, m.key("language_base")),
		Vision:       of[string](c.settings, m.key("vision")),
		Open:         of[eval.Openness](c.settings, m.key("open")),
	}
	var err error
	if m.Params, err = c.settings.params(m); err != nil {
		return m, err
	}
	m.Endpoint, err = c.endpointOf(m)
	return m, err
}

func (c *Config) endpointOf(m Model) (Endpoint, error) {
	name := of[string](c.settings, m.key("endpoint"))
	if name == "" {
		return c.DefaultEndpoint()
	}
	if e, ok := c.Endpoint(name); ok {
		return e, nil
	}
	return Endpoint{}, Problem{
		Origin: c.settings.origin(m.key("endpoint")), Key: m.key("endpoint").String(),
		Text: "there is no endpoint " + quote(name) + did(name, c.endpointNames()),
	}
}

// presetParams are the parameters of a model that does not set them.
var presetParams = map[string]any{"temperature": int64(0)}

// Cards are what the config says about models, by the model's name.
func (c *Config) Cards() []eval.Card {
	var out []eval.Card
	for _, m := range c.Models() {
		if (m.Card != eval.Card{Model: m.Name}) {
			out = append(out, m.Card)
		}
	}
	return out
}
