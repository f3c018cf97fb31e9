package ssh

import (
	"slices"
	"strings"
	"unicode/utf8"

	"concord/eval/text"
)

// Bounds of what a client sets.
const (
	mostVariables  = 32
	longestSetting = 256
)

// passed are the variables of a client that its session is told, beside those
// that begin with LC_: what they are for is to be shown well.
var passed = [...]string{
	"TERM", "LANG", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "NO_COLOR", "CONCORD_UI_THEME", "CONCORD_IMAGES", "ACCESSIBLE",
}

// nearby are those that say something of this machine's own terminals only.
var nearby = [...]string{"TMUX", "STY"}

// passes reports whether a variable is passed on.
func passes(name, value string, local bool) bool {
	rest, locale := strings.CutPrefix(name, "LC_")
	locale = locale && rest != "" && strings.Trim(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
	return (locale || slices.Contains(passed[:], name) || local && slices.Contains(nearby[:], name)) &&
		len(name) <= longestSetting && len(value) <= longestSetting &&
		utf8.ValidString(value) && text.Outside(value).Cell() == value
}

// with adds a variable, or sets it anew; false if it is not taken.
func with(environ []string, name, value string, local bool) ([]string, bool) {
	if !passes(name, value, local) {
		return environ, false
	}
	i := slices.IndexFunc(environ, func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
	switch {
	case i >= 0:
		environ[i] = name + "=" + value
	case len(environ) >= mostVariables:
		return environ, false
	default:
		environ = append(environ, name+"="+value)
	}
	return environ, true
}
