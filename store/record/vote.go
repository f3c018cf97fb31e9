package record

import (
	"encoding/binary"
	"time"

	"concord/eval"
)

// Comparison is the record of a comparison's totals.
type Comparison struct {
	Votes      []int `cbor:"1,keyasint,omitempty"`
	Failures   int   `cbor:"2,keyasint,omitempty"`
	Prompt     int   `cbor:"3,keyasint,omitempty"` // tokens, as the next two
	Completion int   `cbor:"4,keyasint,omitempty"`
	Reasoning  int   `cbor:"5,keyasint,omitempty"`
}

// FromVoteCounts makes the record of what a comparison's votes come to.
func FromVoteCounts(c eval.VoteCounts) Comparison {
	return Comparison{
		Votes: c.Votes[:], Failures: c.Failures,
		Prompt: c.Usage.Prompt, Completion: c.Usage.Completion, Reasoning: c.Usage.Reasoning,
	}
}

// Counts is what the comparison's votes come to.
func (r Comparison) Counts() eval.VoteCounts {
	c := eval.VoteCounts{
		Failures: r.Failures,
		Usage:    eval.Usage{Prompt: r.Prompt, Completion: r.Completion, Reasoning: r.Reasoning},
	}
	copy(c.Votes[:], r.Votes)
	return c
}

// Preference is the record of a vote; the pair, the ballot and the
// revision stand in its key.
type Preference struct {
	Vote    uint8    `cbor:"1,keyasint,omitempty"`
	Raw     string   `cbor:"2,keyasint,omitempty"`
	Earlier []string `cbor:"3,keyasint,omitempty"`
	Text    string   `cbor:"4,keyasint,omitempty"`
	Call
	Sent *Sent `cbor:"19,keyasint,omitempty"`
}

// FromPreference makes the record of a vote.
func FromPreference(p *eval.Preference) Preference {
	r := Preference{Vote: uint8(p.Vote), Raw: p.Raw, Earlier: p.Earlier, Text: p.Text, Call: Call{
		PromptHash: p.Prompt, Setup: p.Setup, Served: p.Served, Finish: p.Finish,
	}}
	r.Sent = fromSent(p.Sent)
	r.cost(p.Usage, p.Latency, p.At)
	r.fail(p.Failure)
	return r
}

// Preference is the vote that the record holds.
func (r *Preference) Preference(pair eval.Pair, b eval.Ballot) eval.Preference {
	return eval.Preference{
		Pair: pair, Ballot: b, Vote: eval.Vote(r.Vote), Raw: r.Raw, Earlier: r.Earlier,
		Text: r.Text, Prompt: r.PromptHash, Setup: r.Setup, Served: r.Served, Finish: r.Finish,
		Usage: r.Usage(), Latency: time.Duration(r.Latency), At: FromMillis(r.At), Failure: r.Failure(), Sent: r.Sent.sent(),
	}
}

// ComparisonKey is what the votes of one comparison begin with, so that a row of a
// report is one range: both runs, and the ballot.
func ComparisonKey(c eval.Comparison) []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(c.A))
	b = binary.BigEndian.AppendUint64(b, uint64(c.B))
	b = AppendName(b, c.Judge)
	criteria := byte(0)
	if c.Criteria {
		criteria = 1
	}
	b = append(b, criteria, byte(c.Input))
	return AppendU32(b, uint32(c.Repeat))
}

// CutComparison reads the comparison that b begins with.
func CutComparison(b []byte) (c eval.Comparison, rest []byte, ok bool) {
	if len(b) < 16 {
		return c, nil, false
	}
	c.A, c.B = eval.RunID(binary.BigEndian.Uint64(b)), eval.RunID(binary.BigEndian.Uint64(b[8:]))
	if c.Judge, b, ok = CutName(b[16:]); !ok || len(b) < 6 {
		return c, nil, false
	}
	c.Criteria, c.Input = b[0] != 0, eval.Input(b[1])
	c.Repeat = int(binary.BigEndian.Uint32(b[2:]))
	return c, b[6:], true
}

// VoteKey is the key of a vote less its revision: of one sample both orders
// stand side by side.
func VoteKey(p *eval.Preference) []byte {
	b := AppendU32(ComparisonKey(p.Comparison()), uint32(p.Sample))
	order := byte(0)
	if p.First > p.Second {
		order = 1
	}
	return append(b, order)
}
