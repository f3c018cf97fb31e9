package config

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"concord/eval"
)

// ResponsesAPI is the API of an endpoint that is not asked by chats.
const ResponsesAPI = "responses"

// Endpoint is a server that speaks the OpenAI wire format. One without a
// BaseURL is only named by a model, and defined nowhere.
type Endpoint struct {
	Name              string
	BaseURL           string        `toml:"base_url"`
	API               string        `toml:"api"`                 // chat, or ResponsesAPI
	KeyEnv            string        `toml:"api_key_env"`         // the variable that holds the key; "" for a server that wants none
	Timeout           time.Duration `toml:"timeout"`             // of one call
	RequestsPerMinute int           `toml:"requests_per_minute"` // 0: no limit
	TokensPerMinute   int           `toml:"tokens_per_minute"`   // 0: no limit
	Concurrency       int           `toml:"concurrency"`         // calls at once, of all runs; 0: what the client sets (64)
	MaxRequest        int           `toml:"max_request_bytes"`   // what is larger is not sent; 0: no limit
	Insecure          bool          `toml:"insecure"`            // its key may go over plain HTTP to another machine
	Extras            string        // the headers and parameters of the query that calls carry, with their variables: "header api-key=AZURE_KEY"; "" for none

	keyless bool // the key may be missing: nobody has asked for one
}

// Endpoints are those of the config, by name, and "openai" where OPENAI_API_KEY or OPENAI_BASE_URL is set.
func (c *Config) Endpoints() []Endpoint {
	names := c.settings.namesInSection(secEndpoints)
	if !slices.Contains(names, OpenAI) && c.isVariableSet(OpenAIKey) {
		names = append(names, OpenAI)
		slices.Sort(names)
	}
	return eval.Map(names, c.readEndpoint)
}

// Endpoint is the endpoint of that name.
func (c *Config) Endpoint(name string) (Endpoint, bool) {
	return eval.FirstWanted(c.Endpoints(), func(e Endpoint) bool { return e.Name == name })
}

func (c *Config) readEndpoint(name string) Endpoint {
	e := Endpoint{Name: name}
	c.settings.fillStruct(&e, func(field string) confKey { return confKey{section: secEndpoints, name: name, field: field} })
	e.Extras = eval.JoinList(c.settings.extraKeysOf(name), func(k confKey) string {
		return extraKinds[k.field] + " " + k.param + "=" + c.settings[k].value.(string)
	})
	if name != OpenAI {
		return e
	}
	if e.KeyEnv == "" {
		e.KeyEnv = OpenAIKey
		// A server of one's own that stands in for OpenAI's may want no key.
		e.keyless = e.BaseURL != "" && e.BaseURL != openAIEndpoint
	}
	e.BaseURL = cmp.Or(e.BaseURL, openAIEndpoint)
	return e
}

// EndpointOrigin says where a value of an endpoint comes from, by its key in the file, such as "base_url".
func (c *Config) EndpointOrigin(e Endpoint, field string) Origin {
	return c.settings.originOf(confKey{section: secEndpoints, name: e.Name, field: field})
}

