package annotate

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"

	"concord/eval"
)

// ItemKey is what an item of a queue is about: a prediction; or, with
// Against, a pair of predictions by two runs on one sample and pass; or, with
// no run, a sample alone, of the dataset of the queue's rule.
type ItemKey struct {
	eval.Key
	Against eval.RunID // the other run of a pair; 0: no pair
}

// ItemOf is the key of an item about one prediction.
func ItemOf(k eval.Key) ItemKey { return ItemKey{Key: k} }

// Other is the second prediction of a pair; false when the item is none.
func (k ItemKey) Other() (eval.Key, bool) {
	other := k.Key
	other.Run = k.Against
	return other, k.Against != 0
}

// String writes the key for messages: run/sample.pass, or
// run:against/sample.pass of a pair.
func (k ItemKey) String() string {
	if k.Against == 0 {
		return k.Key.String()
	}
	return fmt.Sprintf("%d:%d/%d.%d", k.Run, k.Against, k.Sample, k.Pass)
}

// Compare orders keys by run, sample, pass and the other run.
func (k ItemKey) Compare(o ItemKey) int {
	return cmp.Or(
		cmp.Compare(k.Run, o.Run), cmp.Compare(k.Sample, o.Sample),
		cmp.Compare(k.Pass, o.Pass), cmp.Compare(k.Against, o.Against),
	)
}

// Hash is the place of an item in the draws of a seed: the first 8 bytes of
// SHA-256 over seed, run, sample and pass, and of a pair the other run too,
// big-endian. It is cryptographic not against anybody, but so that
// neighbouring keys and seeds are unrelated, and so that others can recompute
// it.
func (k ItemKey) Hash(seed uint64) uint64 {
	b := make([]byte, 0, 29)
	b = binary.BigEndian.AppendUint64(b, seed)
	b = binary.BigEndian.AppendUint64(b, uint64(k.Run))
	b = binary.BigEndian.AppendUint32(b, uint32(k.Sample))
	b = append(b, byte(k.Pass))
	if k.Against != 0 {
		b = binary.BigEndian.AppendUint64(b, uint64(k.Against))
	}
	sum := sha256.Sum256(b)
	return binary.BigEndian.Uint64(sum[:8])
}

// Item is what a person sees of what is to be judged: everything needed to
// judge it, and nothing that would answer for them. It has no truth, no
// model's name, no machine's reading and nobody's label, and so cannot show
// them.
type Item struct {
	Queue      QueueName
	Index      int
	Key        ItemKey
	Kind       eval.Kind
	Sample     eval.SampleID
	Question   string
	Hint       string
	Options    []eval.Option // as shown in the item's pass
	Pictures   []eval.Picture
	Prediction string // "" for a sample alone
	Truncated  bool   // the endpoint cut the answer off
	Against    string // the other answer of a pair
	AgainstCut bool   // and whether that one was cut off
	Type       eval.QuestionType
	Criteria   string // of a pair, as text, where the queue shows them; "" for none
	Revision   string // their hash, as Reading.Criteria keeps it
	Reference  string // of an open answer that is to be scored: the right one; "" without
}

// Guide is what curators made of a sample: the question's type, and the
// criteria that stand, as text and by their hash; "" for none.
type Guide struct {
	Type     eval.QuestionType
	Criteria string
	Revision string
}

// Blind makes the item that a person may see, from the predictions that it is
// about: none for a sample alone, two for a pair. Of the guide a pair has the
// type, and the criteria only where its queue shows them. An open answer comes
// with the sample's reference: to score it is to compare the two, so there the
// right answer gives none away.
func Blind(q *Queue, qi QueueItem, s eval.Sample, g Guide, about ...eval.Prediction) Item {
	it := Item{
		Queue: q.Name, Index: qi.Index, Key: qi.Key,
		Kind: s.Kind, Sample: s.ID, Question: s.Question, Hint: s.Hint,
		Options: s.Options, Pictures: s.Pictures,
	}
	if len(about) > 0 {
		it.Options = about[0].Asked(&s).Options
		it.Prediction, it.Truncated = about[0].Text, cutOff(&about[0])
	}
	if len(about) == 1 && Scorable(&s) {
		it.Reference = s.Reference
	}
	if len(about) > 1 {
		it.Against, it.AgainstCut = about[1].Text, cutOff(&about[1])
		if it.Type = g.Type; q.Criteria {
			it.Criteria, it.Revision = g.Criteria, g.Revision
		}
	}
	return it
}

// Scorable reports whether an answer to the sample can be scored: it is an open
// one, and there is something to compare the answer with.
func Scorable(s *eval.Sample) bool {
	return s.Kind == eval.KindOpen && strings.TrimSpace(s.Reference) != ""
}

func cutOff(p *eval.Prediction) bool { return p.Finish == "length" }
