package chain

import (
	"reflect"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/annotate/rubric"
	"concord/eval"
)

func sample() annotate.Act {
	return annotate.Act{
		Queue: "first", Annotator: "ann", N: 4, Kind: annotate.Labelled, Reason: "says \"A\"\nreason 1:x",
		Item:    annotate.ItemKey{Key: eval.Key{Run: 2, Sample: 17}},
		Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: "A"}, Confidence: 0.8,
		At: time.UnixMilli(1_767_225_600_123), Spent: 1500 * time.Millisecond,
	}
}

// The form is what others can make anew; a change of it breaks all chains.
func TestForm(t *testing.T) {
	a := sample()
	f := NewActForm(&a)
	const want = "concord act 1\nqueue 5:first\nby 3:ann\nn 1:4\nrun 1:2\nsample 2:17\nkind 5:label\nverdict 6:option\nchoice 1:A\n" +
		"reason 19:says \"A\"\nreason 1:x\nconfidence 3:0.8\nat 13:1767225600123\nspent 10:1500000000\n"
	if got := string(f.Encode(Link{})); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	link := Link{Place: 9, Before: NewInitialHash("ann").Sum()}
	if got, want := link.Before.String(), "21fe1526"; got[:8] != want {
		t.Errorf("the beginning is %s, want %s", got, want)
	}
	if got, want := f.HashAct(link).String()[:ShortSize], "be3722ead269e22e"; got != want {
		t.Errorf("the hash is %s, want %s", got, want)
	}
}

// Every field of an act changes its hash, so that no field that is added later
// is left out.
func TestEveryFieldCounts(t *testing.T) {
	check := func(zero reflect.Value, hash func() Hash) {
		seen := map[Hash]string{hash(): "nothing"}
		fields(zero, "", func(name string) {
			h := hash()
			if other, ok := seen[h]; ok {
				t.Errorf("%s%s changes no more than %s", zero.Type(), name, other)
			}
			seen[h] = name
		})
	}
	var a annotate.Act
	check(reflect.ValueOf(&a).Elem(), func() Hash { f := NewActForm(&a); return f.HashAct(Link{}) })
	var c criteria.Act
	check(reflect.ValueOf(&c).Elem(), func() Hash { f := NewCriteriaForm(&c); return f.HashAct(Link{}) })
	var u curation.Act
	check(reflect.ValueOf(&u).Elem(), func() Hash { f := NewCurationForm(&u); return f.HashAct(Link{}) })
	var g rubric.Act
	check(reflect.ValueOf(&g).Elem(), func() Hash { f := NewGradingForm(&g); return f.HashAct(Link{}) })
	var l Link
	f := NewActForm(&a)
	l.Place = 1
	one := f.HashAct(l)
	if l.Before[3] = 1; f.HashAct(l) == one {
		t.Error("the hash of the act before does not count")
	}
	if l.Place, l.Before = 2, (Hash{}); f.HashAct(l) == one {
		t.Error("the place does not count")
	}
}

// fields sets each field of a value in turn, has it looked at, and clears it.
func fields(v reflect.Value, name string, look func(name string)) {
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.UnixMilli(1)))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fields(v.Field(i), name+"."+v.Type().Field(i).Name, look)
		}
		return
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		look(name)
		if e := v.Index(0); e.Kind() == reflect.Struct {
			fields(e, name+"[0]", look)
		}
	case v.Kind() == reflect.String:
		v.SetString("x")
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(1)
	case v.CanUint():
		v.SetUint(1)
	case v.CanFloat():
		v.SetFloat(0.5)
	}
	if v.Kind() != reflect.Slice {
		look(name)
	}
	v.SetZero()
}

// A verifier takes whatever stands in a file.
func FuzzVerifier(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Fuzz(func(t *testing.T, script []byte) {
		heads := map[annotate.Annotator]Head{"a": {Place: 3}}
		v := NewVerifier(heads)
		total := 0
		for len(script) >= 4 {
			s, who := Stream{Queue: annotate.QueueName(script[:1]), Of: WorkPart(script[0]%3) + InQueue}, annotate.Annotator("a"+string(rune('a'+script[1]%2)))
			form := Form{Stream: s, Who: who, N: uint32(script[2]) * uint32(script[2])}
			v.ExpectActs(s, who, uint32(script[3]))
			v.AddAct(&form, Link{Place: uint64(script[3] % 8)})
			script = script[4:]
			total++
		}
		acts := 0
		for _, c := range v.Finish(heads) {
			acts += c.Acts
			for i := range c.Faults {
				if c.Faults[i].Describe(func(*Act) string { return "x" }) == "" {
					t.Errorf("no words for %v", c.Faults[i])
				}
			}
		}
		if acts != total {
			t.Errorf("%d acts of %d", acts, total)
		}
	})
}
