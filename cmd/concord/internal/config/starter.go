package config

import _ "embed"

// starter is a config in which every example is commented out: lines that
// begin with # and no space are examples, the others words.
//
//go:embed starter.toml
var starter []byte

// Starter is the text of a config to begin with. As it is it changes nothing.
func Starter() []byte { return append([]byte(nil), starter...) }
