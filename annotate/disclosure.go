package annotate

import (
	"math"
	"slices"
	"time"

	"concord/eval"
)

// Content is what a person was shown that could answer an item for them. The
// zero value is unset.
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
func (c Content) String() string { return eval.NameOf(contentNames, c) }

// Contents are all contents.
func Contents() []Content {
	return []Content{TruthContent, ModelContent, MachineContent, JudgeContent, OthersContent, ReferenceContent}
}

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

// Informs reports whether a label, vote, score or ruling on an item is not
// blind after the disclosure, which is about the item's sample. A reference
// answer does not inform a score: to score is to compare with it.
func (d *Disclosure) Informs(it ItemKey, v Verdict) bool {
	switch {
	case d.Content == ReferenceContent && v == Scored:
		return false
	case d.Key.Run == 0: // what experts say of a candidate says nothing of a response
		return d.Content != OthersContent
	case d.Key.Sample == EverySample:
		return d.Key.Run == it.Run || d.Key.Run == it.Against
	}
	return slices.Contains(it.Responses(), d.Key)
}

// Responses are the predictions that the item is about: none for a sample
// alone, two for a pair.
func (k ItemKey) Responses() []eval.Key {
	switch other, pair := k.Other(); {
	case k.Run == 0:
		return nil
	case pair:
		return []eval.Key{k.Key, other}
	}
	return []eval.Key{k.Key}
}

// Disclose lists the disclosures of contents of an item: one for each response
// that it is about and each content, without person, place and time.
func (k ItemKey) Disclose(d eval.DatasetName, contents ...Content) []Disclosure {
	var out []Disclosure
	for _, response := range k.Responses() {
		for _, c := range contents {
			out = append(out, Disclosure{Dataset: d, Key: response, Content: c})
		}
	}
	return out
}

// OfSample is the disclosure of a content of a sample itself.
func OfSample(d eval.DatasetName, o eval.Ordinal, c Content) Disclosure {
	return Disclosure{Dataset: d, Key: eval.Key{Sample: o}, Content: c}
}
