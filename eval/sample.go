package eval

import (
	"strings"
)

// DatasetName names a dataset within a project.
type DatasetName string

// SampleID is a sample's identity as its benchmark writes it: the index cell,
// less the offset of the circular layout.
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
func (k Kind) String() string { return NameOf(kindNames[:], k) }

// ParseKind reads what String writes.
func ParseKind(s string) (Kind, error) {
	return ParseName[Kind](kindNames[:], s, "kind")
}

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
func (t QuestionType) String() string { return NameOf(questionTypeNames[:], t) }

// ParseQuestionType reads what String writes.
func ParseQuestionType(s string) (QuestionType, error) {
	return ParseName[QuestionType](questionTypeNames[:], s, "question type")
}

// Choice is what an answer picks: an option's upper-case letter "A" to "Z",
// or "yes" or "no". Empty means that nothing was picked; the status beside it
// says why.
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
	Ordinal  Ordinal
	ID       SampleID
	Kind     Kind
	Question string
	Hint     string
	Options  []Option // in the order shown; letters may have gaps
	Answer   Choice   // empty: no ground truth
	Pictures []Picture
	Taxonomy []string // from coarse to fine
	Split    string
	Source   string // the benchmark that the sample was taken from
	Type     QuestionType

	// Reference is what an open sample's file gives as its answer, in whatever
	// words; "" for none. Nothing compares an answer with it by itself.
	Reference string
	// References are all that the file gives, where it gives several: the answers
	// of several people, or spellings that are all right. Reference is the first.
	// Of a choice they are letters, each of which is right.
	References []string
	// Metric is how an answer is compared, as eval/metric names it; "": by the kind.
	Metric string
	// Groups are the sets of samples that count together: a set's name, and which
	// one of these the sample is in.
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

// Column is the cell of a named column.
type Column struct{ Name, Value string }

// Dataset describes a dataset; its samples are read apart.
type Dataset struct {
	Name      DatasetName
	Samples   int
	NoTruth   int    // samples without a ground truth
	Circular  bool   // the file had the circular layout
	Coarse    bool   // the file wrote the level before the last beside it, as l2-category (MMBench); MMStar's l2_category is finer
	Added     int    // of Samples: added here, behind those of the file
	Hash      string // of the file's samples' text, so that other content is told apart
	Complete  bool   // false while an import has not finished
	Synthetic bool   // made by the project itself for its demo
	Origin    string // base name of the file that it came from
	Metric    string // of its score, as eval/metric names it; "": accuracy
}

// Path joins a taxonomy path for display.
func Path(levels []string) string { return strings.Join(levels, " / ") }
