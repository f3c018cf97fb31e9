package config

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"concord/eval"
	"concord/tui/keymap"
)

const sizeLimit = 1 << 20

// parseConfigFile reads the settings of a file's text. The prompts' files of the result are relative to the folder of path.
func parseConfigFile(path string, data []byte) ([]setting, Problems) {
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // as Windows editors begin files
	var doc map[string]any
	if err := toml.Unmarshal(data, &doc); err != nil {
		return nil, Problems{newSyntaxProblem(path, err)}
	}
	d := &configDocument{path: path, lines: mapKeysToLines(data)}
	d.readTopTables(doc)
	slices.SortStableFunc(d.bad, func(a, b Problem) int { return a.Origin.Line - b.Origin.Line })
	return d.found, d.bad
}

// newSyntaxProblem says where a file is no TOML. The messages of the parser repeat keys of the file, but no value.
func newSyntaxProblem(path string, err error) Problem {
	p := Problem{Origin: Origin{Source: FromFile, Name: path}, Text: "is no TOML"}
	if bad, ok := errors.AsType[*toml.DecodeError](err); ok {
		p.Origin.Line, _ = bad.Position()
		p.Text = redactSecrets(strings.TrimPrefix(bad.Error(), "toml: "))
	}
	return p
}

// configDocument is a file on its way into settings.
type configDocument struct {
	path  string
	lines map[string]int
	found []setting
	bad   Problems
}

func (d *configDocument) originOf(path ...string) Origin {
	return Origin{Source: FromFile, Name: d.path, Line: d.lines[strings.Join(path, sep)]}
}

func (d *configDocument) addProblem(o Origin, key, format string, args ...any) {
	d.bad = append(d.bad, Problem{Origin: o, Key: redactSecrets(key), Text: redactSecrets(fmt.Sprintf(format, args...))})
}

func (d *configDocument) readTopTables(doc map[string]any) {
	for name, v := range doc {
		s, isSection := schema[name]
		_, isField := schema[secTop].fields[name]
		table, isTable := v.(map[string]any)
		switch {
		case isField:
			d.readValue(confKey{field: name}, v, name)
		case !isSection || name == secTop:
			d.addProblem(d.originOf(name), "", "unknown key %s%s", quoteUnlessSecret(name), hintNearestWord(name, slices.Sorted(slices.Values(append(schema[secTop].fieldNames(), order[1:]...)))))
		case !isTable:
			d.addProblem(d.originOf(name), name, "wants a table, not %s", nameValueType(v))
		case s.named:
			d.readNamedSections(name, table)
		case s.free:
			d.readFreeSection(name, table)
		default:
			d.readFields(confKey{section: name}, table, name)
		}
	}
}

func (d *configDocument) readNamedSections(section string, tables map[string]any) {
	for name, v := range tables {
		k := confKey{section: section, name: name}
		table, ok := v.(map[string]any)
		switch {
		case !ok && schema[section].shared:
			d.readFields(confKey{section: section}, map[string]any{name: v}, section)
		case !ok:
			d.addProblem(d.originOf(section, name), k.String(), "wants a table of its own: [%s.NAME]", section)
		case !d.checkName(k, section, name):
		case len(table) == 0 && section == secModels:
			// An empty table is a model with nothing but defaults.
			d.found = append(d.found, setting{key: confKey{section, name, "model", ""}, value: name, origin: d.originOf(section, name)})
		default:
			d.readFields(k, table, section, name)
		}
	}
}

// checkName reports whether a name that the user chose can be one.
func (d *configDocument) checkName(k confKey, path ...string) bool {
	if _, err := checkText(k.name); err != nil {
		d.addProblem(d.originOf(path...), k.section, "a name %s", err)
		return false
	}
	if looksLikeSecretKey(k.name) {
		d.addProblem(d.originOf(path...), k.section, "a name looks like a key: %s", hidden)
		return false
	}
	return true
}

