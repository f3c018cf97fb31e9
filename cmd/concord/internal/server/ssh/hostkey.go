package ssh

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/crypto/ssh"

	"concord/eval/bound"
)

// longestKey bounds a file of a host key, in bytes.
const longestKey = 64 << 10

// Signer is the key by which a server shows to be itself.
type Signer = ssh.Signer

// LoadHostKey reads the key by which people know the server again, and makes it
// (ed25519, as OpenSSH writes it, for this user alone) when there is none yet.
// A file that others may read is refused: whoever has the key is the server.
func LoadHostKey(path string) (key ssh.Signer, made bool, err error) {
	key, err = readHostKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, false, err
	}
	err = makeHostKey(path)
	made = err == nil
	if !made && !errors.Is(err, fs.ErrExist) { // which another process was quicker to make
		return nil, false, fmt.Errorf("make host key: %w", err)
	}
	key, err = readHostKey(path)
	return key, made, err
}

// Fingerprint is what ssh prints of a host key, for people to compare.
func Fingerprint(key ssh.Signer) string { return ssh.FingerprintSHA256(key.PublicKey()) }

func readHostKey(path string) (ssh.Signer, error) {
	f, err := bound.OpenFile(path)
	if err != nil {
		return nil, fmt.Errorf("read host key: %w", err)
	}
	defer f.Close() //nolint:errcheck // it is only read
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("read host key: %w", err)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("read host key: others may read or change %s (mode %04o): chmod 600 it, "+
			"or remove it for a new one if somebody may have read it", path, info.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(f, longestKey))
	if err != nil {
		return nil, fmt.Errorf("read host key: %w", err)
	}
	key, err := ssh.ParsePrivateKey(text)
	var locked *ssh.PassphraseMissingError
	switch {
	case errors.As(err, &locked):
		return nil, fmt.Errorf("read host key: %s needs a passphrase, which a server has nobody to ask for", path)
	case err != nil:
		return nil, fmt.Errorf("read host key %s: %w", path, err)
	}
	return key, nil
}

// makeHostKey writes a new key beside its place and puts it there whole, unless
// there is one by then.
func makeHostKey(path string) error {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	block, err := ssh.MarshalPrivateKey(key, "concord")
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".hostkey-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // it has its place, or none
	_, err = f.Write(pem.EncodeToMemory(block))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), path)
}
