package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Connection is a server with models of it, to be written down.
type Connection struct {
	Endpoint string // a name for it
	BaseURL  string
	KeyEnv   string   // the variable that holds the key; "" for none
	Models   []string // as the server calls them
}

// Add is a config's text with a connection at its end: nothing that stands
// there is changed, and what it has of the connection already is not written
// twice. Where another server, or a model of another one, has the name, the
// new one gets a number behind it. Text that does not read, before or
// afterwards, is a Problem.
func Add(old []byte, c Connection) (added []byte, names []string, err error) {
	found, bad := parse(ProjectFile, old)
	if len(bad) > 0 {
		return nil, nil, bad
	}
	has := &Config{settings: make(settings), env: func(string) (string, bool) { return "", false }}
	has.settings.merge(found)
	var b strings.Builder
	name, known := has.nameOf(c)
	if !known {
		fmt.Fprintf(&b, "\n[endpoints.%s]\nbase_url = %s\n", bareOr(name), quoted(c.BaseURL))
		if c.KeyEnv != "" {
			fmt.Fprintf(&b, "api_key_env = %s\n", quoted(c.KeyEnv))
		}
	}
	taken := has.settings.names(secModels)
	for _, wire := range c.Models {
		model, known := has.modelOf(wire, name, taken)
		if names = append(names, model); known {
			continue
		}
		taken = append(taken, model)
		fmt.Fprintf(&b, "\n[models.%s]\nendpoint = %s\n", bareOr(model), quoted(name))
		if model != wire {
			fmt.Fprintf(&b, "model = %s\n", quoted(wire))
		}
	}
	text := strings.TrimRight(string(old), "\n")
	if text != "" {
		text += "\n"
	}
	added = []byte(strings.TrimLeft(text+b.String(), "\n"))
	if _, bad := parse(ProjectFile, added); len(bad) > 0 {
		return nil, nil, Problem{Text: bad[0].Key + " " + bad[0].Text}
	}
	return added, names, nil
}

// nameOf is the name of a connection's server: the one that the config gives
// it, or one that is free.
func (c *Config) nameOf(of Connection) (name string, known bool) {
	names := c.settings.names(secEndpoints)
	for _, n := range names {
		if e := c.endpoint(n); e.BaseURL == strings.TrimRight(of.BaseURL, "/") && e.KeyEnv == of.KeyEnv {
			return n, true
		}
	}
	return free(of.Endpoint, names), false
}

func (c *Config) modelOf(wire, endpoint string, taken []string) (name string, known bool) {
	for _, m := range c.Models() {
		if m.Wire == wire && m.Endpoint.Name == endpoint {
			return m.Name, true
		}
	}
	return free(wire, taken), false
}

// free is a name that is not taken.
func free(name string, taken []string) string {
	out := name
	for i := 2; slices.Contains(taken, out); i++ {
		out = fmt.Sprintf("%s-%d", name, i)
	}
	return out
}

func bareOr(name string) string {
	if bare.MatchString(name) {
		return name
	}
	return quoted(name)
}

// quoted is a text as TOML writes it.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsControl(r):
			fmt.Fprintf(&b, "\\u%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
