package config

import (
	"regexp"
	"strconv"
	"strings"
)

// key names one value. A section without names ([judging]) has no name, a
// key of the top level no section, and only a model's params have a param.
type key struct {
	section, name, field, param string
}

var bare = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// String is the key as TOML would write it, dotted.
func (k key) String() string {
	var parts []string
	for _, p := range []string{k.section, k.name, k.field, k.param} {
		switch {
		case p == "":
		case bare.MatchString(p):
			parts = append(parts, p)
		default:
			parts = append(parts, strconv.Quote(p))
		}
	}
	return strings.Join(parts, ".")
}

// known is the field that the key is a value of.
func (k key) known() (field, bool) {
	f, ok := schema[k.section].fields[k.field]
	return f, ok
}

// variable is the environment variable that sets the key. Only keys whose
// place is fixed have one.
func (k key) variable() string {
	name := "CONCORD_" + k.field
	if k.section != "" {
		name = "CONCORD_" + k.section + "_" + k.field
	}
	return strings.ToUpper(name)
}

// setting is a value that somebody gave.
type setting struct {
	key    key
	value  any // as its field's check made it
	origin Origin
}

// Source is the kind of an Origin.
type Source uint8

// The sources, the weakest first.
const (
	SourceUnset Source = iota
	Default
	FromFile
	Environment
)

// Origin says where a value comes from.
type Origin struct {
	Source Source
	Name   string // the file's path, or the variable's name
	Line   int    // from 1; 0 when not known
}

// String is file:line, the variable's name, or "default".
func (o Origin) String() string {
	switch {
	case o.Source == Default:
		return "default"
	case o.Line > 0:
		return o.Name + ":" + strconv.Itoa(o.Line)
	}
	return o.Name
}
