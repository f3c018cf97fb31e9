package config

import _ "embed"

// template is a configuration in which every example is commented out. Lines that
// begin with # and no space are examples, the others words.
//
//go:embed template.toml
var template []byte

// OfJudge stands between a template's name and that of the only judge that is asked by
// the file, as in "extract-choice/en@gpt-4o-mini".
const OfJudge = "@"

// NewConfigText gives the text of a new configuration. As it is, it changes nothing.
func NewConfigText() []byte { return append([]byte(nil), template...) }
