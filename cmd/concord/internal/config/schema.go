package config

import (
	"maps"
	"slices"
)

// The sections.
const (
	secTop       = ""
	secEndpoints = "endpoints"
	secModels    = "models"
	secPrompts   = "prompts"
	secJudging   = "judging"
	secRun       = "run"
	secCuration  = "curation"
	secUI        = "ui"
	secKeys      = "keys"
)

// section is a table of the file. A named one holds tables, each under a name
// that the user chose; a shared one holds both, tables and values that stand for
// what those do not say; a free one holds values under such names.
type section struct {
	named, shared, free bool
	fields              map[string]field
}

// field is a key that a section knows. Its check makes a value of the file
// into the field's type; preset, of that type, is its default, and nil means
// that without a value there is none to show.
type field struct {
	check  check
	preset any
	values []string                     // all that it may be; nil: whatever check takes
	table  bool                         // a table whose keys are values of their own
	at     func(file string, v any) any // what a value of that file means; nil: itself
}

// schema is every key that a file may hold.
var schema = map[string]section{
	secTop: {fields: map[string]field{
		"default_endpoint": {check: text},
	}},
	secEndpoints: {named: true, fields: map[string]field{
		"base_url":            {check: baseURL},
		"api_key_env":         {check: keyVariable},
		"timeout":             {check: duration, preset: presetTimeout},
		"requests_per_minute": {check: count, preset: 0},
		"tokens_per_minute":   {check: count, preset: 0},
		"concurrency":         {check: count, preset: 0},
		"insecure":            {check: flag, preset: false},
	}},
	secModels: {named: true, fields: map[string]field{
		"endpoint":         {check: text},
		"model":            {check: text},
		"params":           {check: param, table: true},
		"edge":             {check: count, preset: presetEdge},
		"stream":           {check: flag, preset: false},
		"picture_tokens":   {check: count, preset: 0},
		"price_prompt":     {check: amount},
		"price_completion": {check: amount},
		"retries":          {check: count, preset: presetRetries},
		"shots":            {check: count, preset: 0},
		"parameters":       {check: amount},
		"language_base":    {check: text},
		"vision":           {check: text},
		"open":             {check: openness},
	}},
	secPrompts: {free: true, fields: map[string]field{"": {check: promptFile}}},
	secJudging: {fields: map[string]field{
		"pseudo_choice": {check: letter, preset: "Z"},
		"hints":         {check: count, preset: 1},
	}},
	secRun: {fields: map[string]field{
		"concurrency": {check: atLeastOne, preset: 8},
		"budget":      {check: amount, preset: 0.0},
	}},
	secCuration: {named: true, shared: true, fields: map[string]field{
		"experts":     {check: atLeastOne, preset: 1},
		"targets":     {check: goals, at: goalsAt},
		"inspection":  {check: text},
		"hide_answer": {check: flag, preset: false},
		"hide_hits":   {check: flag, preset: false},
	}},
	secUI: {fields: map[string]field{
		"theme":        choice("auto", "dark", "light", "none"),
		"images":       choice("auto", "kitty", "iterm2", "sixel", "blocks", "ascii", "off"),
		"auto_advance": {check: flag, preset: true},
		"mouse":        {check: flag, preset: false},
		"accessible":   {check: flag, preset: false},
	}},
	secKeys: {free: true, fields: map[string]field{"": {check: keyNames}}},
}

// choice is a field that is one of some words; the first is its default.
func choice(words ...string) field {
	return field{check: oneOf(words), preset: words[0], values: words}
}

// order is how values are listed.
var order = []string{secTop, secEndpoints, secModels, secPrompts, secJudging, secRun, secCuration, secUI, secKeys}

func (s section) names() []string { return slices.Sorted(maps.Keys(s.fields)) }

// topNames are the words that a file's top level knows.
func topNames() []string {
	out := append(schema[secTop].names(), order[1:]...)
	slices.Sort(out)
	return out
}
