package annotate

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"concord/eval"
)

// ItemKey is what an item of a queue is about: a prediction; or, with Against, a pair of predictions by
// two runs on one sample and pass; or, with no run, a sample alone, of the dataset of the queue's rule.
type ItemKey struct {
	eval.Key
	Against eval.RunID // the other run of a pair; 0: no pair
}

// NewItemKey gives the key of an item about one prediction.
func NewItemKey(k eval.Key) ItemKey { return ItemKey{Key: k} }

// SecondKey is the second prediction of a pair; false when the item is none.
func (k ItemKey) SecondKey() (eval.Key, bool) {
	other := k.Key
	other.Run = k.Against
	return other, k.Against != 0
}

// String writes the key for messages: run/sample.pass, or run:against/sample.pass of a pair.
func (k ItemKey) String() string {
	if k.Against == 0 {
		return k.Key.String()
	}
	return fmt.Sprintf("%d:%d/%d.%d", k.Run, k.Against, k.Sample, k.Pass)
}

// Compare orders keys by run, sample, pass and the other run.
func (k ItemKey) Compare(o ItemKey) int {
	return cmp.Or(cmp.Compare(k.Run, o.Run), cmp.Compare(k.Sample, o.Sample), cmp.Compare(k.Pass, o.Pass), cmp.Compare(k.Against, o.Against))
}

