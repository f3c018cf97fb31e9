package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
)

// Reasons why a key is not sent.
var (
	ErrUntrusted = errors.New("nobody has said that this folder is trusted")
	ErrPlainHTTP = errors.New("the address is plain HTTP")
)

// Sending is a key that the project's own file decides to send somewhere: by the
// address, by the variable, or by having it go unencrypted. Or it is a file
// outside the project's folder that goes as a prompt to whatever is asked.
type Sending struct {
	KeyEnv   string `json:"key_env,omitempty"` // the variable that holds the key
	BaseURL  string `json:"base_url,omitempty"`
	Prompt   string `json:"prompt,omitempty"`   // the file's path, without links
	Insecure bool   `json:"insecure,omitempty"` // over plain HTTP
}

// String says it as people are asked about it.
func (s Sending) String() string {
	if s.Prompt != "" {
		return "the file " + s.Prompt + " as a prompt"
	}
	out := "the key in " + s.KeyEnv + " to " + s.BaseURL
	if s.Insecure {
		out += ", unencrypted"
	}
	return out
}

// Trust is what a user has said about sendings of one folder.
type Trust interface {
	// Allows reports whether the sending is one of those that the user trusts; all
	// are the ones that the file has.
	Allows(s Sending, all []Sending) (bool, error)
}

// Sendings are the keys and files that the project's file decides to send, sorted, whether
// they are trusted or not, to this machine too, on which others may listen. None is
// what is asked without that file too, and OpenAI's own key to OpenAI.
func Sendings(c *Config) []Sending {
	var out []Sending
	for _, e := range c.Endpoints() {
		if s, ok := sendingOf(c, e); ok && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	out = append(out, promptSendings(c)...)
	slices.SortFunc(out, func(a, b Sending) int { return strings.Compare(a.String(), b.String()) })
	return out
}

// sendingOf is what the project's file has an endpoint send.
func sendingOf(c *Config, e Endpoint) (Sending, bool) {
	s := Sending{KeyEnv: e.KeyEnv, BaseURL: e.BaseURL, Insecure: e.Insecure && plain(e.BaseURL)}
	if c.own == nil || e.KeyEnv == "" || e.KeyEnv == OpenAIKey && e.BaseURL == openAIEndpoint {
		return s, false
	}
	decides := slices.ContainsFunc([]string{"base_url", "api_key_env", "insecure"}, func(field string) bool {
		o := c.Origin(e, field)
		return o.Source == FromFile && o.Name == c.project
	})
	said := slices.ContainsFunc(c.own.Endpoints(), func(o Endpoint) bool {
		return o.KeyEnv == s.KeyEnv && o.BaseURL == s.BaseURL && (o.Insecure || !s.Insecure)
	})
	return s, decides && !said
}

// maySend says why the key of an endpoint is not sent.
func maySend(c *Config, e Endpoint) error {
	if s, ok := sendingOf(c, e); ok {
		trusted, err := c.trust.allows(s, c)
		if err != nil {
			return err
		}
		if !trusted {
			return Problem{
				Origin: c.Origin(e, "base_url"), Key: "endpoints." + bareOr(e.Name), Cause: ErrUntrusted,
				Text: fmt.Sprintf("not trusted yet (concord config trust): it would send %s", s),
			}
		}
	}
	if plain(e.BaseURL) && !here(e.BaseURL) && !e.Insecure {
		return Problem{
			Origin: c.Origin(e, "base_url"), Key: "endpoints." + bareOr(e.Name), Cause: ErrPlainHTTP,
			Text: fmt.Sprintf("the key in %s would go to %s unencrypted: use https or a tunnel, or write insecure = true under [endpoints.%s] where the network is trusted", e.KeyEnv, e.BaseURL, bareOr(e.Name)),
		}
	}
	return nil
}

// Untrusted reports whether the key of an endpoint would be held back since
// nobody has said that the project's file is trusted.
func Untrusted(c *Config, e Endpoint) bool { return errors.Is(maySend(c, e), ErrUntrusted) }

// trusting is a Trust, or none: then all is trusted.
type trusting struct{ Trust }

func (t trusting) allows(s Sending, c *Config) (bool, error) {
	if t.Trust == nil {
		return true, nil
	}
	ok, err := t.Allows(s, Sendings(c))
	if err != nil {
		return false, fmt.Errorf("look up what is trusted: %w", err)
	}
	return ok, nil
}

func plain(address string) bool { return strings.HasPrefix(strings.ToLower(address), "http:") }

// here reports whether an address is this machine's own.
func here(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}
