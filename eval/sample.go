package eval

import (
	"context"
	"strings"
	"time"
)

// DatasetName names a dataset within a project.
type DatasetName string

// SampleID is a sample's id as its benchmark writes it: the index cell, less the circular layout's offset.
type SampleID string

// Ordinal is a sample's position in its dataset, from 0.
type Ordinal uint32

// Kind tells what form of answer a sample asks for. The zero value is unset.
type Kind uint8

// The kinds of samples.
const (
	KindUnset  Kind = iota
	KindChoice      // one of 1 to 26 options
	KindYesNo       // yes or no
	KindOpen        // free text
)

var kindNames = [...]string{"", "choice", "yesno", "open"}

// String returns the name that files and flags use.
func (k Kind) String() string { return EnumName(kindNames[:], k) }

// ParseKind reads what String writes.
func ParseKind(s string) (Kind, error) { return ParseEnum[Kind](kindNames[:], s, "kind") }

// QuestionType tells how much room a question leaves its answer (MLLM-Bench,
// Sec. 4). The zero value is unset: the file says nothing that is a type.
type QuestionType uint8

// The types of questions.
const (
	TypeUnset   QuestionType = iota
	OpenEnded                // many answers may be good
	ClosedEnded              // there is one right answer
	Compound                 // parts of both
)

// QuestionTypes is how many types there are, for arrays indexed by QuestionType.
const QuestionTypes = int(Compound) + 1

var questionTypeNames = [...]string{"", "open-ended", "closed-ended", "compound"}

// String returns the name that files and reports use.
func (t QuestionType) String() string { return EnumName(questionTypeNames[:], t) }

// ParseQuestionType reads what String writes.
func ParseQuestionType(s string) (QuestionType, error) {
	return ParseEnum[QuestionType](questionTypeNames[:], s, "question type")
}

// Choice is what an answer picks: an option's upper-case letter "A" to "Z", or "yes" or "no".
// Empty means that nothing was picked; the status beside it says why.
type Choice string

// The choices of a yes/no sample.
const (
	Yes Choice = "yes"
	No  Choice = "no"
)

// Option is one option as it is shown: its letter and its text.
type Option struct {
	Letter Choice
	Text   string
}

// PictureHash is the SHA-256 of a picture's bytes in lower-case hexadecimal.
type PictureHash string

// Picture is a picture of a sample. A picture that was only referred to, and
// whose bytes the project does not hold, has no Hash.
type Picture struct {
	Hash PictureHash
	Name string // file name or reference as the source gave it
}

// Sample is one item of a benchmark, as asked in pass 0.
type Sample struct {
	Ordinal        Ordinal
	ID             SampleID
	Kind           Kind
	Question, Hint string
	Options        []Option // in the order shown; letters may have gaps
	Answer         Choice   // empty: no ground truth
	Pictures       []Picture
	Taxonomy       []string // from coarse to fine
	Split          string
	Source         string // the benchmark that the sample was taken from
	Type           QuestionType

	// Reference is what an open sample's file gives as its answer, in whatever
	// words; "" for none. Nothing compares an answer with it by itself.
	Reference string
	// References are all that the file gives, where it gives several: the answers
	// of several people, or spellings that are all right. Reference is the first.
	// Of a choice they are letters, each of which is right.
	References []string
	// Metric is how an answer is compared, as eval/metric names it; "": by the kind.
	Metric string
	// Groups are the sets of samples that count together: a set's name, and in which one the sample is.
	Groups []Column
	// Also are further paths under which the sample counts, beside Taxonomy.
	Also [][]string

	// Columns are the short cells of the file's further columns, which mean
	// nothing here: what they name may be shared by samples.
	Columns []Column
	// Cluster is what the sample shares with others, as whoever reads it asked:
	// it is found out for each reading, and not stored. "" is the sample's image.
	Cluster string
}

// HasTruth tells whether the sample has a ground truth: a choice, or the text of an answer.
func (s *Sample) HasTruth() bool { return s.Answer != "" || s.Reference != "" }

// Column is the cell of a named column.
type Column struct{ Name, Value string }

// Dataset describes a dataset; its samples are read apart.
type Dataset struct {
	Name      DatasetName
	Samples   int
	NoTruth   int    // samples without a ground truth (HasTruth)
	Circular  bool   // the file had the circular layout
	Coarse    bool   // the file wrote the level before the last beside it, as l2-category (MMBench); MMStar's l2_category is finer
	Added     int    // of Samples: added here, behind those of the file
	Hash      string // of the file's samples' text, so that other content is told apart
	Complete  bool   // false while an import has not finished
	Synthetic bool   // made by the project itself for its demo
	Origin    string // base name of the file that it came from
	Metric    string // of its score, as eval/metric names it; "": accuracy
}

// LevelOrder is the order in which a dataset's samples first name its levels.
type LevelOrder map[string]int

// AddPath takes in the levels of a path.
func (o LevelOrder) AddPath(path []string) {
	for i := range path {
		GetOrAdd(o, JoinPath(path[:i+1]), func() int { return len(o) })
	}
}

// Compare orders paths that were added, a level before those below it.
func (o LevelOrder) Compare(a, b []string) int {
	for i := range min(len(a), len(b)) {
		if c := o[JoinPath(a[:i+1])] - o[JoinPath(b[:i+1])]; c != 0 {
			return c
		}
	}
	return len(a) - len(b)
}

// JoinPath joins a taxonomy path for display.
func JoinPath(levels []string) string { return strings.Join(levels, " / ") }

// Detection is an object that a detector found in a sample's picture, which
// stands for the picture where a judge is shown none (MLLM-Bench, App. F).
type Detection struct {
	Label      string
	Confidence float64 // 0 to 1
	X1, Y1     float64 // upper left corner of its box, from the picture's upper left
	X2, Y2     float64 // lower right corner
}

