package keys

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of an authorized_keys file: the bytes of a line and of a name, and
// how many keys there are.
const (
	longestLine = 16 << 10
	longestName = 64
	mostKeys    = 10_000
)

// Named is a key of an authorized_keys file, and the name that its comment
// proposes for whoever holds it: what stands before an @.
type Named struct {
	Name string
	Key  Key
	Line int // of the file, from 1
}

// String is the line as messages name it.
func (n Named) String() string {
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

// Authorized reads an authorized_keys file line by line: one that is wrong
// keeps its own key out and no other. Options restrict what a key may do, and
// nothing here would hold them: a line with some is a problem. A comment proves
// nothing: where two lines contradict each other about who somebody is, neither
// counts, whichever stands first.
func Authorized(r io.Reader) (all []Named, problems []Problem) {
	all, problems = lines(r)
	all, clashes := apart(all)
	return all, append(problems, clashes...)
}

// lines reads the keys of a file, whatever they are called.
func lines(r io.Reader) (all []Named, problems []Problem) {
	var a authorized
	in := bufio.NewReaderSize(r, longestLine)
	for n := 1; ; n++ {
		line, err := nextLine(in)
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		why := a.take(n, bytes.TrimSpace(line))
		if err != nil && !errors.Is(err, io.EOF) {
			why = err
		}
		if why != nil {
			problems = append(problems, Problem{Line: n, Why: why})
		}
		if errors.Is(why, ErrPrivate) || len(a.all)+len(problems) >= mostKeys || err != nil && !errors.Is(err, errLong) {
			return a.all, problems
		}
	}
}

// authorized is what was read so far.
type authorized struct{ all []Named }

func (a *authorized) take(n int, line []byte) error {
	if len(line) == 0 || line[0] == '#' {
		return nil
	}
	if err := foreign(line); err != nil {
		return err
	}
	k, err := parse(line)
	if err != nil {
		return err
	}
	name, err := nameOf(k.Comment)
	if err != nil {
		return err
	}
	a.all = append(a.all, Named{Name: name, Key: k, Line: n})
	return nil
}

// apart leaves out the lines that contradict another one, each with a problem
// that names both, and those that say what an earlier one says.
func apart(all []Named) (sound []Named, problems []Problem) {
	key, name := make(map[string]Named), make(map[string]Named)
	out := make(map[string]bool) // fingerprints that let nobody in
	for _, n := range all {
		k, known := key[n.Key.Fingerprint]
		if !known {
			key[n.Key.Fingerprint] = n
		}
		o, taken := name[n.Name]
		if !taken {
			name[n.Name] = n
		}
		switch {
		case known && k.Name != n.Name:
			problems = append(problems, clash(n, k, ErrTwice))
		case taken && o.Key.Fingerprint != n.Key.Fingerprint:
			problems = append(problems, clash(n, o, ErrNamesake))
			out[o.Key.Fingerprint] = true
		case !known:
			sound = append(sound, n)
			continue
		default:
			continue
		}
		out[n.Key.Fingerprint] = true
	}
	return slices.DeleteFunc(sound, func(n Named) bool { return out[n.Key.Fingerprint] }), problems
}

func clash(n, o Named, why error) Problem {
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

// nextLine reads a line; of one that is too long, none of it. It may come
// together with an error.
func nextLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = in.ReadSlice('\n')
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return nil, errLong // the end, if it is one, comes again
}
