// Package keys reads the public keys by which people come in from elsewhere, as OpenSSH writes them.
//
// It keeps no key and asks no agent. What it gives is a key alone: a line with options, a certificate,
// a weak key and, above all, a private key are refused, with what to give in their place.
package keys

import (
	"bytes"
	"crypto/rsa"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/crypto/ssh"
)

// Longest bounds the text that Parse takes, in bytes.
const Longest = 64 << 10

// leastRSA is the shortest RSA key that is taken, in bits (NIST SP 800-131A).
const leastRSA = 2048

// Errors of keys that are refused.
var (
	ErrPrivate = errors.New("this is a private key, which nobody else should ever see: give the public one, whose file ends in .pub")
	ErrNone    = errors.New("there is no public key in it")
	ErrWeak    = errors.New("too weak a key")
)

// Key is a public key.
type Key struct {
	Line        string // as an authorized_keys file writes it, without comment
	Fingerprint string // SHA256:..., as ssh-keygen -l prints it
	Comment     string
}

// ParseKeys reads a text of public keys, one a line, as in a file .pub or authorized_keys. Empty lines
// and comments are passed over, and a key that stands there twice is one. An error names its line.
func ParseKeys(text []byte) ([]Key, error) {
	if len(text) > Longest {
		return nil, fmt.Errorf("it has more than %d KiB: that is no file of keys", Longest>>10)
	}
	if err := explainForeignForm(text); err != nil {
		return nil, err
	}
	var all []Key
	for n, line := range eachKeyLine(text) {
		k, err := parsePublicKeyLine(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if !slices.ContainsFunc(all, func(o Key) bool { return o.Line == k.Line }) {
			all = append(all, k)
		}
	}
	if len(all) == 0 {
		return nil, ErrNone
	}
	return all, nil
}

// eachKeyLine are the lines of a text that are neither empty nor comments, by their number, from 1.
func eachKeyLine(text []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		n := 0
		for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
			n++
			if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' && !yield(n, line) {
				return
			}
		}
	}
}

// explainForeignForm says what a text is that holds keys in another form.
func explainForeignForm(text []byte) error {
	switch {
	case bytes.Contains(text, []byte("PRIVATE KEY-----")), bytes.Contains(text, []byte("PuTTY-User-Key-File")):
		return ErrPrivate
	case bytes.Contains(text, []byte("---- BEGIN SSH2 PUBLIC KEY ----")), bytes.Contains(text, []byte("PUBLIC KEY-----")):
		return errors.New("this is a public key in another form: ssh-keygen -i -f FILE writes it as OpenSSH does (with -m PKCS8 for one of openssl)")
	}
	return nil
}

func parsePublicKeyLine(line []byte) (Key, error) {
	pub, comment, options, _, err := ssh.ParseAuthorizedKey(line)
	switch {
	case err != nil:
		return Key{}, errors.New("no public key as OpenSSH writes it: ssh-ed25519 AAAA... NAME")
	case len(options) > 0:
		return Key{}, errors.New("options before a key are not kept: leave them out")
	}
	if err := requireStrongKey(pub); err != nil {
		return Key{}, err
	}
	k := KeyOfPublicKey(pub)
	k.Comment = comment
	return k, nil
}

// KeyOfPublicKey gives a key that somebody shows, in the form in which Parse gives those that are known.
func KeyOfPublicKey(pub ssh.PublicKey) Key {
	return Key{Line: strings.TrimSpace(string(ssh.MarshalAuthorizedKey(pub))), Fingerprint: ssh.FingerprintSHA256(pub)}
}

// requireStrongKey refuses what does not say who somebody is.
func requireStrongKey(pub ssh.PublicKey) error {
	if _, ok := pub.(*ssh.Certificate); ok {
		return errors.New("a certificate is no key: give the public key that it was made for")
	}
	switch pub.Type() {
	case ssh.InsecureKeyAlgoDSA: //nolint:staticcheck // named to be refused
		return fmt.Errorf("%w: DSA (ssh-keygen -t ed25519 makes a good one)", ErrWeak)
	case ssh.KeyAlgoRSA:
		held, ok := pub.(ssh.CryptoPublicKey)
		if !ok {
			return errors.New("an RSA key whose length cannot be read")
		}
		if k, ok := held.CryptoPublicKey().(*rsa.PublicKey); ok && k.N.BitLen() < leastRSA {
			return fmt.Errorf("%w: RSA of %d bits, at least %d are wanted (ssh-keygen -t ed25519 makes a good one)", ErrWeak, k.N.BitLen(), leastRSA)
		}
	}
	return nil
}

// Fingerprint is that of a key as Line writes it; "" for what is none.
func Fingerprint(line string) string {
	pub, _, _, _, err := ssh.ParseAuthorizedKey([]byte(line))
	if err != nil {
		return ""
	}
	return ssh.FingerprintSHA256(pub)
}

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

// Problem is a line that lets nobody in, and why. It is an error that names the line.
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

// ParseAuthorizedKeys reads an authorized_keys file line by line: one that is wrong keeps its own key out
// and no other. Options restrict what a key may do, and nothing here would hold them: a line with some
// is a problem. A comment proves nothing: where two lines contradict each other about who somebody is,
// neither counts, whichever stands first.
func ParseAuthorizedKeys(text []byte) (all []NamedKey, problems []Problem) {
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
			problems = append(problems, newClashProblem(n, k, ErrTwice))
			out[n.Key.Fingerprint] = true
		case taken && o.Key.Fingerprint != n.Key.Fingerprint:
			problems = append(problems, newClashProblem(n, o, ErrNamesake))
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
	if out.Key, err = parsePublicKeyLine(line); err != nil {
		return out, err
	}
	out.Line = n
	out.Name, err = personNameInComment(out.Key.Comment)
	return out, err
}

func newClashProblem(n, o NamedKey, why error) Problem {
	return Problem{Line: n.Line, Why: fmt.Errorf("%w: %s and %s", why, o, n)}
}

func personNameInComment(comment string) (string, error) {
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
