package keys

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
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

// Named is a key of an authorized_keys file, and whose it is: its comment up
// to an @, so that ann@lab and ann@home are one person.
type Named struct {
	Name string
	Key  Key
	Line int // of the file, from 1
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
	ErrNameless = errors.New("whose key it is does not stand behind it: end the line with a name")
	ErrTwice    = errors.New("the key is another person's already")
)

// Authorized reads an authorized_keys file line by line: one that is wrong
// keeps its own key out and no other. Options restrict what a key may do, and
// nothing here would hold them: a line with some is a problem.
func Authorized(r io.Reader) (all []Named, problems []Problem) {
	a := authorized{owner: make(map[string]string)}
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
type authorized struct {
	all   []Named
	owner map[string]string // by fingerprint
}

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
	if owner, twice := a.owner[k.Fingerprint]; twice {
		if owner != name {
			return fmt.Errorf("%w: %s's", ErrTwice, owner)
		}
		return nil
	}
	a.owner[k.Fingerprint] = name
	a.all = append(a.all, Named{Name: name, Key: k, Line: n})
	return nil
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
