package keys

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// LongestFile bounds an authorized_keys file, in bytes.
const LongestFile = 16 << 20

// Bounds of a line of it and of a name, in bytes.
const (
	longestLine = 16 << 10
	longestName = 64
)

// NamedKey is a key of an authorized_keys file, and the name that its comment
// proposes for whoever holds it: what stands before an @.
type NamedKey struct {
	Name string
	Key  Key
	Line int // of the file, from 1
}

// String is the line as messages name it.
func (n NamedKey) String() string {
	return fmt.Sprintf("line %d (%s, %s)", n.Line, n.Key.Fingerprint, n.Name)
}

// Problem is a line that lets nobody in, and why. It is an error that names
// the line.
type Problem struct {
	Line int
	Why  error
}

func (p Problem) Error() string { return fmt.Sprintf("line %d: %v", p.Line, p.Why) }
func (p Problem) Unwrap() error { return p.Why }

// Errors of lines that hold a key, but not whose.
var (
	ErrNameless = errors.New("no name follows the key: end the line with a name")
	ErrTwice    = errors.New("one key has two names, and lets nobody in")
	ErrNamesake = errors.New("two keys have one name, and neither lets anybody in: name one otherwise, or add both to one person with concord people add")
)

// ReadAuthorized reads an authorized_keys file line by line: one that is wrong
// keeps its own key out and no other. Options restrict what a key may do, and
// nothing here would hold them: a line with some is a problem. A comment proves
// nothing: where two lines contradict each other about who somebody is, neither
// counts, whichever stands first.
func ReadAuthorized(text []byte) (all []NamedKey, problems []Problem) {
	key, name := make(map[string]NamedKey), make(map[string]NamedKey)
	out := make(map[string]bool) // fingerprints that let nobody in
	for number, line := range eachKeyLine(text) {
		n, err := parseNamedKey(number, line)
		if err != nil {
			problems = append(problems, Problem{number, err})
			if errors.Is(err, ErrPrivate) {
				break
			}
			continue
		}
		k, known := key[n.Key.Fingerprint]
		o, taken := name[n.Name]
		switch {
		case known && k.Name != n.Name:
			problems = append(problems, newClash(n, k, ErrTwice))
			out[n.Key.Fingerprint] = true
		case taken && o.Key.Fingerprint != n.Key.Fingerprint:
			problems = append(problems, newClash(n, o, ErrNamesake))
			out[n.Key.Fingerprint], out[o.Key.Fingerprint] = true, true
		case !known:
			all = append(all, n)
		}
		if !known {
			key[n.Key.Fingerprint] = n
		}
		if !taken {
			name[n.Name] = n
		}
	}
	return slices.DeleteFunc(all, func(n NamedKey) bool { return out[n.Key.Fingerprint] }), problems
}

// parseNamedKey gives the key of a line, and whose it is called.
func parseNamedKey(n int, line []byte) (out NamedKey, err error) {
	if len(line) > longestLine {
		return out, errLong
	}
	if err := explainForeignForm(line); err != nil {
		return out, err
	}
	if out.Key, err = parseLine(line); err != nil {
		return out, err
	}
	out.Line = n
	out.Name, err = nameOf(out.Key.Comment)
	return out, err
}

func newClash(n, o NamedKey, why error) Problem {
	return Problem{Line: n.Line, Why: fmt.Errorf("%w: %s and %s", why, o, n)}
}

// nameOf is the person that a comment names.
func nameOf(comment string) (string, error) {
	name, _, _ := strings.Cut(comment, "@")
	name = strings.TrimSpace(name)
	switch {
	case name == "":
		return "", ErrNameless
	case len(name) > longestName:
		return "", fmt.Errorf("a name of more than %d bytes", longestName)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "", errors.New("a name that cannot be printed")
	}
	return name, nil
}

var errLong = fmt.Errorf("it has more than %d KiB: that is no key", longestLine>>10)
