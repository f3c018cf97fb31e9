package config

import (
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"concord/eval"
	"concord/tui/keymap"
)

// settings holds the merged values of all sources, by key.
type settings map[confKey]setting

// merge takes over found values in place of those of weaker sources.
func (s settings) merge(found []setting) {
	for _, one := range found {
		s[one.key] = one
	}
}

// originOf says where a key's value comes from.
func (s settings) originOf(k confKey) Origin {
	if one, ok := s[k]; ok {
		return one.origin
	}
	return Origin{Source: Default}
}

// namesInSection lists the names under which a section has values, sorted.
func (s settings) namesInSection(section string) []string {
	return s.namesFromSource(section, SourceUnset)
}

// namesFromSource lists the names to which a source gave a value; SourceUnset is any.
func (s settings) namesFromSource(section string, from Source) []string {
	seen := make(map[string]bool)
	for k, one := range s {
		if k.section == section && (from == SourceUnset || one.origin.Source == from) {
			seen[k.name] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// paramNames lists the request parameters of a model, presets included, sorted.
func (s settings) paramNames(model string) []string {
	out := slices.Collect(maps.Keys(presetParams))
	for k := range s {
		if k.section == secModels && k.name == model && k.param != "" {
			out = append(out, k.param)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// curationKey gives the dataset's own key where it is set, else the shared one.
func (s settings) curationKey(dataset, field string) confKey {
	own := confKey{section: secCuration, name: dataset, field: field}
	if _, ok := s[own]; ok {
		return own
	}
	return confKey{section: secCuration, field: field}
}

// chosenKeyBindings lists the keys that the user chose, by the actions' names.
func (s settings) chosenKeyBindings() []keymap.Choice {
	var out []keymap.Choice
	for k, one := range s {
		if k.section == secKeys {
			out = append(out, keymap.Choice{Action: k.name, Keys: one.value.([]string), Origin: one.origin.String()})
		}
	}
	slices.SortFunc(out, func(a, b keymap.Choice) int { return strings.Compare(a.Action, b.Action) })
	return out
}

// keyBindingProblems lists chosen keys that their actions cannot have.
func (s settings) keyBindingProblems() Problems {
	var bad []keymap.Problem
	if chosen := s.chosenKeyBindings(); len(chosen) > 0 {
		_, bad = keymap.New(chosen)
	}
	return eval.Map(bad, func(p keymap.Problem) Problem {
		k := confKey{section: secKeys, name: p.Action}
		return Problem{Origin: s.originOf(k), Key: k.String(), Text: p.Text}
	})
}

// paramsJSON gives a model's parameters as JSON with sorted keys. A null stands for a preset that the request omits.
func (s settings) paramsJSON(m Model) (json.RawMessage, error) {
	body := maps.Clone(presetParams)
	for k, one := range s {
		if k.section == secModels && k.name == m.Name && k.param != "" {
			body[k.param] = one.value
		}
	}
	for k, v := range body {
		switch {
		case v != omit:
		case presetParams[k] != nil:
			body[k] = nil // says that it is left out on purpose
		default:
			delete(body, k)
		}
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, Problem{Key: m.confKeyOf("params").String(), Text: "cannot be JSON"}
	}
	return raw, nil
}

// valueOrDefault gives the value of a key, or its default.
func valueOrDefault[T any](s settings, k confKey) T {
	if one, ok := s[k]; ok {
		return one.value.(T)
	}
	if f, ok := k.findField(); ok && f.preset != nil {
		return f.preset.(T)
	}
	var zero T
	return zero
}

// fillStruct gives the fields of a struct the values of the keys that their tags name, or their defaults.
func (s settings) fillStruct(into any, at func(field string) confKey) {
	v := reflect.ValueOf(into).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("toml")
		if value := valueOrDefault[any](s, at(name)); name != "" && value != nil {
			v.Field(i).Set(reflect.ValueOf(value))
		}
	}
}

// Curation is what is settled of the review of a dataset's samples.
type Curation struct {
	Experts    int      `toml:"experts"`     // that each sample asks for
	Targets    []string `toml:"targets"`     // of accepted samples: GROUP=N, or the path of a file
	Inspection string   `toml:"inspection"`  // whose candidates are reviewed; "": the newest
	HideAnswer bool     `toml:"hide_answer"` // at first
	HideHits   bool     `toml:"hide_hits"`   // and difficulty, at first

	TargetsFrom Origin // who is to blame when they cannot be read
}

// CurationSettings is what [curation] says of a dataset, each value by what
// [curation.DATASET] says where it says something.
func (c *Config) CurationSettings(dataset string) Curation {
	at := func(field string) confKey { return c.settings.curationKey(dataset, field) }
	out := Curation{TargetsFrom: c.settings.originOf(at("targets"))}
	c.settings.fillStruct(&out, at)
	return out
}

// goal is a target that is no file: of a level of the taxonomy, or of a group.
var goal = regexp.MustCompile(`=\s*\d+\s*$`)

// checkOneOrMore takes texts, each of which a check takes: one, or a list of them.
func checkOneOrMore(what string, takes valueCheck) valueCheck {
	return func(v any) (any, error) {
		list, ok := v.([]any)
		if s, one := v.(string); one {
			list, ok = []any{s}, true
		}
		if !ok {
			return nil, newWantError(what, v)
		}
		out := make([]string, len(list))
		for i, one := range list {
			s, err := takes(one)
			if err != nil {
				return nil, err
			}
			out[i] = s.(string)
		}
		return out, nil
	}
}

// resolveTargetFiles are targets as the config file that names them means them.
func resolveTargetFiles(config string, v any) any {
	list := v.([]string)
	for i, s := range list {
		if !goal.MatchString(s) {
			list[i] = resolveAgainstConfig(config, s)
		}
	}
	return list
}

func resolveFile(config string, v any) any { return resolveAgainstConfig(config, v.(string)) }

// Model is a model to ask, under the name that runs and reports give it.
type Model struct {
	Name          string
	Wire          string `toml:"model"` // as the endpoint calls it
	Endpoint      Endpoint
	Params        json.RawMessage // fields of the request's body, as an object
	Edge          int             `toml:"edge"`   // pictures are scaled down to this longer edge, in pixels; 0: never
	Detail        string          `toml:"detail"` // in which pictures are read: one of eval.ImageDetails; "" leaves it to the endpoint
	Stream        bool            `toml:"stream"`
	LogProbs      bool            `toml:"logprobs"`       // it is asked for the log probabilities of its answers in runs, and of its replies as a judge that reads
	PictureTokens int             `toml:"picture_tokens"` // what a picture costs, for estimates; 0: not known
	Price         eval.Price
	Retries       int `toml:"retries"` // further calls after one that failed transiently
	Shots         int `toml:"shots"`   // worked examples before the question, of runs on the language base
	Card          eval.Card
}

// omit as a parameter's value keeps the parameter out of the request.
const omit = "omit"

// Models are those of the config, by name. One whose endpoint is defined
// nowhere has an Endpoint without a BaseURL; Model says so as an error.
func (c *Config) Models() []Model {
	return eval.Map(c.settings.namesInSection(secModels), func(n string) Model {
		m, err := c.readModel(n)
		if err != nil {
			m.Endpoint = Endpoint{Name: valueOrDefault[string](c.settings, confKey{section: secModels, name: n, field: "endpoint"})}
		}
		return m
	})
}

// Model is the model of that name with its endpoint. One that the config does
// not know is asked, under that name, of the default endpoint.
func (c *Config) Model(name string) (Model, error) {
	if strings.TrimSpace(name) == "" {
		return Model{}, Problem{Text: "no model is named" + hintNearestWord("", c.settings.namesInSection(secModels))}
	}
	m, err := c.readModel(name)
	if err == nil {
		return m, nil
	}
	var p Problem
	if known := c.settings.namesInSection(secModels); errors.As(err, &p) && p.Key != m.confKeyOf("endpoint").String() {
		p.Text = "model " + quoteUnlessSecret(name) + ": " + p.Text
		if !slices.Contains(known, name) {
			p.Text += hintNearestWord(name, known)
		}
		return m, p
	}
	return m, err
}

func (m Model) confKeyOf(field string) confKey {
	return confKey{section: secModels, name: m.Name, field: field}
}

func (c *Config) readModel(name string) (Model, error) {
	m := Model{Name: name, Wire: name}
	c.settings.fillStruct(&m, m.confKeyOf)
	m.Card.Model = name
	c.settings.fillStruct(&m.Card, m.confKeyOf)
	c.settings.fillStruct(&m.Price, m.confKeyOf)
	if _, set := c.settings[m.confKeyOf("price_cached")]; !set {
		m.Price.Cached = m.Price.Prompt
	}
	var err error
	if m.Params, err = c.settings.paramsJSON(m); err != nil {
		return m, err
	}
	m.Endpoint, err = c.endpointOf(m)
	return m, err
}

func (c *Config) endpointOf(m Model) (Endpoint, error) {
	name := valueOrDefault[string](c.settings, m.confKeyOf("endpoint"))
	if name == "" {
		return c.DefaultEndpoint()
	}
	if e, ok := c.Endpoint(name); ok {
		return e, nil
	}
	return Endpoint{}, Problem{
		Origin: c.settings.originOf(m.confKeyOf("endpoint")), Key: m.confKeyOf("endpoint").String(),
		Text: "there is no endpoint " + quoteUnlessSecret(name) + hintNearestWord(name, c.endpointNames()),
	}
}

// presetParams are the parameters of a model that does not set them.
var presetParams = map[string]any{"temperature": int64(0)}

// ModelCards are what the config says about models, by the model's name.
func (c *Config) ModelCards() []eval.Card {
	all := eval.Map(c.Models(), func(m Model) eval.Card { return m.Card })
	return eval.Select(all, func(c eval.Card) bool { return c != eval.Card{Model: c.Model} })
}

// Cluster is where workers meet runs, where others run the server.
type Cluster struct {
	URL   string `toml:"url"`   // of one server, or of several behind commas
	Creds string `toml:"creds"` // the file that holds them
	CA    string `toml:"ca"`    // the file of whom to trust; "": as this machine does
}

// FindTrustedCluster finds the cluster that is configured, unless the project's own file alone
// names it and nobody has said that this is well.
func FindTrustedCluster(c *Config) (cluster Cluster, err error) {
	at := func(field string) confKey { return confKey{section: secWorkers, field: field} }
	c.settings.fillStruct(&cluster, at)
	if cluster.URL == "" {
		return cluster, errors.New(`no cluster is configured: write url = "tls://HOST:4222" under [workers]`)
	}
	if s, ok := findClusterSending(c); ok {
		err = c.trust.newUntrustedError(s, c, at("url"), "workers.url", "")
	}
	return cluster, err
}

// findClusterSending finds what the project's own file has sent to a cluster.
func findClusterSending(c *Config) (Sending, bool) {
	one, ok := c.settings[confKey{section: secWorkers, field: "url"}]
	if !ok || c.own == nil || one.origin.Source != FromFile || one.origin.Name != c.project {
		return Sending{}, false
	}
	return Sending{BaseURL: one.value.(string)}, valueOrDefault[any](c.own.settings, one.key) != one.value
}

func checkClusterURL(s string) (any, error) {
	for one := range strings.SplitSeq(s, ",") {
		u, err := url.Parse(one)
		if err != nil || u.Host == "" || u.User != nil || u.Scheme != "tls" && u.Scheme != "nats" {
			return nil, errors.New(`wants a URL such as "tls://nats.example.org:4222", or several behind commas, without a password`)
		}
	}
	return s, nil
}
