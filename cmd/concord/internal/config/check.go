package config

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"concord/eval"
	"concord/eval/panel"
)

// The defaults that more than one place needs.
const (
	presetTimeout = 2 * time.Minute
	presetEdge    = 1024 // vendors bill by pixels
	presetRetries = 4
)

// valueCheck makes a value of the file into a field's type, or says what it wants.
type valueCheck func(v any) (any, error)

func checkText(v any) (any, error) {
	s, ok := v.(string)
	switch {
	case !ok:
		return nil, newWantError("text", v)
	case strings.TrimSpace(s) == "":
		return nil, errors.New("is empty")
	case strings.ContainsFunc(s, unicode.IsControl):
		return nil, errors.New("holds a control character")
	}
	return s, nil
}

func checkBaseURL(v any) (any, error) {
	s, err := checkText(v)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(s.(string))
	switch {
	case err != nil: // its text repeats the URL, which may hold a password
		return nil, errors.New(`is no URL such as "https://api.openai.com/v1" or "http://localhost:8000/v1"`)
	case u.User != nil:
		return nil, errors.New("holds credentials before the @: put the key into an environment variable and name it in api_key_env")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, errors.New(`wants a URL such as "https://api.openai.com/v1" or "http://localhost:8000/v1"`)
	case strings.ContainsFunc(u.Host, func(r rune) bool { return r > unicode.MaxASCII }):
		return nil, errors.New("spells its host with letters that may look like others: write it in ASCII (xn--...)")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("wants a URL without ? and #: paths such as /chat/completions are added to it")
	}
	address := strings.TrimRight(s.(string), "/")
	for _, call := range []string{"/chat/completions", "/completions", "/responses", "/models"} {
		if strings.HasSuffix(address, call) {
			return nil, fmt.Errorf("names one call, not the address of all of them: end it before %s", call)
		}
	}
	return address, nil
}

// checkTextAs takes a text that a check takes, and says of any other value what is wanted.
func checkTextAs(what string, takes func(string) (any, error)) valueCheck {
	return func(v any) (any, error) {
		if s, ok := v.(string); ok {
			return takes(s)
		}
		return nil, newWantError(what, v)
	}
}

var checkKeyVariable = checkTextAs("the name of an environment variable", func(s string) (any, error) {
	if !isVariableName(s) {
		return nil, errors.New(`wants the name of an environment variable, such as "OPENAI_API_KEY", not the key itself (the value is not shown)`)
	}
	return s, nil
})

var checkDuration = checkTextAs(`a duration such as "90s" or "2m"`, func(s string) (any, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return nil, fmt.Errorf(`wants a duration such as "90s" or "2m", not %s`, quoteUnlessSecret(s))
	}
	return d, nil
})

func checkCount(v any) (any, error) {
	n, ok := v.(int64)
	if !ok {
		return nil, newWantError("a whole number", v)
	}
	if n < 0 || n > math.MaxInt32 {
		return nil, fmt.Errorf("wants a whole number from 0, not %d", n)
	}
	return int(n), nil
}

func checkAtLeastOne(v any) (any, error) {
	n, err := checkCount(v)
	if err == nil && n.(int) < 1 {
		return nil, errors.New("wants at least 1")
	}
	return n, err
}

func checkAmount(v any) (any, error) {
	var f float64
	switch n := v.(type) {
	case int64:
		f = float64(n)
	case float64:
		f = n
	default:
		return nil, newWantError("a number", v)
	}
	if f < 0 || math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("wants a number from 0, not %v", f)
	}
	return f, nil
}

func checkFlag(v any) (any, error) {
	b, ok := v.(bool)
	if !ok {
		return nil, newWantError("true or false", v)
	}
	return b, nil
}

func checkOneOf(words []string) valueCheck {
	all := strings.Join(words, ", ")
	return checkTextAs("one of "+all, func(s string) (any, error) {
		if !slices.Contains(words, s) {
			return nil, fmt.Errorf("wants one of %s, not %s%s", all, quoteUnlessSecret(s), eval.DidYouMean(s, words))
		}
		return s, nil
	})
}

func checkLetter(v any) (any, error) {
	s, ok := v.(string)
	if !ok || len(s) != 1 || s[0] < 'A' || s[0] > 'Z' {
		return nil, errors.New(`wants an upper-case letter such as "Z"`)
	}
	return s, nil
}

var checkWeightsAccess = checkTextAs(`"open" or "closed"`, func(s string) (any, error) {
	o, err := eval.ParseWeightsAccess(s)
	if err != nil || o == eval.OpennessUnset {
		return nil, fmt.Errorf(`wants "open" or "closed", not %s`, quoteUnlessSecret(s))
	}
	return o, nil
})

// checkParam takes what JSON can say.
func checkParam(v any) (any, error) {
	switch p := v.(type) {
	case string, bool, int64:
		return p, nil
	case float64:
		if math.IsNaN(p) || math.IsInf(p, 0) {
			return nil, errors.New("wants a finite number")
		}
		return p, nil
	case []any:
		for _, v := range p {
			if _, err := checkParam(v); err != nil {
				return nil, err
			}
		}
		return p, nil
	case map[string]any:
		for k, v := range p {
			if _, err := checkParam(v); err != nil {
				return nil, fmt.Errorf("%s %w", k, err)
			}
		}
		return p, nil
	}
	return nil, newWantError("text, a number, true or false, a list or a table", v)
}

func newWantError(what string, v any) error {
	return fmt.Errorf("wants %s, not %s", what, nameValueType(v))
}

