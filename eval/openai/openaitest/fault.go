package openaitest

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
)

// Fault is a way to misbehave. The zero value is none.
type Fault uint8

// The faults.
const (
	None        Fault = iota
	Busy              // 429 without Retry-After
	BusyAfter         // 429 with Retry-After
	Quota             // 429: no credit left
	Crash             // 500
	Unavailable       // 503
	Reject            // 400
	Filtered          // 400 of a content filter
	Withheld          // 200 with finish reason content_filter
	Broken            // the connection breaks in the middle of the body
	Drip              // a byte now and then
	Hang              // no answer at all
	Cut               // well framed, half of the JSON
	Malformed         // well framed, no JSON
	Choiceless        // no choices
	Endless           // a body without an end
	WebPage           // 200 with text/html
	PageAsJSON        // 200 with a web page that calls itself JSON
	Empty             // 200 without a body
	NoContent         // 204
	Gzip              // says gzip and is none
	ShortLength       // a Content-Length that is too small
	Null              // null content without a finish reason
	ErrorInside       // 200 with an error object, without a number
	CodeInside        // 200 with an error object and a number
	ErrorBeside       // 200 with an error object beside an empty answer
	AfterAges         // 429 with a Retry-After of 10^12 seconds
	Refusal           // the model's refusal, in its own field
	Length            // finish reason length
	Unmetered         // no usage
	faults
)

// All are the faults, but for None.
func All() []Fault {
	all := make([]Fault, 0, faults)
	for f := None + 1; f < faults; f++ {
		all = append(all, f)
	}
	return all
}

// Rate does one of the faults to a share of the calls. Which ones follows
// from the seed, what is asked and how often it was asked before: not from
// the order in which calls arrive.
func Rate(seed uint64, share float64, of ...Fault) func(*Request) Fault {
	return func(r *Request) Fault {
		h := fnv.New64a()
		_, _ = h.Write([]byte(r.Model + "\x00" + r.Prompt()))
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(r.Asked))
		_, _ = h.Write(n[:])
		g := rand.New(rand.NewPCG(seed, h.Sum64()))
		if len(of) == 0 || g.Float64() >= share {
			return None
		}
		return of[g.IntN(len(of))]
	}
}
