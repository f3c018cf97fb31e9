package record

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"

	"concord/annotate/chain"
)

// Kind is how values of T stand in a table: what of them their key says, and the
// rest in a record.
type Kind[T any] struct {
	Table    Table
	key      []keyPart
	tail     int // bytes of a key behind its parts
	mapping  *mapping
	check    func(*T) string                                 // what is wrong with a value; "" for one that may be stored
	form     func(*T) chain.Form                             // of acts
	cutOther func(v *T, key []byte) (behind []byte, ok bool) // of keys that are not told by their parts
}

// keyPart is a part of a key, and the field of T that it is; nil of what T does not say.
type keyPart struct {
	label string
	at    []int
	size  int // bytes of a number; or named, or rest
}

// newKind describes a table. The key is told by the fields of T that it is made
// of, in their order: numbers take as many bytes as their type, 4 for an int,
// and names stand behind their length, or, with "..." behind it, to the end of the key. "_" is a name that T does not
// say, and "+" the number of a revision. The record is told by fields, as newMapping reads them.
func newKind[T any](t Table, key, fields string, check func(*T) string) *Kind[T] {
	domain := reflect.TypeFor[T]()
	k := &Kind[T]{Table: t, mapping: newMapping(domain, fields), check: check}
	for word := range strings.FieldsSeq(key) {
		switch word {
		case "+":
			k.tail = 4
			continue
		case "_":
			k.key = append(k.key, keyPart{size: named})
			continue
		}
		path, whole := strings.CutSuffix(word, "...")
		at, of := findField(domain, path)
		part := keyPart{label: strings.ToLower(path), at: at, size: int(of.Size())}
		switch {
		case whole:
			part.size = rest
		case of.Kind() == reflect.String:
			part.size = named
		case of.Kind() == reflect.Int:
			part.size = 4
		}
		k.key = append(k.key, part)
	}
	return k
}

// Key is the key of a value, less the number of its revision.
func (k *Kind[T]) Key(v *T) []byte {
	var b []byte
	for _, p := range k.key {
		f := reflect.ValueOf(v).Elem().FieldByIndex(p.at)
		switch p.size {
		case rest:
			b = append(b, f.String()...)
		case named:
			b = AppendName(b, f.String())
		default:
			var n [8]byte
			binary.BigEndian.PutUint64(n[:], numberOf(f))
			b = append(b, n[8-p.size:]...)
		}
	}
	return b
}

// parseKey sets what a key says, and gives what stands behind that.
func (k *Kind[T]) parseKey(v *T, key []byte) (behind []byte, ok bool) {
	if k.cutOther != nil {
		return k.cutOther(v, key)
	}
	for _, p := range k.key {
		var name string
		switch {
		case p.size == named:
			if name, key, ok = CutName(key); !ok {
				return nil, false
			}
		case p.size == rest:
			name, key = string(key), nil
		case len(key) < p.size:
			return nil, false
		default:
			var n [8]byte
			copy(n[8-p.size:], key)
			setNumber(reflect.ValueOf(v).Elem().FieldByIndex(p.at), binary.BigEndian.Uint64(n[:]))
			key = key[p.size:]
			continue
		}
		if p.at != nil {
			reflect.ValueOf(v).Elem().FieldByIndex(p.at).SetString(name)
		}
	}
	return key, true
}

// ParseKey sets of a value what a key begins with, and gives what stands behind that.
func (k *Kind[T]) ParseKey(key []byte) (v T, behind []byte, ok bool) {
	behind, ok = k.parseKey(&v, key)
	return v, behind, ok
}

// Validate refuses names that cannot be a part of a key, and values that are none.
func (k *Kind[T]) Validate(v *T) error {
	for _, p := range k.key {
		if p.at == nil || p.size != named && p.size != rest {
			continue
		}
		if err := CheckName(p.label, reflect.ValueOf(v).Elem().FieldByIndex(p.at).String()); err != nil {
			return err
		}
	}
	if k.check != nil {
		if why := k.check(v); why != "" {
			return fmt.Errorf("%w: %s", ErrInvalid, why)
		}
	}
	return nil
}

// toRecord gives a pointer to the record of a value.
func (k *Kind[T]) toRecord(v *T) reflect.Value { return k.mapping.toRecord(reflect.ValueOf(v).Elem()) }

// Encode gives the bytes of a value's record, of one that may be stored.
func (k *Kind[T]) Encode(c Codec, v *T) ([]byte, error) {
	if err := k.Validate(v); err != nil {
		return nil, err
	}
	return c.Encode(k.toRecord(v).Interface())
}

// Read reads a stored value. It gives a DamageError for a key or a record that
// is none of this kind, and for a value that may not be stored.
func (k *Kind[T]) Read(c Codec, key, raw []byte) (T, error) {
	var none T
	r := reflect.New(k.mapping.record)
	if err := c.Decode(k.Table, key, raw, r.Interface()); err != nil {
		return none, err
	}
	v, ok := k.fromRecord(key, r)
	if !ok {
		return none, NewCorruptError(k.Table, key, "no key of a record of this table")
	}
	if k.check != nil {
		if why := k.check(&v); why != "" {
			return none, NewCorruptError(k.Table, key, why)
		}
	}
	return v, nil
}

// fromRecord gives that of a record under a key.
func (k *Kind[T]) fromRecord(key []byte, r reflect.Value) (v T, ok bool) {
	behind, ok := k.parseKey(&v, key)
	if !ok || len(behind) != k.tail {
		return v, false
	}
	k.mapping.copyToDomain(reflect.ValueOf(&v).Elem(), r.Elem())
	return v, true
}
