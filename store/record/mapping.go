package record

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/eval"
)

// mapping copies values of a type of the domain into its record and back. It
// follows from the type and from which of its fields have which numbers, once.
type mapping struct {
	record  reflect.Type
	fields  []fieldPair
	failure []int // the field of the domain that is why a call failed; nil: none
}

// fieldPair is a field of a record, by its place, and of the domain, by its indices.
type fieldPair struct {
	record int
	domain []int
	conversion
}

// conversion sets a field of the record from that of the domain, and back.
type conversion struct{ store, load func(to, from reflect.Value) }

// newMapping makes a record of a type of the domain. Its fields are told in the order of their numbers,
// from 1, by their names or paths, as "Usage.Prompt". A number of its own stands before a name, as in
// "20:Score", and "!" behind one of a field that is stored also when it is zero. "link" is what binds
// an act (Bound). A name that the domain does not have is an error of the program.
func newMapping(domain reflect.Type, fields string) *mapping {
	m := new(mapping)
	var all []reflect.StructField
	n := 0
	add := func(t reflect.Type, options string) {
		number := strconv.Itoa(n)
		all = append(all, reflect.StructField{Name: "F" + number, Type: t, Tag: reflect.StructTag(`cbor:"` + number + ",keyasint" + options + `"`)})
	}
	for name := range strings.FieldsSeq(fields) {
		n++
		if number, rest, ok := strings.Cut(name, ":"); ok {
			n, _ = strconv.Atoi(number)
			name = rest
		}
		if name == "link" {
			n = 98
			add(reflect.TypeFor[uint64](), omitted)
			n++
			add(reflect.TypeFor[[]byte](), omitted)
			continue
		}
		options := omitted
		if path, always := strings.CutSuffix(name, "!"); always {
			name, options = path, ""
		}
		at, of := findField(domain, name)
		if of == reflect.TypeFor[*eval.Failure]() {
			m.failure = at
		}
		t, c := storedTypeOf(of)
		m.fields = append(m.fields, fieldPair{len(all), at, c})
		add(t, options)
	}
	m.record = reflect.StructOf(all)
	return m
}

// omitted is the option of fields that take no byte when they are zero.
const omitted = ",omitempty"

// findField finds a field by its name, or by a path of them. It may stand within
// another field, as a verdict within what an annotator read.
func findField(t reflect.Type, path string) (at []int, of reflect.Type) {
	of = t
	for name := range strings.SplitSeq(path, ".") {
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		f, ok := of.FieldByName(name)
		for i := 0; !ok && i < of.NumField(); i++ {
			if outer := of.Field(i); outer.Type.Kind() == reflect.Struct {
				if f, ok = outer.Type.FieldByName(name); ok {
					at = append(at, i)
				}
			}
		}
		if !ok {
			panic(fmt.Sprintf("record: %s has no field %s", t, path))
		}
		at, of = append(at, f.Index...), f.Type
	}
	return at, of
}