// DefaultEndpoint is the endpoint that models which the config does not know are asked of: the
// one that default_endpoint names, else the only one in the files, else "openai".
func (c *Config) DefaultEndpoint() (Endpoint, error) {
	k := confKey{field: "default_endpoint"}
	if name := valueOrDefault[string](c.settings, k); name != "" {
		if e, ok := c.Endpoint(name); ok {
			return e, nil
		}
		return Endpoint{}, Problem{Origin: c.settings.originOf(k), Key: k.String(), Text: "there is no endpoint " + quoteUnlessSecret(name) + hintNearestWord(name, c.endpointNames())}
	}
	if inFiles := c.settings.namesFromSource(secEndpoints, FromFile); len(inFiles) == 1 {
		return c.readEndpoint(inFiles[0]), nil
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
	return eval.Map(c.Endpoints(), func(e Endpoint) string { return e.Name })
}

// extraKinds are the tables of what calls to an endpoint carry beside its key, and what one of it is called.
var extraKinds = map[string]string{"headers": "header", "query": "query parameter"}

// extraKeysOf are the keys of those of an endpoint, sorted.
func (s settings) extraKeysOf(endpoint string) (out []confKey) {
	for k := range s {
		if k.section == secEndpoints && k.name == endpoint && extraKinds[k.field] != "" {
			out = append(out, k)
		}
	}
	slices.SortFunc(out, func(a, b confKey) int { return strings.Compare(a.String(), b.String()) })
	return out
}

// EndpointAPIKey is the endpoint's key, from the environment as it is now; "" for an endpoint that
// wants none. The error names the variable of the key or of what else calls carry, and where it
// would be sent, when it must not be (ErrUntrusted, ErrPlainHTTP).
func (c *Config) EndpointAPIKey(e Endpoint) (key string, err error) {
	if e.KeyEnv != "" {
		key, err = readSecretVariable(c, e.KeyEnv, confKey{section: secEndpoints, name: e.Name, field: "api_key_env"}, e.keyless)
	}
	if err == nil && (key != "" || e.Extras != "") {
		err = checkMaySend(c, e)
	}
	for _, k := range c.settings.extraKeysOf(e.Name) {
		if err == nil {
			_, err = readSecretVariable(c, c.settings[k].value.(string), k, false)
		}
	}
	return eval.Either(err == nil, key, ""), err
}

// EndpointHeadersAndQuery gives the headers and the parameters of the query that calls to an
// endpoint carry, from the environment as it is now, once EndpointAPIKey has given no error.
func EndpointHeadersAndQuery(c *Config, e Endpoint) (headers, query map[string]string) {
	headers, query = make(map[string]string), make(map[string]string)
	for _, k := range c.settings.extraKeysOf(e.Name) {
		v, _ := c.env(c.settings[k].value.(string))
		if k.field == "query" {
			query[k.param] = strings.TrimSpace(v)
		} else {
			headers[k.param] = strings.TrimSpace(v)
		}
	}
	return headers, query
}

// readSecretVariable gives what the environment holds under a name, for the value at a key.
func readSecretVariable(c *Config, name string, at confKey, optional bool) (string, error) {
	v, _ := c.env(name)
	v = strings.TrimSpace(v)
	switch {
	case v == "" && !optional:
		return "", Problem{Key: at.String(), Text: fmt.Sprintf("the environment variable %s is not set (export %[1]s=...)", name)}
	case strings.ContainsFunc(v, func(r rune) bool {
		return r > unicode.MaxASCII || unicode.IsControl(r) || r == ' ' && at.field != "headers"
	}):
		return "", Problem{Key: at.String(), Text: fmt.Sprintf("the environment variable %s holds a space, a line break or another character that no key has", name)}
	}
	return v, nil
}

// isVariableSet reports whether a variable holds something.
func (c *Config) isVariableSet(variable string) bool {
	v, _ := c.env(variable)
	return strings.TrimSpace(v) != ""
}

// findEndpointsWithoutURL finds endpoints without an address.
func (c *Config) findEndpointsWithoutURL() (bad Problems) {
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

// Problem is something wrong with a configuration, in words that name no key of an endpoint.
type Problem struct {
	Origin Origin // zero when no place is to blame
	Key    string // "" for a file that does not parse
	Text   string
	Cause  error // for errors.Is; mostly nil
}

// Unwrap gives the cause.
func (p Problem) Unwrap() error { return p.Cause }

// Error is the place, the key and what is wrong.
func (p Problem) Error() string {
	var b strings.Builder
	if p.Origin.Source != SourceUnset {
		b.WriteString(p.Origin.String() + ": ")
	}
	if p.Key != "" {
		b.WriteString(p.Key + ": ")
	}
	return b.String() + p.Text
}

// Problems are all that is wrong with a configuration, file by file.
type Problems []Problem

const problemsShown = 20

// Error has a line for each problem.
func (p Problems) Error() string {
	var lines []string
	for i, one := range p {
		if i == problemsShown {
			lines = append(lines, fmt.Sprintf("and %d more", len(p)-i))
			break
		}
		lines = append(lines, one.Error())
	}
	return "read config: " + strings.Join(lines, "\n  ")
}

// Unwrap gives each problem to errors.As.
func (p Problems) Unwrap() []error { return eval.Map(p, func(one Problem) error { return one }) }

// hintNearestWord is the hint that names the nearest of the known words, or all of them when none is near.
func hintNearestWord(word string, known []string) string {
	if hint := eval.DidYouMean(word, known); hint != "" || len(known) == 0 {
		return hint
	}
	return "; known: " + strings.Join(known, ", ")
}

// Connection is a server with models of it, to be written down.
type Connection struct {
	Endpoint string // a name for it
	BaseURL  string
	KeyEnv   string   // the variable that holds the key; "" for none
	Models   []string // as the server calls them
}

// AppendConnection adds a config's text with a connection at its end: nothing that stands there is changed, and what it
// has of the connection already is not written twice. Where another server, or a model of another one, has the name,
// the new one gets a number behind it. Text that does not read, before or afterwards, is a Problem.
func AppendConnection(old []byte, c Connection) (added []byte, names []string, err error) {
	found, bad := parseConfigFile(ProjectFile, old)
	if len(bad) > 0 {
		return nil, nil, bad
	}
	has := &Config{settings: make(settings), env: func(string) (string, bool) { return "", false }}
	has.settings.merge(found)
	var b strings.Builder
	name, known := has.chooseEndpointName(c)
	if !known {
		fmt.Fprintf(&b, "\n[endpoints.%s]\nbase_url = %s\n", quoteUnlessBare(name), quoteTOML(c.BaseURL))
		if c.KeyEnv != "" {
			fmt.Fprintf(&b, "api_key_env = %s\n", quoteTOML(c.KeyEnv))
		}
	}
	taken := has.settings.namesInSection(secModels)
	for _, wire := range c.Models {
		model, known := has.chooseModelName(wire, name, taken)
		if names = append(names, model); known {
			continue
		}
		taken = append(taken, model)
		fmt.Fprintf(&b, "\n[models.%s]\nendpoint = %s\n", quoteUnlessBare(model), quoteTOML(name))
		if model != wire {
			fmt.Fprintf(&b, "model = %s\n", quoteTOML(wire))
		}
	}
	text := strings.TrimRight(string(old), "\n")
	if text != "" {
		text += "\n"
	}
	added = []byte(strings.TrimLeft(text+b.String(), "\n"))
	if _, bad := parseConfigFile(ProjectFile, added); len(bad) > 0 {
		return nil, nil, Problem{Text: bad[0].Key + " " + bad[0].Text}
	}
	return added, names, nil
}

// chooseEndpointName is the name of a connection's server: the one that the config gives it, or one that is free.
func (c *Config) chooseEndpointName(of Connection) (name string, known bool) {
	names := c.settings.namesInSection(secEndpoints)
	for _, n := range names {
		if e := c.readEndpoint(n); e.BaseURL == strings.TrimRight(of.BaseURL, "/") && e.KeyEnv == of.KeyEnv {
			return n, true
		}
	}
	return makeFreeName(of.Endpoint, names), false
}

func (c *Config) chooseModelName(wire, endpoint string, taken []string) (name string, known bool) {
	if m, ok := eval.FirstWanted(c.Models(), func(m Model) bool { return m.Wire == wire && m.Endpoint.Name == endpoint }); ok {
		return m.Name, true
	}
	return makeFreeName(wire, taken), false
}

func makeFreeName(name string, taken []string) string {
	out := name
	for i := 2; slices.Contains(taken, out); i++ {
		out = fmt.Sprintf("%s-%d", name, i)
	}
	return out
}

func quoteUnlessBare(name string) string {
	return eval.Either(bare.MatchString(name), name, quoteTOML(name))
}

// quoteTOML gives a text as TOML writes it, which reads what JSON writes.
func quoteTOML(s string) string {
	text, err := json.Marshal(s)
	return eval.Either(err != nil, strconv.Quote(s), string(text))
}
