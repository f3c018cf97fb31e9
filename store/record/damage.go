package record

import (
	"bytes"
	"fmt"
	"strings"
)

// DamageError is something in a project that cannot be trusted. It is ErrCorrupt.
type DamageError struct {
	Table Table  // "" for what belongs to no table
	Key   []byte // of the record; nil for more than one
	Where string // the page, or what else it is if it is no record
	Why   string
	// Commit says that the last commit may be missing, and nothing else.
	Commit bool
}

// Error names what is damaged, what it concerns and what is wrong with it.
func (d *DamageError) Error() string {
	var parts []string
	if d.Where != "" {
		parts = append(parts, d.Where)
	}
	if d.Table != "" {
		what := "table " + string(d.Table)
		if d.Key != nil {
			what = fmt.Sprintf("%s (%s %x)", About(d.Table, d.Key), d.Table, d.Key)
		}
		parts = append(parts, what)
	}
	return fmt.Sprintf("read %s: %s: %v", strings.Join(parts, " of "), d.Why, ErrCorrupt)
}

// Unwrap is ErrCorrupt.
func (d *DamageError) Unwrap() error { return ErrCorrupt }

// Corrupt says what is wrong with the record or the key.
func Corrupt(t Table, key []byte, why string) error {
	return &DamageError{Table: t, Key: bytes.Clone(key), Why: why}
}
