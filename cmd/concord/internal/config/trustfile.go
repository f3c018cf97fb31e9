package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// TrustFile is the trust of one user, who alone can write it, in what one folder
// sends: a line each, with the hash that decides and words for people. It is read
// anew each time, so that what another process adds holds at once.
type TrustFile struct {
	Path   string
	Folder string // of the project
}

var _ Trust = TrustFile{}

// made stands for a folder whose file concord's own commands wrote: what the user
// writes into it first is trusted without a question.
const made = "made here"

// Allows reports whether the user trusts the sending.
func (t TrustFile) Allows(s Sending, all []Sending) (bool, error) {
	lines, err := t.read()
	if err != nil {
		return false, err
	}
	if lines[t.hash(s)] {
		return true, nil
	}
	if !lines[t.hashOf(made)] {
		return false, nil
	}
	if err := t.Add(all...); err != nil {
		return false, err
	}
	return true, t.drop(t.hashOf(made))
}

// Trusts reports which of the sendings are trusted.
func (t TrustFile) Trusts(all []Sending) ([]bool, error) {
	lines, err := t.read()
	out := make([]bool, len(all))
	for i, s := range all {
		out[i] = lines[t.hash(s)] || lines[t.hashOf(made)]
	}
	return out, err
}

// Add has the user trust the sendings.
func (t TrustFile) Add(all ...Sending) error {
	lines := make([]string, len(all))
	for i, s := range all {
		lines[i] = t.hash(s) + " " + s.String() + ", said in " + strconv.Quote(t.Folder)
	}
	return t.append(lines)
}

// Made notes that a command of the user's has written the folder's file.
func (t TrustFile) Made() error {
	return t.append([]string{t.hashOf(made) + " " + made + ": " + strconv.Quote(t.Folder)})
}

// Forget has the user trust none of the sendings any more.
func (t TrustFile) Forget(all []Sending) error {
	out := []string{t.hashOf(made)}
	for _, s := range all {
		out = append(out, t.hash(s))
	}
	return t.drop(out...)
}

func (t TrustFile) hash(s Sending) string {
	if s.Prompt != "" {
		return t.hashOf("prompt", s.Prompt)
	}
	return t.hashOf("send", s.KeyEnv, s.BaseURL, strconv.FormatBool(s.Insecure))
}

// hashOf is over the folder, wherever links lead to it, and the parts.
func (t TrustFile) hashOf(parts ...string) string {
	folder, err := filepath.Abs(t.Folder)
	if err != nil {
		folder = t.Folder
	}
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	sum := sha256.Sum256([]byte(strings.Join(append([]string{folder}, parts...), "\x00")))
	return hex.EncodeToString(sum[:])
}

// read is the set of hashes.
func (t TrustFile) read() (map[string]bool, error) {
	text, err := os.ReadFile(t.Path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("read trust: %w", err)
	}
	out := make(map[string]bool)
	for line := range bytes.Lines(text) {
		hash, _, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		out[hash] = true
	}
	return out, nil
}

func (t TrustFile) append(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	f, err := os.OpenFile(t.Path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("keep trust: %w", err)
	}
	_, err = f.WriteString(strings.Join(lines, "\n") + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("keep trust: %w", err)
	}
	return nil
}

// drop takes the lines of the hashes away.
func (t TrustFile) drop(hashes ...string) error {
	text, err := os.ReadFile(t.Path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read trust: %w", err)
	}
	gone := make(map[string]bool)
	for _, h := range hashes {
		gone[h] = true
	}
	var left []byte
	for line := range bytes.Lines(text) {
		if hash, _, _ := strings.Cut(strings.TrimSpace(string(line)), " "); !gone[hash] {
			left = append(left, line...)
		}
	}
	temp, err := os.CreateTemp(filepath.Dir(t.Path), ".trusted-*") // mode 0600
	if err != nil {
		return fmt.Errorf("keep trust: %w", err)
	}
	_, err = temp.Write(left)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), t.Path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keep trust: %w", err), os.Remove(temp.Name()))
	}
	return nil
}
