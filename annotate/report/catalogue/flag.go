package catalogue

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"concord/eval"
)

// Flag is a flag of a report's command: its name, its help, and what it sets.
type Flag struct {
	Name, Usage string
	Value       *Value
	Needed      bool // the command does nothing without it
	Hidden      bool // scripts of earlier versions give it
}

// Value is what a flag sets. It is a value of the flags of a shell's command, and
// knows none of these.
type Value struct {
	kind, text string
	set        func(string) error
	given      bool
}

// String is the value as it was given, or the default.
func (v *Value) String() string { return v.text }

// Type names what is given: bool for a flag that takes nothing.
func (v *Value) Type() string { return v.kind }

// Set reads what was given.
func (v *Value) Set(s string) error {
	if err := v.set(s); err != nil {
		return err
	}
	v.text, v.given = s, true
	return nil
}

// parsed is a value that parse reads. Shown is the default, "" for none.
func parsed[T any](kind, shown string, to *T, parse func(string) (T, error)) *Value {
	return &Value{kind: kind, text: shown, set: func(s string) (err error) {
		*to, err = parse(s)
		return err
	}}
}

func word[T ~string](to *T) *Value {
	return parsed("string", string(*to), to, func(s string) (T, error) { return T(s), nil })
}

// option is a word for a setting that is unset unless it is given; nothing
// given, in so many words, is nothing set.
func option[T any](to *T, parse func(string) (T, error)) *Value {
	return parsed("string", "", to, func(s string) (t T, err error) {
		if s == "" {
			return t, nil
		}
		return parse(s)
	})
}

func on(to *bool) *Value { return parsed("bool", "false", to, strconv.ParseBool) }

func number(to *int) *Value { return parsed("int", strconv.Itoa(*to), to, strconv.Atoi) }

func seed(to *uint64) *Value {
	return parsed("uint64", strconv.FormatUint(*to, 10), to, func(s string) (uint64, error) { return strconv.ParseUint(s, 0, 64) })
}

func decimal(to *float64) *Value {
	return parsed("float64", strconv.FormatFloat(*to, 'g', -1, 64), to, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
}

// list is several values, given one after the other or with commas between.
func list[T any](kind string, to *[]T, parse func(string) (T, error)) *Value {
	return &Value{kind: kind, set: func(s string) error {
		if s == "" {
			return nil
		}
		parts, err := csv.NewReader(strings.NewReader(s)).Read()
		if err != nil {
			return err
		}
		for _, p := range parts {
			t, err := parse(p)
			if err != nil {
				return err
			}
			*to = append(*to, t)
		}
		return nil
	}}
}

func words[T ~string](to *[]T) *Value {
	return list("strings", to, func(s string) (T, error) { return T(s), nil })
}

func runs(to *[]eval.RunID) *Value {
	return list("uints", to, func(s string) (eval.RunID, error) {
		n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 32)
		if err != nil {
			return 0, fmt.Errorf("want the number of a run")
		}
		return eval.RunID(n), nil
	})
}