func (d *configDocument) readFreeSection(section string, values map[string]any) {
	for name, v := range values {
		k := confKey{section: section, name: name}
		if !d.checkName(k, section, name) || section == secKeys && !d.checkAction(name) {
			continue
		}
		n := len(d.found)
		d.readValue(k, v, section, name)
		if section == secPrompts && len(d.found) > n {
			d.found[n].value = resolveAgainstConfig(d.path, d.found[n].value.(string))
		}
	}
}

// checkAction reports whether keys can be given to a name.
func (d *configDocument) checkAction(name string) bool {
	all := keymap.ActionNames()
	if slices.Contains(all, name) || keymap.WhyFixed(name) != "" {
		return true
	}
	d.addProblem(d.originOf(secKeys, name), secKeys, "unknown action %s%s (all of them: concord config keys)", quoteUnlessSecret(name), eval.DidYouMean(name, all))
	return false
}

// resolveAgainstConfig gives a path as the config file that names it means it.
func resolveAgainstConfig(config, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(filepath.Dir(config), path)
}

func (d *configDocument) readFields(k confKey, table map[string]any, path ...string) {
	s := schema[k.section]
	for name, v := range table {
		at := append(slices.Clone(path), name)
		f, ok := s.fields[name]
		k.field = name
		switch {
		case !ok:
			d.addProblem(d.originOf(at...), confKey{section: k.section, name: k.name}.String(), "unknown key %s%s", quoteUnlessSecret(name), hintNearestWord(name, s.fieldNames()))
		case f.table:
			d.readParams(k, v, at...)
		default:
			n := len(d.found)
			if d.readValue(k, v, at...); f.at != nil && len(d.found) > n {
				d.found[n].value = f.at(d.path, d.found[n].value)
			}
		}
	}
}

func (d *configDocument) readParams(k confKey, v any, path ...string) {
	table, ok := v.(map[string]any)
	if !ok {
		like := eval.Either(extraKinds[k.field] == "", "body fields such as { temperature = 0 }", `names of variables such as { api-key = "AZURE_KEY" }`)
		d.addProblem(d.originOf(path...), k.String(), "wants a table of %s, not %s", like, nameValueType(v))
		return
	}
	for name, v := range table {
		k.param = name
		at := append(slices.Clone(path), name)
		if better, own := ownFields[name]; own && k.field == "params" {
			d.addProblem(d.originOf(at...), k.String(), "is no parameter: %s", better)
			continue
		}
		if k.field == "headers" && (!headerName.MatchString(name) || slices.Contains(ownHeaders, strings.ToLower(name))) {
			d.addProblem(d.originOf(at...), k.String(), "is no header that can be set here")
			continue
		}
		d.readValue(k, v, at...)
	}
}

// ownHeaders are those that each call has by itself.
var (
	headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$") // RFC 9110, 5.6.2
	ownHeaders = []string{"host", "content-length", "content-type", "accept", "accept-encoding", "transfer-encoding", "connection"}
)

// ownFields are fields of a request's body that params must not set.
var ownFields = map[string]string{
	"model":          "write the name on the wire as model, beside params",
	"messages":       "prompts fill it in",
	"stream_options": "stream, beside params, decides",
	"stream":         "write stream beside params",
	"api_key":        "name an environment variable in the endpoint's api_key_env",
	"authorization":  "name an environment variable in the endpoint's api_key_env",
	"n":              "a prediction is one answer",
}

func (d *configDocument) readValue(k confKey, v any, path ...string) {
	o := d.originOf(path...)
	f, _ := k.findField()
	if holdsSecret(v) {
		d.addProblem(o, k.String(), "looks like a key (not shown): put it into an environment variable and name that in api_key_env")
		return
	}
	value, err := f.check(v)
	if err != nil {
		d.addProblem(o, k.String(), "%s", err)
		return
	}
	d.found = append(d.found, setting{key: k, value: value, origin: o})
}

func holdsSecret(v any) bool {
	switch v := v.(type) {
	case string:
		return looksLikeSecretKey(v)
	case []any:
		return slices.ContainsFunc(v, holdsSecret)
	case map[string]any:
		for k, one := range v {
			if looksLikeSecretKey(k) || holdsSecret(one) {
				return true
			}
		}
	}
	return false
}