// Detected is what a detector found in a sample's picture: a fact. No objects is a finding too.
type Detected struct {
	Dataset DatasetName
	Sample  Ordinal
	Objects []Detection
	At      time.Time
}

// Pass is one rotation of a sample's options under CircularEval; pass 0 is as written (MMBench, Sec. 4.2).
type Pass uint8

// PassCount is how many passes CircularEval asks of the sample: one for each
// option, and one for samples that are not multiple choice.
func (s *Sample) PassCount() int { return Either(s.Kind == KindChoice, max(1, len(s.Options)), 1) }

// Shown is a question as asked in one pass: the options in its order, and the letter that is right there.
type Shown struct {
	Options []Option
	Answer  Choice
}

// ShowInPass returns the sample as asked in pass p. The letters stay in place and the texts move on:
// the text at position k of pass 0 stands at position (k + p) mod n, and the answer moves along.
func (s *Sample) ShowInPass(p Pass) Shown {
	n := len(s.Options)
	if n == 0 || s.Kind != KindChoice || int(p)%n == 0 {
		return Shown{Options: s.Options, Answer: s.Answer}
	}
	out := Shown{Options: make([]Option, n)}
	for k, o := range s.Options {
		to := (k + int(p)) % n
		out.Options[to] = Option{Letter: s.Options[to].Letter, Text: o.Text}
		if o.Letter == s.Answer {
			out.Answer = s.Options[to].Letter
		}
	}
	return out
}

// Caption is a model's description of a sample's picture, which stands for the picture where a
// judge is shown none (MLLM-Bench, App. F.6): a fact. A call that failed has a Failure. Of
// several captions by one model the newest that did not fail counts.
type Caption struct {
	Call
	Dataset DatasetName
	Sample  Ordinal
	Model   string // as reports name it
	Text    string
}

// Captioner describes pictures by asking a model. It is called from several goroutines at once
// and returns soon after ctx ends. Its errors are those of a Model; the caption beside an error
// says what the failed call cost. The engine sets Latency and At.
type Captioner interface {
	Name() string
	Caption(ctx context.Context, s Sample, pictures func(PictureHash) ([]byte, error)) (Caption, error)
}

// Status says what came out of reading a prediction. The zero value is
// unset. Absence is one of these, never a number or a magic letter.
type Status uint8

// The statuses of an extraction.
const (
	StatusUnset Status = iota // not read: neither found nor unparsable
	Found                     // one option was chosen
	None                      // the answer means none of the options (the paper's X, the kit's Z)
	Refused                   // the model declined to answer
	Ambiguous                 // several options, none of them final
	Missing                   // nothing could be read
)

// Statuses is how many statuses there are, for arrays indexed by Status.
const Statuses = int(Missing) + 1

var statusNames = [...]string{"", "found", "none", "refused", "ambiguous", "missing"}

// String returns the name that files and reports use.
func (s Status) String() string { return EnumName(statusNames[:], s) }

// ParseStatus reads what String writes.
func ParseStatus(s string) (Status, error) { return ParseEnum[Status](statusNames[:], s, "status") }

// Extraction is what an extractor read out of a prediction. Choice is set
// exactly when Status is Found; Method names the rule or the judge's step.
type Extraction struct {
	Choice Choice
	Status Status
	Method string
}

// Fallback is the method of a choice that was drawn at random because nobody could read one
// (MMBench, Sec. 3, step 3). Such a choice counts as found, and is counted apart.
const Fallback = "fallback"

// IsFound reports whether one option was read.
func (e Extraction) IsFound() bool { return e.Status == Found }

// IsUnparsable reports whether it was read, and no option was found: a task for a judge or a person.
func (e Extraction) IsUnparsable() bool { return e.Status != Found && e.Status != StatusUnset }

// X is the paper's pseudo-choice: whatever is not one option counts as it in alignment rates
// (MMBench App. D.1). It is in lower case because questions with 24 options have an option X.
const X Choice = "x"

// AlignmentClass is the extraction as alignment compares it: the choice, or X.
func (e Extraction) AlignmentClass() Choice { return Either(e.Status == Found, e.Choice, X) }

// Reader reads a choice out of a model's raw text. Readers are pure: the
// same kind, options and text give the same extraction for the same version.
type Reader interface {
	// Name is the rule set's name as --rules takes it.
	Name() string
	// Version changes whenever the same text may be read otherwise.
	Version() string
	// Read reads text as an answer to a question of that kind with these options. Answers of a
	// kind that the reader has no rules for are not read: their extraction is the zero one.
	Read(kind Kind, options []Option, text string) Extraction
}

// ReadPrediction gives what the reader makes of a prediction of the sample. A failed call
// has no text, and is not read either.
func ReadPrediction(r Reader, s *Sample, p *Prediction) Extraction {
	if p.Failure != nil {
		return Extraction{}
	}
	bare := false
	for x := p.Extracted; x != nil; x = x.Next {
		if x.isByReader(r) {
			return x.Extraction
		}
		bare = bare || x.Bare
	}
	if bare {
		panic("prediction " + p.String() + ", as " + p.Extracted.Reader + " read it, has no text for " + r.Name())
	}
	return ReadText(r, s.Kind, p.ShownQuestion(s).Options, p.Text)
}

// ReadText reads what the reader makes of a text. An answer that the reader panics over is one in which
// nothing could be read: it was paid for, and another version of the rules may read it.
func ReadText(r Reader, kind Kind, options []Option, text string) (e Extraction) {
	defer func() {
		if recover() != nil {
			e = Extraction{Status: Missing, Method: "panic"}
		}
	}()
	return r.Read(kind, options, text)
}