// nameValueType names the type of a value, and never the value.
func nameValueType(v any) string {
	switch v.(type) {
	case string:
		return "text"
	case int64:
		return "a whole number"
	case float64:
		return "a number with a fraction"
	case bool:
		return "true or false"
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}

// The sections.
const (
	secTop       = ""
	secEndpoints = "endpoints"
	secModels    = "models"
	secPrompts   = "prompts"
	secJudging   = "judging"
	secRun       = "run"
	secWorkers   = "workers"
	secCuration  = "curation"
	secPanels    = "panels"
	secLabels    = "labels"
	secTags      = "tags"
	secUI        = "ui"
	secKeys      = "keys"
)

// section is a table of the file. A named one holds tables, each under a name that the user chose; a shared one holds
// both, tables and values that stand for what those do not say; a free one holds values under such names.
type section struct {
	named, shared, free bool
	fields              map[string]field
}

// field is a key that a section knows. Its check makes a value of the file into the field's type;
// preset, of that type, is its default, and nil means that without a value there is none to show.
type field struct {
	check  valueCheck
	preset any
	values []string                     // all that it may be; nil: whatever check takes
	table  bool                         // a table whose keys are values of their own
	at     func(file string, v any) any // what a value of that file means; nil: itself
}

// schema is every key that a file may hold.
var schema = map[string]section{
	secTop: {fields: map[string]field{"default_endpoint": {check: checkText}}},
	secEndpoints: {named: true, fields: map[string]field{
		"base_url":            {check: checkBaseURL},
		"api":                 newChoiceField("chat", ResponsesAPI),
		"api_key_env":         {check: checkKeyVariable},
		"timeout":             {check: checkDuration, preset: presetTimeout},
		"requests_per_minute": {check: checkCount, preset: 0},
		"tokens_per_minute":   {check: checkCount, preset: 0},
		"concurrency":         {check: checkCount, preset: 0},
		"max_request_bytes":   {check: checkCount, preset: 0},
		"insecure":            {check: checkFlag, preset: false},
		"headers":             {check: checkKeyVariable, table: true},
		"query":               {check: checkKeyVariable, table: true},
	}},
	secModels: {named: true, fields: map[string]field{
		"endpoint":         {check: checkText},
		"model":            {check: checkText},
		"params":           {check: checkParam, table: true},
		"edge":             {check: checkCount, preset: presetEdge},
		"detail":           {check: checkOneOf(eval.ImageDetails), values: eval.ImageDetails},
		"stream":           {check: checkFlag, preset: false},
		"logprobs":         {check: checkFlag, preset: false},
		"picture_tokens":   {check: checkCount, preset: 0},
		"price_prompt":     {check: checkAmount},
		"price_cached":     {check: checkAmount},
		"price_completion": {check: checkAmount},
		"retries":          {check: checkCount, preset: presetRetries},
		"shots":            {check: checkCount, preset: 0},
		"parameters":       {check: checkAmount},
		"trainable":        {check: checkAmount},
		"language_base":    {check: checkText},
		"vision":           {check: checkText},
		"display":          {check: checkText},
		"open":             {check: checkWeightsAccess},
	}},
	secPrompts: {free: true, fields: map[string]field{"": {check: checkText}}},
	secJudging: {fields: map[string]field{
		"pseudo_choice": {check: checkLetter, preset: "Z"},
		"hints":         {check: checkCount, preset: 1},
	}},
	secRun: {fields: map[string]field{
		"concurrency": {check: checkAtLeastOne, preset: 8},
		"budget":      {check: checkAmount, preset: 0.0},
	}},
	secWorkers: {fields: map[string]field{
		"url":   {check: checkTextAs("text", checkClusterURL)},
		"creds": {check: checkText, at: resolveFile},
		"ca":    {check: checkText, at: resolveFile},
	}},
	secCuration: {named: true, shared: true, fields: map[string]field{
		"experts":     {check: checkAtLeastOne, preset: 1},
		"targets":     {check: checkOneOrMore(`a list such as ["axis=84"]`, checkText), at: resolveTargetFiles},
		"inspection":  {check: checkText},
		"hide_answer": {check: checkFlag, preset: false},
		"hide_hits":   {check: checkFlag, preset: false},
	}},
	secPanels: {named: true, fields: map[string]field{
		"judges": {check: checkWords},
		"rule":   newChoiceField(panel.RuleNames()...),
		"queue":  {check: checkText},
	}},
	secLabels: {named: true, fields: map[string]field{"options": {check: checkWords}, "keys": {check: checkWords}}},
	secTags:   {free: true, fields: map[string]field{"": {check: checkWords}}},
	secUI: {fields: map[string]field{
		"theme":        newChoiceField("auto", "dark", "light", "none"),
		"images":       newChoiceField("auto", "kitty", "iterm2", "sixel", "blocks", "ascii", "off"),
		"auto_advance": {check: checkFlag, preset: true},
		"mouse":        {check: checkFlag, preset: false},
		"accessible":   {check: checkFlag, preset: false},
	}},
	secKeys: {free: true, fields: map[string]field{"": {check: checkKeyNames}}},
}

// newChoiceField gives a field that is one of some words; the first is its default.
func newChoiceField(words ...string) field {
	return field{check: checkOneOf(words), preset: words[0], values: words}
}

// order is how values are listed.
var order = []string{secTop, secEndpoints, secModels, secPrompts, secJudging, secRun, secWorkers, secCuration, secPanels, secLabels, secTags, secUI, secKeys}

func (s section) fieldNames() []string { return slices.Sorted(maps.Keys(s.fields)) }
