package chain

import (
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"concord/annotate"
	"concord/eval"
)

// Head is the head of a person's chain: the place of the last act, 0 for none,
// and its hash, or that of what was there before the chain.
type Head struct {
	Place uint64
	Hash  Hash
}

// Published is a head that was seen outside the chain: the hash in hexadecimal,
// or its first ShortSize digits or more, and where it was seen.
type Published struct {
	Person      annotate.Annotator
	Hash, Where string
}

// Verifier checks the chains of all people of a project. It keeps a few bytes
// for each run of acts that follow each other in one stream and in the chain:
// what it needs grows with how often people change streams, not with the acts.
type Verifier struct {
	people map[annotate.Annotator]*personCheck
	heads  map[annotate.Annotator]Head
	due    map[personStream]uint32 // acts that were counted in a stream
	stream personStream            // that is being taken
	last   uint32                  // number of its last act
	linked bool                    // it has had an act of a chain
	faults []Fault                 // of nobody
}

// personStream is a stream, and whose; that of a sample is everybody's.
type personStream struct {
	Stream
	who annotate.Annotator
}

func newPersonStream(s Stream, who annotate.Annotator) personStream {
	if s.isShared() {
		who = ""
	}
	return personStream{s, who}
}

// NewVerifier checks chains whose heads were read before any of the acts.
func NewVerifier(heads map[annotate.Annotator]Head) *Verifier {
	v := &Verifier{people: make(map[annotate.Annotator]*personCheck), heads: heads, due: make(map[personStream]uint32)}
	for who := range heads {
		v.findPerson(who)
	}
	return v
}

// ExpectActs says how many acts a person is known to have done in a stream, apart from the chain.
func (v *Verifier) ExpectActs(s Stream, who annotate.Annotator, acts uint32) {
	v.findPerson(who)
	v.due[newPersonStream(s, who)] = acts
}

// AddPublished has a head looked for that was published. False: it is no hash, or too short.
func (v *Verifier) AddPublished(p Published) bool {
	p.Hash = strings.ToLower(p.Hash)
	if _, err := hex.DecodeString(p.Hash[:len(p.Hash)/2*2]); err != nil || len(p.Hash) < ShortSize || len(p.Hash) > 2*len(Hash{}) {
		return false
	}
	who := v.findPerson(p.Person)
	who.published = append(who.published, published{Published: p})
	return true
}

func (v *Verifier) findPerson(who annotate.Annotator) *personCheck {
	return eval.GetOrAdd(v.people, who, func() *personCheck {
		return &personCheck{who: who, before: NewInitialHash(who), head: v.heads[who]}
	})
}

// AddAct takes the next act: they come stream by stream, each in its order.
func (v *Verifier) AddAct(f *Form, l Link) {
	p := v.advanceTo(f)
	if l.Place == 0 {
		p.addOlderAct(f, v.linked)
		return
	}
	v.linked = true
	p.addAct(f, l)
}

// AddDamaged takes the next act where it is there and damaged: all that is known of
// it is where it stands, and of criteria not whose it is.
func (v *Verifier) AddDamaged(f *Form) {
	p := v.advanceTo(f)
	p.unread = append(p.unread, Act{f.Stream, p.who, f.N})
}

// advanceTo goes on to an act, notes those before it that are not there, and gives whose it is.
func (v *Verifier) advanceTo(f *Form) *personCheck {
	if s := newPersonStream(f.Stream, f.Who); s != v.stream {
		v.finishStream()
		v.stream, v.last, v.linked = s, 0, false
	}
	for n := v.last + 1; n < f.N && v.noteMissing(v.stream, n); n++ {
	}
	v.last = f.N
	return v.findPerson(f.Who)
}

// mostNamed is how many acts that are not there are named.
const mostNamed = 20

// noteMissing notes that an act of a stream is not there; false when enough are noted.
func (v *Verifier) noteMissing(s personStream, n uint32) bool {
	at := Act{s.Stream, s.who, n}
	if s.isShared() { // nobody knows whose it was
		v.faults = append(v.faults, Fault{Kind: Missing, Act: at})
		return len(v.faults) < mostNamed
	}
	p := v.findPerson(s.who)
	p.missing = append(p.missing, at)
	return len(p.missing) < mostNamed
}

// finishStream ends a stream: all that were counted in it have to be there.
func (v *Verifier) finishStream() {
	for n := v.last + 1; n <= v.due[v.stream] && v.noteMissing(v.stream, n); n++ {
	}
	delete(v.due, v.stream)
}

// Finish gives what was found, by person; heads are those that stand now. What is nobody's is last.
func (v *Verifier) Finish(heads map[annotate.Annotator]Head) []Chain {
	v.finishStream()
	for s := range v.due { // without any act
		v.stream, v.last = s, 0
		v.finishStream()
	}
	var out []Chain
	for _, who := range slices.Sorted(maps.Keys(v.people)) {
		now, has := heads[who]
		if c := v.people[who].finishCheck(now, has); c.Acts > 0 || has || len(c.Faults) > 0 {
			out = append(out, c)
		}
	}
	if len(v.faults) > 0 {
		out = append(out, Chain{Faults: v.faults})
	}
	return out
}