// sep joins the parts of a path; no TOML key holds it unescaped.
const sep = "\x00"

// mapKeysToLines finds the line of every table and key of a file that parses.
func mapKeysToLines(data []byte) map[string]int {
	lines := make(map[string]int)
	var p unstable.Parser
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind == unstable.KeyValue {
			noteLinesOfValue(lines, &p, table, e)
		} else { // a table's or a list's header
			table = noteKeyLines(lines, &p, nil, e.Key())
		}
	}
	return lines
}

// noteLinesOfValue notes a key and, in an inline table, the keys below it.
func noteLinesOfValue(lines map[string]int, p *unstable.Parser, above []string, kv *unstable.Node) {
	at := noteKeyLines(lines, p, above, kv.Key())
	if v := kv.Value(); v.Kind == unstable.InlineTable {
		for it := v.Children(); it.Next(); {
			noteLinesOfValue(lines, p, at, it.Node())
		}
	}
}

// noteKeyLines notes every part of a dotted key, where it is first seen.
func noteKeyLines(lines map[string]int, p *unstable.Parser, above []string, it unstable.Iterator) []string {
	at := above[:len(above):len(above)]
	for it.Next() {
		n := it.Node()
		at = append(at, string(n.Data))
		if path := strings.Join(at, sep); lines[path] == 0 {
			lines[path] = p.Shape(n.Raw).Start.Line
		}
	}
	return at
}

// People paste keys where a name belongs. What looks like one is refused
// wherever it stands, and is not repeated in the refusal.

var (
	certain  = regexp.MustCompile(`(?i)^(bearer\s+\S{8,}|sk-[A-Za-z0-9_-]{8,}|AIza[A-Za-z0-9_-]{20,})$`)
	prefixed = regexp.MustCompile(`(?i)^(sk|pk|rk|gsk|xai|hf|r8|pplx|nvapi|ghp|fw|key)[-_][A-Za-z0-9_-]{26,}$`)
	uuid     = regexp.MustCompile(`(?i)^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
)

// looksLikeSecretKey reports whether a value begins as the vendors' keys do.
func looksLikeSecretKey(s string) bool {
	s = strings.TrimSpace(s)
	return certain.MatchString(s) || prefixed.MatchString(s) && strings.ContainsAny(s, "0123456789")
}

// looksLikeToken reports whether a text is too long and too mixed for a name: names
// have words, and something between them.
func looksLikeToken(s string) bool {
	var digits, letters, between int
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		default:
			between++
		}
	}
	mixed := digits >= 3 && letters >= 3
	return mixed && len(s) >= 20 && len(s) >= 16*(between+1) || uuid.MatchString(s)
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// isVariableName reports whether s can be the name of an environment variable that
// somebody chose: no key looks like that.
func isVariableName(s string) bool {
	return variableName.MatchString(s) && len(s) <= 100 && !looksLikeSecretKey(s) && !looksLikeToken(s)
}

const (
	shown  = 60 // characters of a value that an error repeats
	hidden = "(not shown: it looks like a key)"
)

// quoteUnlessSecret repeats a text of the config in an error, unless it may be a key.
func quoteUnlessSecret(s string) string {
	if looksLikeSecretKey(s) || looksLikeToken(s) {
		return hidden
	}
	if r := []rune(s); len(r) > shown {
		s = string(r[:shown]) + "..."
	}
	return strconv.Quote(s)
}

var (
	bearer = regexp.MustCompile(`(?i)bearer\s+\S{8,}`)
	word   = regexp.MustCompile("[^\\s\"'`,;()\\[\\]{}=]+")
)

// redactSecrets takes out of a message what may be a key.
func redactSecrets(message string) string {
	message = bearer.ReplaceAllString(message, hidden)
	return word.ReplaceAllStringFunc(message, func(w string) string {
		return eval.Either(looksLikeSecretKey(w) || looksLikeToken(w), hidden, w)
	})
}
