package eval

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
func (s Status) String() string { return NameOf(statusNames[:], s) }

// ParseStatus reads what String writes.
func ParseStatus(s string) (Status, error) {
	return ParseName[Status](statusNames[:], s, "status")
}

// Extraction is what an extractor read out of a prediction. Choice is set
// exactly when Status is Found; Method names the rule or the judge's step.
type Extraction struct {
	Choice Choice
	Status Status
	Method string
}

// Fallback is the method of a choice that was drawn at random because nobody
// could read one (MMBench, Sec. 3, step 3). Such a choice counts as found, and
// is counted apart.
const Fallback = "fallback"

// IsFound reports whether one option was read.
func (e Extraction) IsFound() bool { return e.Status == Found }

// IsUnparsable reports whether it was read, and no option was found: a task
// for a judge or a person.
func (e Extraction) IsUnparsable() bool { return e.Status != Found && e.Status != StatusUnset }

// X is the paper's pseudo-choice: whatever is not one option counts as it in
// alignment rates (MMBench App. D.1). It is in lower case because questions
// with 24 options have an option X.
const X Choice = "x"

// Class is the extraction as alignment compares it: the choice, or X.
func (e Extraction) Class() Choice {
	if e.Status == Found {
		return e.Choice
	}
	return X
}

// Reader reads a choice out of a model's raw text. Readers are pure: the
// same kind, options and text give the same extraction for the same version.
type Reader interface {
	// Name is the rule set's name as --rules takes it.
	Name() string
	// Version changes whenever the same text may be read otherwise.
	Version() string
	// Read reads text as an answer to a question of that kind with these
	// options. Answers of a kind that the reader has no rules for are not
	// read: their extraction is the zero one.
	Read(kind Kind, options []Option, text string) Extraction
}

// Read is what the reader makes of a prediction of the sample. A failed call
// has no text, and is not read either.
func Read(r Reader, s *Sample, p *Prediction) Extraction {
	if p.Failure != nil {
		return Extraction{}
	}
	return ReadText(r, s.Kind, p.Asked(s).Options, p.Text)
}

// ReadText is what the reader makes of a text. An answer that the reader
// panics over is one in which nothing could be read: it was paid for, and
// another version of the rules may read it.
func ReadText(r Reader, kind Kind, options []Option, text string) (e Extraction) {
	defer func() {
		if recover() != nil {
			e = Extraction{Status: Missing, Method: "panic"}
		}
	}()
	return r.Read(kind, options, text)
}
