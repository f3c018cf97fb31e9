// Package keys reads the public keys by which people come in from elsewhere,
// as OpenSSH writes them.
//
// It keeps no key and asks no agent. What it gives is a key alone: a line with
// options, a certificate, a weak key and, above all, a private key are refused,
// with what to give in their place.
package keys

import (
	"bytes"
	"crypto/rsa"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

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

// ParseKeys reads a text of public keys, one a line, as in a file .pub or
// authorized_keys. Empty lines and comments are passed over, and a key that
// stands there twice is one. An error names its line.
func ParseKeys(text []byte) ([]Key, error) {
	if len(text) > Longest {
		return nil, fmt.Errorf("it has more than %d KiB: that is no file of keys", Longest>>10)
	}
	if err := explainForeignForm(text); err != nil {
		return nil, err
	}
	var all []Key
	for n, line := range eachKeyLine(text) {
		k, err := parseLine(line)
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

// eachKeyLine are the lines of a text that are neither empty nor comments, by their
// number, from 1.
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

func parseLine(line []byte) (Key, error) {
	pub, comment, options, _, err := ssh.ParseAuthorizedKey(line)
	switch {
	case err != nil:
		return Key{}, errors.New("no public key as OpenSSH writes it: ssh-ed25519 AAAA... NAME")
	case len(options) > 0:
		return Key{}, errors.New("options before a key are not kept: leave them out")
	}
	if err := requireStrong(pub); err != nil {
		return Key{}, err
	}
	k := NewKey(pub)
	k.Comment = comment
	return k, nil
}

// NewKey gives a key that somebody shows, in the form in which Parse gives those that
// are known.
func NewKey(pub ssh.PublicKey) Key {
	return Key{Line: strings.TrimSpace(string(ssh.MarshalAuthorizedKey(pub))), Fingerprint: ssh.FingerprintSHA256(pub)}
}

// requireStrong refuses what does not say who somebody is.
func requireStrong(pub ssh.PublicKey) error {
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