// fieldAt gives a field of a value; false when it is one of a failure that there is not.
func fieldAt(v reflect.Value, at []int) (reflect.Value, bool) {
	for _, i := range at {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v, true
}

func (m *mapping) toRecord(domain reflect.Value) reflect.Value {
	r := reflect.New(m.record)
	m.copyToRecord(r.Elem(), domain)
	return r
}

func (m *mapping) copyToRecord(record, domain reflect.Value) {
	for _, f := range m.fields {
		if from, ok := fieldAt(domain, f.domain); ok {
			f.store(record.Field(f.record), from)
		}
	}
}

func (m *mapping) copyToDomain(domain, record reflect.Value) {
	for _, f := range m.fields {
		if to, ok := fieldAt(domain, f.domain); ok {
			f.load(to, record.Field(f.record))
		}
	}
	if m.failure != nil {
		v, _ := fieldAt(domain, m.failure)
		mendFailure(v.Interface().(*eval.Failure))
	}
}

// parts are the fields of what stands within records, as newMapping reads them.
var parts = map[reflect.Type]string{
	reflect.TypeFor[annotate.ItemKey](): "Run Sample Pass Against",
	reflect.TypeFor[annotate.Grade]():   "Criterion Hash Verdict",
	reflect.TypeFor[annotate.Head]():    "Person Acts Hash",
	reflect.TypeFor[annotate.Rule](): "Dataset Runs From Rules Rate Number Level PerLevel Listed Seed Anchor Whole Order Among " +
		"Drawing.Uniform Drawing.Lift Drawing.Limit Drawing.Sizes Drawing.Unsure",
	reflect.TypeFor[criteria.Criterion](): "Type Text ID Class Weighted Weight Tags Path Credit",
	reflect.TypeFor[criteria.Tick]():      "Item OK",
	reflect.TypeFor[curation.Inspector](): "Run Model Rules Judge",
	reflect.TypeFor[eval.Detection]():     "Label Confidence X1 Y1 X2 Y2",
	reflect.TypeFor[eval.Option]():        "Letter Text",
	reflect.TypeFor[eval.PromptRef]():     "Name Language Version Hash",
	reflect.TypeFor[eval.Exemplar]():      "Sample Question Options Answer",
	reflect.TypeFor[eval.JudgeSetup]():    "Judge Endpoint Name Params Prompts Language Pseudo Edge",
	reflect.TypeFor[eval.Settings]():      "Endpoint Name Params Prompts Language Edge Shots Exemplars Judges Fallback Seed",
	// Every field of a configuration is left out when it is zero: the hash that finds
	// a run is over the bytes of its configuration, and a field added later must not
	// change it for the runs that there are.
	reflect.TypeFor[eval.Config](): "Dataset Model Strategy Modality Origin AllPasses Rules Synthetic File Settings",
}

// basic are the types in which names and numbers stand in records.
var basic = map[reflect.Kind]reflect.Type{
	reflect.String: reflect.TypeFor[string](), reflect.Bool: reflect.TypeFor[bool](), reflect.Float64: reflect.TypeFor[float64](),
	reflect.Int: reflect.TypeFor[int](), reflect.Int64: reflect.TypeFor[int64](),
	reflect.Uint8: reflect.TypeFor[uint8](), reflect.Uint32: reflect.TypeFor[uint32](), reflect.Uint64: reflect.TypeFor[uint64](),
}

// storedTypeOf is how values of a type of the domain stand in a record.
func storedTypeOf(domain reflect.Type) (reflect.Type, conversion) {
	switch domain {
	case reflect.TypeFor[time.Time]():
		return reflect.TypeFor[int64](), conversion{
			func(to, from reflect.Value) { to.SetInt(ToMillis(from.Interface().(time.Time))) },
			func(to, from reflect.Value) { to.Set(reflect.ValueOf(FromMillis(from.Int()))) },
		}
	case reflect.TypeFor[eval.Sent]():
		return reflect.TypeFor[*Sent](), conversion{
			func(to, from reflect.Value) { to.Set(reflect.ValueOf(newSent(from.Interface().(eval.Sent)))) },
			func(to, from reflect.Value) { to.Set(reflect.ValueOf(from.Interface().(*Sent).toSent())) },
		}
	case reflect.TypeFor[*eval.Failure](): // whether there is one
		return reflect.TypeFor[bool](), conversion{
			func(to, from reflect.Value) { to.SetBool(!from.IsNil()) },
			func(to, from reflect.Value) {
				if from.Bool() {
					to.Set(reflect.New(domain.Elem()))
				}
			},
		}
	case reflect.TypeFor[eval.Settings]():
		m := newMapping(domain, parts[domain])
		return reflect.PointerTo(m.record), convertPointer(m)
	case reflect.TypeFor[curation.Settings](): // its numbers in their order, as the next
		return reflect.TypeFor[[6][2]int](), conversion{copyNumbers, copyNumbers}
	case reflect.TypeFor[curation.HitMark]():
		return reflect.TypeFor[[5]uint32](), conversion{copyNumbers, copyNumbers}
	}
	record, c := basic[domain.Kind()], conversion{assignValue, assignValue}
	switch domain.Kind() {
	case reflect.Pointer:
		record = domain
	case reflect.Slice, reflect.Array:
		elem, each := storedTypeOf(domain.Elem())
		record, c = reflect.SliceOf(elem), convertList(each)
	case reflect.Struct:
		m := newMapping(domain, parts[domain])
		record, c = m.record, conversion{m.copyToRecord, m.copyToDomain}
	default:
	}
	if record == domain {
		c = conversion{reflect.Value.Set, reflect.Value.Set}
	}
	return record, c
}

// convertPointer is nil for what says nothing, so that it takes no byte.
func convertPointer(m *mapping) conversion {
	return conversion{
		func(to, from reflect.Value) {
			if one := m.toRecord(from); !one.Elem().IsZero() {
				to.Set(one)
			}
		},
		func(to, from reflect.Value) {
			if !from.IsNil() {
				m.copyToDomain(to, from.Elem())
			}
		},
	}
}

// convertList copies lists, of which one may be an array. An empty list is none,
// unless it is told apart from none.
func convertList(c conversion) conversion {
	objects := reflect.TypeFor[[]eval.Detection]()
	fill := func(to, from reflect.Value, each func(to, from reflect.Value)) {
		if to.Kind() == reflect.Slice && (from.Len() > 0 || to.Type() == objects || from.Type() == objects) {
			to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
		}
		for i := range min(to.Len(), from.Len()) {
			each(to.Index(i), from.Index(i))
		}
	}
	return conversion{
		func(to, from reflect.Value) { fill(to, from, c.store) },
		func(to, from reflect.Value) { fill(to, from, c.load) },
	}
}

// collectNumbers collects those that a value is made of, in their order.
func collectNumbers(v reflect.Value, out []reflect.Value) []reflect.Value {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			out = collectNumbers(v.Field(i), out)
		}
		return out
	case reflect.Array:
		for i := range v.Len() {
			out = collectNumbers(v.Index(i), out)
		}
		return out
	default:
		return append(out, v)
	}
}

func copyNumbers(to, from reflect.Value) {
	all := collectNumbers(from, nil)
	for i, n := range collectNumbers(to, nil) {
		assignValue(n, all[i])
	}
}

// assignValue copies a text or a number to one of another type.
func assignValue(to, from reflect.Value) {
	switch to.Kind() {
	case reflect.String:
		to.SetString(from.String())
	case reflect.Float64:
		to.SetFloat(from.Float())
	default:
		setNumber(to, numberOfValue(from))
	}
}

func numberOfValue(f reflect.Value) uint64 {
	switch {
	case f.Kind() == reflect.Bool && f.Bool():
		return 1
	case f.Kind() == reflect.Bool:
		return 0
	case f.CanInt():
		return uint64(f.Int())
	}
	return f.Uint()
}

func setNumber(f reflect.Value, n uint64) {
	switch {
	case f.Kind() == reflect.Bool:
		f.SetBool(n != 0)
	case f.CanInt():
		f.SetInt(int64(n))
	default:
		f.SetUint(n)
	}
}

var configs = newMapping(reflect.TypeFor[eval.Config](), parts[reflect.TypeFor[eval.Config]()])

// NewConfigRecord is the record of a configuration.
func NewConfigRecord(c *eval.Config) any {
	return configs.toRecord(reflect.ValueOf(c).Elem()).Interface()
}
