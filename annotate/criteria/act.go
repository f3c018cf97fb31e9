package criteria

import (
	"time"

	"concord/annotate"
	"concord/eval"
)

// Kind is what a person did. The zero value is unset.
type Kind uint8

// The kinds of acts.
const (
	KindUnset        Kind = iota
	Drafted               // saved criteria that are being written; the last draft replaces those before it
	Revised               // changed criteria for a Reason
	Submitted             // handed the draft in for review
	Commented             // said something about the sample or its criteria
	RequestedChanges      // reviewed, and asked for changes
	Accepted              // reviewed, and found it good
	Verified              // an expert's confirmation of what was accepted
	Discarded             // took the sample out of the benchmark for a Reason
	Replaced              // named the sample that stands in for a discarded one
	TypeSet               // annotated or corrected the type of the question
	Assigned              // gave the sample to somebody to write; to nobody: took it away
	TookBack              // undid the act Target; taking back such an act is redo
)

var kindNames = []string{
	"", "draft", "revise", "submit", "comment", "request_changes", "accept", "verify",
	"discard", "replace", "type", "assign", "undo",
}

// String returns the name that exports use.
func (k Kind) String() string { return eval.NameOf(kindNames, k) }

// ParseKind reads what String writes.
func ParseKind(s string) (Kind, error) {
	return eval.ParseName[Kind](kindNames, s, "act")
}

// Act is one thing that a person did about the criteria of one sample: a
// fact. The acts of a sample, whoever did them, are numbered from 1 without
// gaps, and that number orders them; clocks do not.
type Act struct {
	Dataset  eval.DatasetName
	Sample   eval.Ordinal
	N        uint32
	Kind     Kind
	Who      annotate.Annotator
	Round    int // of the review that it was done in, from 1; 0: before the first
	Criteria []Criterion
	Type     eval.QuestionType  // TypeSet
	Reason   string             // Revised, Discarded: required; TypeSet: optional
	Text     string             // Commented, RequestedChanges: required; Accepted, Verified: optional
	Ticks    []Tick             // RequestedChanges, Accepted, Verified, Commented
	Assignee annotate.Annotator // Assigned; "": nobody
	Other    eval.SampleID      // Replaced: the sample that stands in
	Target   uint32             // TookBack: the N of the act taken back
	Imported bool               // read from a file, not typed here
	At       time.Time
}
