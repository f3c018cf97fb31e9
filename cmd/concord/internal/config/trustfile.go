package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
)

// TrustFile is the trust of one user, who alone can write it, in what one folder sends: a line each, with the hash
// that decides and words for people. It is read anew each time, so that what another process adds holds at once.
type TrustFile struct {
	Path   string
	Folder string // of the project
}

var _ Trust = TrustFile{}

// made stands for a folder whose file concord's own commands wrote: what the user
// writes into it first is trusted without a question.
const made = "made here"

// Allows reports whether the user trusts the sending.
func (t TrustFile) Allows(s Sending, all []Sending) (bool, error) {
	_, held, err := t.readLines()
	if err != nil || slices.Contains(held, t.hashSending(s)) {
		return err == nil, err
	}
	if !slices.Contains(held, t.hashWithFolder(made)) {
		return false, nil
	}
	if err := t.TrustSendings(all...); err != nil {
		return false, err
	}
	return true, t.dropHashes(t.hashWithFolder(made))
}

// AreTrusted reports which of the sendings are trusted.
func (t TrustFile) AreTrusted(all []Sending) ([]bool, error) {
	_, held, err := t.readLines()
	return eval.Map(all, func(s Sending) bool {
		return slices.Contains(held, t.hashSending(s)) || slices.Contains(held, t.hashWithFolder(made))
	}), err
}

// TrustSendings has the user trust the sendings.
func (t TrustFile) TrustSendings(all ...Sending) error {
	lines := eval.Map(all, func(s Sending) string {
		return t.hashSending(s) + " " + s.String() + ", said in " + strconv.Quote(t.Folder)
	})
	return t.appendLines(lines)
}

// MarkOwnFile notes that a command of the user's has written the folder's file.
func (t TrustFile) MarkOwnFile() error {
	return t.appendLines([]string{t.hashWithFolder(made) + " " + made + ": " + strconv.Quote(t.Folder)})
}

// DistrustSendings has the user trust none of the sendings any more.
func (t TrustFile) DistrustSendings(all []Sending) error {
	return t.dropHashes(append(eval.Map(all, t.hashSending), t.hashWithFolder(made))...)
}

func (t TrustFile) hashSending(s Sending) string {
	if s.Prompt != "" {
		return t.hashWithFolder("prompt", s.Prompt)
	}
	return t.hashWithFolder("send", s.KeyEnv, s.BaseURL, strconv.FormatBool(s.Insecure))
}

// hashWithFolder is over the folder, wherever links lead to it, and the parts.
func (t TrustFile) hashWithFolder(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(append([]string{resolveSymlinks(t.Folder)}, parts...), "\x00")))
	return hex.EncodeToString(sum[:])
}

// readLines reads those of the file, in their order, and the hash of each.
func (t TrustFile) readLines() (lines, hashes []string, err error) {
	text, err := os.ReadFile(t.Path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, fmt.Errorf("read trust: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		hash, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		lines, hashes = append(lines, line), append(hashes, hash)
	}
	return lines, hashes, nil
}

func (t TrustFile) appendLines(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	f, err := os.OpenFile(t.Path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("keep trust: %w", err)
	}
	_, err = f.WriteString(strings.Join(lines, "\n") + "\n")
	return eval.WrapError(errors.Join(err, f.Close()), "keep trust")
}

// dropHashes takes the lines of the hashes away.
func (t TrustFile) dropHashes(hashes ...string) error {
	lines, held, err := t.readLines()
	if err != nil || len(lines) == 0 {
		return err
	}
	left := ""
	for i, line := range lines {
		if !slices.Contains(hashes, held[i]) {
			left += line
		}
	}
	temp, err := os.CreateTemp(filepath.Dir(t.Path), ".trusted-*") // mode 0600
	if err != nil {
		return fmt.Errorf("keep trust: %w", err)
	}
	_, err = temp.WriteString(left)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), t.Path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keep trust: %w", err), os.Remove(temp.Name()))
	}
	return nil
}

// Reasons why a key is not sent.
var (
	ErrUntrusted = errors.New("nobody has said that this folder is trusted")
	ErrPlainHTTP = errors.New("the address is plain HTTP")
)

// Sending is a key that the project's own file decides to send somewhere: by the address, by
// the variable, or by having it go unencrypted. Or it is a file outside the project's folder
// that goes as a prompt to whatever is asked, or the cluster to which the questions of runs go.
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
	if s.KeyEnv == "" {
		return "the questions of runs to the workers of " + s.BaseURL
	}
	return "the key in " + s.KeyEnv + " to " + s.BaseURL + eval.Either(s.Insecure, ", unencrypted", "")
}

