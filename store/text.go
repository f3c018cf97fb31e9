package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Texts keeps what configurations name by its hash: prompt templates and the
// settings of judges. A text is never changed, since its hash is its name.
type Texts struct{ s *Store }

// Texts is the handle of texts.
func (s *Store) Texts() *Texts { return &Texts{s} }

// Put keeps a text and gives its SHA-256, in hexadecimal. A text that is there
// costs no commit.
func (t *Texts) Put(ctx context.Context, text string) (hash string, err error) {
	sum := sha256.Sum256([]byte(text))
	hash = hex.EncodeToString(sum[:])
	have, err := t.s.file.Get(record.TableTexts, sum[:])
	if err != nil || have != nil {
		return hash, err
	}
	err = t.s.file.Apply(ctx, len(text)+len(sum), func(tx *file.Tx) error {
		return tx.Table(record.TableTexts).Put(sum[:], []byte(text))
	})
	if err != nil {
		return "", fmt.Errorf("put text %s: %w", hash[:12], err)
	}
	return hash, nil
}

// Text gives the text of a hash, or eval.ErrNotFound.
func (t *Texts) Text(hash string) ([]byte, error) {
	sum, err := hex.DecodeString(hash)
	if err != nil || len(sum) != sha256.Size {
		return nil, fmt.Errorf("%w: %q is no SHA-256", ErrInvalid, hash)
	}
	text, err := t.s.file.Get(record.TableTexts, sum)
	switch {
	case err != nil:
		return nil, err
	case text == nil:
		return nil, fmt.Errorf("text %s: %w", hash[:12], eval.ErrNotFound)
	case sha256.Sum256(text) != [sha256.Size]byte(sum):
		return nil, record.NewCorruptError(record.TableTexts, sum, "another text is stored under this hash")
	}
	return text, nil
}