// DrawHash draws the place of an item in the draws of a seed: the first 8 bytes of SHA-256 over seed,
// run, sample and pass, and of a pair the other run too, big-endian. It is cryptographic not against
// anybody, but so that neighbouring keys and seeds are unrelated, and so that others can recompute it.
func (k ItemKey) DrawHash(seed uint64) uint64 {
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

// Item is what a person sees of what is to be judged: everything needed to judge it, and
// nothing that would answer for them. It has no truth, no model's name, no machine's reading
// and nobody's label, and so cannot show them.
type Item struct {
	Queue          QueueName
	Index          int
	Key            ItemKey
	Kind           eval.Kind
	Sample         eval.SampleID
	Question, Hint string
	Options        []eval.Option // as shown in the item's pass
	Pictures       []eval.Picture
	Prediction     string // "" for a sample alone
	Truncated      bool   // the endpoint cut the answer off
	Against        string // the other answer of a pair
	AgainstCut     bool   // and whether that one was cut off
	Type           eval.QuestionType
	Criteria       string      // of a pair, as text, where the queue shows them; "" for none
	Revision       string      // their hash, as Reading.Criteria keeps it
	Reference      string      // of an open answer that is to be scored: the right one; "" without
	Rubric         []Criterion // of a response that is to be graded; nil without
	Labels         string      // the set that Options are of, where the queue has one of its own; "" without
}

// Guide is what curators made of a sample: the question's type, and the
// criteria that stand, as text and by their hash, "" for none, and one by one.
type Guide struct {
	Type               eval.QuestionType
	Criteria, Revision string
	Rubric             []Criterion
}

// NewBlindItem makes the item that a person may see, from the predictions that it is about: none for a
// sample alone, two for a pair. Of the guide a pair has the type, and the criteria only where its queue
// shows them; a response to be graded has the criteria alone. Where the queue has labels of its own they
// are the options, and those of the sample stand below its question. Another open answer comes with the
// sample's reference: to score it is to compare the two, so there the right answer gives none away.
func NewBlindItem(q *Queue, qi QueueItem, s eval.Sample, g Guide, about ...eval.Prediction) Item {
	it := Item{Queue: q.Name, Index: qi.Index, Key: qi.Key, Kind: s.Kind, Sample: s.ID, Question: s.Question, Hint: s.Hint, Options: s.Options, Pictures: s.Pictures}
	if len(about) > 0 {
		it.Options = about[0].ShownQuestion(&s).Options
		it.Prediction, it.Truncated = about[0].Text, isCutOff(&about[0])
	}
	switch {
	case q.Labels.Name != "":
		it.Labels, it.Options = q.Labels.Name, q.Labels.Options
		for _, o := range about[0].ShownQuestion(&s).Options {
			it.Question += fmt.Sprintf("\n%s. %s", o.Letter, o.Text)
		}
	case q.Rule.From == FromCriteria:
		it.Rubric = g.Rubric
	case len(about) == 1 && IsScorable(&s):
		it.Reference = s.Reference
	}
	if len(about) > 1 {
		it.Against, it.AgainstCut = about[1].Text, isCutOff(&about[1])
		if it.Type = g.Type; q.Criteria {
			it.Criteria, it.Revision = g.Criteria, g.Revision
		}
	}
	return it
}

// IsScorable reports whether an answer to the sample can be scored: it is an open
// one, and there is something to compare the answer with.
func IsScorable(s *eval.Sample) bool {
	return s.Kind == eval.KindOpen && strings.TrimSpace(s.Reference) != ""
}

func isCutOff(p *eval.Prediction) bool { return p.Finish == "length" }

// Errors of queues and acts.
var (
	ErrQueueExists = errors.New("queue exists")
	ErrConflict    = errors.New("acts out of order: somebody else works under this name")
	ErrBlind       = errors.New("not shown before your own answer")
	ErrPairs       = errors.New("it is for votes, and holds no labels")
	ErrGrades      = errors.New("it is for grades, and holds no labels")
	ErrTaken       = errors.New("others have given all the labels that the item takes")
)

// TakenError is ErrTaken with the act that it is about.
type TakenError struct {
	N    uint32
	Item ItemKey
}

func (e *TakenError) Error() string { return fmt.Sprintf("item %s: %v", e.Item, ErrTaken) }

// Unwrap gives ErrTaken.
func (e *TakenError) Unwrap() error { return ErrTaken }

// Content is what a person was shown that could answer an item for them. The zero value is unset.
type Content uint8

// The contents.
const (
	ContentUnset     Content = iota
	TruthContent             // the ground truth of a sample, or a verdict that follows from it
	ModelContent             // which model gave a response
	MachineContent           // what rules extracted from a response
	JudgeContent             // a judge's reading, score or vote
	OthersContent            // other people's labels, votes, rulings or verdicts
	ReferenceContent         // the reference answer that stands beside an open response to be scored
)

var contentNames = []string{"", "truth", "model", "machine", "judge", "others", "reference"}

// String returns the name that the log uses.
func (c Content) String() string { return eval.EnumName(contentNames, c) }

// EverySample stands for all samples of a run, or of a dataset, in a
// Disclosure: a command has printed all of them.
const EverySample eval.Ordinal = math.MaxUint32

// Unnamed stands for a person who has not given a name yet. What they were
// shown is theirs once they give one.
const Unnamed = "(unnamed)"

// Disclosure is a fact: a person was shown something of a response, whatever
// queue, screen or command showed it. Only the first time of each content is
// kept. With run 0 it is about the sample, and so about every response to it.
type Disclosure struct {
	Person  Annotator
	Dataset eval.DatasetName
	Key     eval.Key
	Content Content
	Screen  string // where
	At      time.Time
}

// MakesInformed reports whether a label, vote, score or ruling on an item is not
// blind after the disclosure, which is about the item's sample. A reference
// answer does not inform a score: to score is to compare with it.
func (d *Disclosure) MakesInformed(it ItemKey, v ReadingKind) bool {
	switch {
	case d.Content == ReferenceContent && v == Scored:
		return false
	case d.Key.Run == 0: // what experts say of a candidate says nothing of a response
		return d.Content != OthersContent
	case d.Key.Sample == EverySample:
		return d.Key.Run == it.Run || d.Key.Run == it.Against
	}
	return slices.Contains(it.ResponseKeys(), d.Key)
}

// ResponseKeys are the predictions that the item is about: none for a sample alone, two for a pair.
func (k ItemKey) ResponseKeys() []eval.Key {
	switch other, pair := k.SecondKey(); {
	case k.Run == 0:
		return nil
	case pair:
		return []eval.Key{k.Key, other}
	}
	return []eval.Key{k.Key}
}

// NewDisclosures lists the disclosures of contents of an item: one for each response
// that it is about and each content, without person, place and time.
func (k ItemKey) NewDisclosures(d eval.DatasetName, contents ...Content) []Disclosure {
	return eval.FlatMap(k.ResponseKeys(), func(response eval.Key) []Disclosure {
		return eval.Map(contents, func(c Content) Disclosure { return Disclosure{Dataset: d, Key: response, Content: c} })
	})
}

// NewSampleDisclosure gives the disclosure of a content of a sample itself.
func NewSampleDisclosure(d eval.DatasetName, o eval.Ordinal, c Content) Disclosure {
	return Disclosure{Dataset: d, Key: eval.Key{Sample: o}, Content: c}
}

// Role is what somebody does in a project that several people work on. It decides what their sessions
// offer (May); what they may see of an item, the visibility policy decides, whatever their role.
type Role uint8

// The roles.
const (
	RoleUnset       Role = iota // none of their own: known by the key of a file that is served with
	RoleNone                    // comes in no more; what they did stays
	RoleAnnotator               // labels and votes
	RoleCurator                 // and writes guidelines and criteria, and curates pools
	RoleAdjudicator             // labels, settles what people differ on, and reads reports
	RoleOwner                   // everything: runs, queues, people
)

var roleNames = []string{"", "none", "annotator", "curator", "adjudicator", "owner"}

// String returns the name that commands take.
func (r Role) String() string { return eval.EnumName(roleNames, r) }

// ParseRole reads what String writes.
func ParseRole(s string) (Role, error) { return eval.ParseEnum[Role](roleNames, s, "role") }

// Person is who may work on a project from elsewhere. Each change is a version
// of its own, so that it is known since when somebody had which role.
type Person struct {
	Name    Annotator
	Role    Role
	Keys    []string // public keys of theirs, as an authorized_keys file writes them, without comment
	Version int      // from 1
	By      Annotator
	At      time.Time
}

// NextVersion gives the version that follows p. A zero p is nobody yet.
func (p Person) NextVersion(role Role, keys []string, by Annotator, at time.Time) (Person, error) {
	if role == RoleUnset {
		return p, fmt.Errorf("person %s: no role", p.Name)
	}
	return Person{Name: p.Name, Role: role, Keys: keys, Version: p.Version + 1, By: by, At: at}, nil
}

// Lease says that somebody has an item in front of them, so that it is offered
// to nobody else beyond what it wants.
type Lease struct {
	Item  ItemKey
	Who   Annotator
	Until time.Time
}