// Trust is what a user has said about sendings of one folder.
type Trust interface {
	// Allows reports whether the sending is one of those that the user trusts; all are the ones that the file has.
	Allows(s Sending, all []Sending) (bool, error)
}

// FindSendings finds the keys and files that the project's file decides to send, sorted, whether
// they are trusted or not, to this machine too, on which others may listen. None is
// what is asked without that file too, and OpenAI's own key to OpenAI.
func FindSendings(c *Config) []Sending {
	var out []Sending
	for _, e := range c.Endpoints() {
		if s, ok := findEndpointSending(c, e); ok {
			out = eval.AppendUnique(out, s)
		}
	}
	for name := range c.PromptFiles() {
		if s, ok := findPromptSending(c, name); ok {
			out = eval.AppendUnique(out, s)
		}
	}
	if s, ok := findClusterSending(c); ok {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b Sending) int { return strings.Compare(a.String(), b.String()) })
	return out
}

// findEndpointSending finds what the project's file has an endpoint send.
func findEndpointSending(c *Config, e Endpoint) (Sending, bool) {
	s := Sending{KeyEnv: e.nameSentVariables(), BaseURL: e.BaseURL, Insecure: e.Insecure && isPlainHTTP(e.BaseURL)}
	if c.own == nil || s.KeyEnv == "" || s.KeyEnv == OpenAIKey && e.BaseURL == openAIEndpoint {
		return s, false
	}
	decides := func(k confKey) bool {
		o := c.settings.originOf(k)
		return o.Source == FromFile && o.Name == c.project
	}
	keys := c.settings.extraKeysOf(e.Name)
	keys = append(keys, eval.Map([]string{"base_url", "api_key_env", "insecure"}, func(field string) confKey { return confKey{section: secEndpoints, name: e.Name, field: field} })...)
	said := slices.ContainsFunc(c.own.Endpoints(), func(o Endpoint) bool {
		return o.nameSentVariables() == s.KeyEnv && o.BaseURL == s.BaseURL && (o.Insecure || !s.Insecure)
	})
	return s, slices.ContainsFunc(keys, decides) && !said
}

// nameSentVariables names all that calls to the endpoint take out of the environment; "" for nothing.
func (e Endpoint) nameSentVariables() string {
	return strings.Join(slices.DeleteFunc([]string{e.KeyEnv, e.Extras}, func(s string) bool { return s == "" }), ", ")
}

// checkMaySend says why the key of an endpoint is not sent.
func checkMaySend(c *Config, e Endpoint) error {
	if s, ok := findEndpointSending(c, e); ok {
		if err := c.trust.newUntrustedError(s, c, confKey{section: secEndpoints, name: e.Name, field: "base_url"}, "endpoints."+quoteUnlessBare(e.Name), ""); err != nil {
			return err
		}
	}
	if isPlainHTTP(e.BaseURL) && !isLocalAddress(e.BaseURL) && !e.Insecure {
		return Problem{
			Origin: c.EndpointOrigin(e, "base_url"), Key: "endpoints." + quoteUnlessBare(e.Name), Cause: ErrPlainHTTP,
			Text: fmt.Sprintf("the key in %s would go to %s unencrypted: use https or a tunnel, or write insecure = true under [endpoints.%s] where the network is trusted", e.nameSentVariables(), e.BaseURL, quoteUnlessBare(e.Name)),
		}
	}
	return nil
}

// trustCheck is a Trust, or none: then all is trusted.
type trustCheck struct{ Trust }

// newUntrustedError gives an error for a sending that is not trusted: what the value at a key
// would send, as a problem of what people know it by.
func (t trustCheck) newUntrustedError(s Sending, c *Config, at confKey, what, more string) error {
	if t.Trust == nil {
		return nil
	}
	ok, err := t.Allows(s, FindSendings(c))
	switch {
	case err != nil:
		return fmt.Errorf("look up what is trusted: %w", err)
	case ok:
		return nil
	}
	return Problem{
		Origin: c.settings.originOf(at), Key: what, Cause: ErrUntrusted,
		Text: fmt.Sprintf("not trusted yet (concord config trust): it would send %s%s", s, more),
	}
}

func isPlainHTTP(address string) bool { return strings.HasPrefix(strings.ToLower(address), "http:") }

// isLocalAddress reports whether an address is this machine's own.
func isLocalAddress(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}
