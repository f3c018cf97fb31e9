package eval

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// RunID numbers the runs of a project, from 1.
type RunID uint64

// Strategy is how a run asks multiple-choice questions.
type Strategy uint8

// The strategies.
const (
	StrategyUnset Strategy = iota
	Vanilla                // pass 0 only
	Circular               // every rotation, until one is found and wrong
)

var strategyNames = [...]string{"", "vanilla", "circular"}

// String returns the name that flags and reports use.
func (s Strategy) String() string { return EnumName(strategyNames[:], s) }

// ParseStrategy reads what String writes.
func ParseStrategy(s string) (Strategy, error) {
	return ParseEnum[Strategy](strategyNames[:], s, "strategy")
}

// Modality is what the model is given beside the text (MMStar, Sec. 4.3).
type Modality uint8

// The modalities.
const (
	ModalityUnset Modality = iota
	WithImage              // the sample's pictures
	TextOnly               // no picture
	GreyImage              // a plain grey picture, for models that demand one
	BaseText               // text only, asked of the model's language base
	WithoutImages          // as with images, where some or all of them are lacking and it was asked all the same
)

var modalityNames = [...]string{"", "image", "text", "grey", "base", "without-images"}

// String returns the name that flags and reports use.
func (m Modality) String() string { return EnumName(modalityNames[:], m) }

// ParseModality reads what String writes.
func ParseModality(s string) (Modality, error) {
	return ParseEnum[Modality](modalityNames[:], s, "modality")
}

// Origin tells where a run's predictions come from.
type Origin uint8

// The origins.
const (
	OriginUnset Origin = iota
	Imported           // a file made elsewhere: it will not grow
	Asked              // asked by concord, of an endpoint
	Replayed           // recorded answers, played back by concord
)

var originNames = [...]string{"", "imported", "asked", "replayed"}

// String returns the name of the origin.
func (o Origin) String() string { return EnumName(originNames[:], o) }

// Config is everything that decides what a run does. It is fixed when the run is created; another
// configuration is another run. Where it is imported, what is not known of how it was made is empty.
type Config struct {
	Dataset   DatasetName
	Model     string
	Strategy  Strategy
	Modality  Modality
	Origin    Origin
	AllPasses bool   // circular without early stop
	Rules     string // name of the rule set that decides early stop
	Synthetic bool   // recorded answers that the project wrote itself
	File      string // base name of the imported file
	Settings  Settings
}

// DecidingJudge names the judge whose reading decides, where the rules cannot,
// whether a pass ends its question; "" when the rules decide alone.
func (c *Config) DecidingJudge() string {
	if len(c.Settings.Judges) == 0 {
		return ""
	}
	return c.Settings.Judges[0].Judge
}

// Settings are how a model of an endpoint is asked: the part of a Config that only concord's own runs have.
type Settings struct {
	Endpoint  string      // base URL, without credentials
	Name      string      // the model as the endpoint calls it
	Params    string      // the request's parameters as canonical JSON, and image_detail
	Prompts   []PromptRef // templates that the run fills in, by name and language
	Language  string      // "en" or "zh": forced; "": by the question
	Edge      int         // pictures are scaled down to this longer edge, in pixels; 0: never
	Shots     int         // worked examples before the question
	Exemplars []Exemplar  // what they are drawn from, in order
	Judges    []JudgeSetup
	Fallback  bool   // MMBench step 3: what the judge cannot read is drawn at random
	Seed      uint64 // of that draw
}

// Batch is a batch of a run's calls that was submitted to a vendor.
type Batch struct {
	Run      RunID
	File     string    // the vendor's name of the calls
	ID       string    // the vendor's name of the batch; "" until it is known
	Endpoint string    // as the configuration names it
	Judge    string    // whose calls they are; "": the model's
	Made     time.Time // submitted
	Taken    time.Time // when its results were taken; zero: they are to come
}

// ImageDetails are the words for how closely an endpoint reads images.
var ImageDetails = []string{"low", "high", "auto"}

// PromptRef names the text of a prompt template. Its text is kept by Hash.
type PromptRef struct {
	Name     string `json:"name"`
	Language string `json:"language"`
	Version  string `json:"version"` // as the template says; "file" for one that says nothing
	Hash     string `json:"sha256"`  // of the template's text, hexadecimal
}

// Exemplar is a worked example of a k-shot prompt.
type Exemplar struct {
	Sample   SampleID // "" when it is from no dataset
	Question string
	Options  []Option
	Answer   Choice
}

// JudgeSetup is a judge with its settings. The first judge of a run decides,
// where the rules cannot, whether a pass ends its question.
type JudgeSetup struct {
	Judge    string // as reports name it
	Endpoint string
	Name     string // the model as the endpoint calls it
	Params   string // the request's parameters as canonical JSON
	Prompts  []PromptRef
	Language string
	Pseudo   Choice // the letter for "none of the options"
	Edge     int    // pictures that it sees are scaled down to this longer edge, in pixels; 0: never
}

// Run is one model on one dataset under one fixed configuration. Whole says of an imported run that its
// file was read to the end; other runs are whole when no question is left to ask, which their counts tell.
type Run struct {
	ID      RunID
	Config  Config
	Created time.Time
	Whole   bool
	Ended   string // why it ended before it was done, the last time; "" also where it was killed
	// Setting is what Distinguish says, for whoever reads several runs; it is not stored.
	Setting string
}

// RunsOfModel are the runs on a dataset whose answers a model's are: those of its own that were
// asked for, else all. A number that is another model's run leaves this one's as they are.
func RunsOfModel(all []Run, d DatasetName, model string, asked []RunID) []Run {
	var found, named []Run
	for _, r := range all {
		if r.Config.Dataset != d || r.Config.Model != model {
			continue
		}
		found = append(found, r)
		if slices.Contains(asked, r.ID) {
			named = append(named, r)
		}
	}
	return Either(len(named) > 0, named, found)
}

// Counts are a run's totals, kept in the transaction of the fact that changes them: no screen scans.
type Counts struct {
	Predictions int           // recorded, failures included
	Failures    int           // predictions that are failures now
	Questions   int           // questions that need no further pass
	Statuses    [Statuses]int // of the predictions that are no failures
	Reader      string        // name@version of the reader behind Statuses
	Usage       Usage         // of every call recorded, failed ones included
}

// Add adds o to c; both must be of the same reader.
func (c *Counts) Add(o Counts) {
	c.Predictions += o.Predictions
	c.Failures += o.Failures
	c.Questions += o.Questions
	c.Usage.Add(o.Usage)
	for i, n := range o.Statuses {
		c.Statuses[i] += n
	}
}

// CountFact counts a recorded fact; replaced tells that it takes the place of a
// failure. Whose reading it is, is the caller's to keep in Reader.
func (c *Counts) CountFact(f *Fact, replaced bool) {
	if replaced {
		c.Failures--
	} else {
		c.Predictions++
	}
	if f.Prediction.Failure != nil {
		c.Failures++
	} else {
		c.Statuses[f.Reading.Status]++
	}
	if f.Closes {
		c.Questions++
	}
	c.Usage.Add(f.Prediction.Usage)
}

// CountUnparsed is how many predictions the rules read no choice from. Those of
// a kind that they do not read are none of them.
func (c Counts) CountUnparsed() int {
	return c.Predictions - c.Failures - c.Statuses[Found] - c.Statuses[StatusUnset]
}

// Fact is a prediction on its way into storage, with the reading that the
// run's reader gave it and whether it closes its question. The reading is an
// opinion that storage only counts; the prediction is what is kept.
type Fact struct {
	Prediction Prediction
	Reading    Extraction
	Reader     string // name@version of the reader behind Reading
	Closes     bool   // no further pass of this question will be asked
}

// Recorder makes facts durable.
type Recorder interface {
	// Record returns once the fact is committed. A prediction that is there
	// already, and is no failure, is left alone and gives ErrRecorded.
	Record(ctx context.Context, f Fact) error
}

// ReaderID is how a reader is named in facts and counts: name@version.
func ReaderID(r Reader) string { return r.Name() + "@" + r.Version() }

// IsVolatile reports whether a reader may read a text otherwise next time under the same version, as a
// program does that is not ours: what it read is not kept.
func IsVolatile(r Reader) bool {
	v, ok := r.(interface{ IsVolatile() bool })
	return ok && v.IsVolatile()
}

// EnumName is the name of an enumeration's value, out of all names in their order.
func EnumName[T ~uint8](names []string, v T) string {
	if int(v) >= len(names) {
		return fmt.Sprintf("invalid(%d)", v)
	}
	return names[v]
}

// ParseEnum finds the value with a name. What is the enumeration, for errors; a value named "" has none.
func ParseEnum[T ~uint8](names []string, s, what string) (T, error) {
	if i := slices.Index(names, s); i >= 0 && s != "" {
		return T(i), nil
	}
	known := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "" })
	return 0, fmt.Errorf("unknown %s %.40q: want one of %s", what, s, strings.Join(known, ", "))
}

// CountsOfQuestion counts what one question adds to its run's totals, as r reads it: for counting a run anew
// when the rules have changed. Of the judges it knows the one that decides, by the question's Judgments.
// The usage is that of the predictions that are there, without failures that answers took the place of.
func CountsOfQuestion(c Config, q *Question, r Reader) Counts {
	out := Counts{Predictions: len(q.Predictions), Reader: ReaderID(r)}
	passes := make([]PassState, q.Sample.PassCount())
	for i := range q.Predictions {
		p := &q.Predictions[i]
		out.Usage.Add(p.Usage)
		reading := ReadPrediction(r, &q.Sample, p)
		if p.Failure != nil {
			out.Failures++
		} else {
			out.Statuses[reading.Status]++
		}
		if int(p.Pass) < len(passes) {
			passes[p.Pass] = StateOfPass(p, p.ShownQuestion(&q.Sample), reading, c.DecidingJudge(), q.Judgments)
		}
	}
	done := c.Origin == Imported && len(q.Predictions) > 0 // a file does not grow
	if done || IsClosed(c.Strategy, c.AllPasses, passes, len(passes)) {
		out.Questions = 1
	}
	return out
}

// Card says what a model is. Reports group by it and link by it: a
// vision-language model to its language base (MMStar, Sec. 4.3), models by
// size and by openness (MMBench Tables 3 and 6). Empty fields are not known.
type Card struct {
	Model        string        // as runs name it
	Display      string        `toml:"display"`       // as tables print it; "": as runs name it
	Parameters   float64       `toml:"parameters"`    // billions; 0: not known
	Trainable    float64       `toml:"trainable"`     // of those, billions; 0: not known
	LanguageBase string        `toml:"language_base"` // the model that it was built on, as runs name that
	Vision       string        `toml:"vision"`        // its vision backbone
	Open         WeightsAccess `toml:"open"`
}

// WeightsAccess tells whether a model's weights can be had.
type WeightsAccess uint8

// The degrees of openness.
const (
	OpennessUnset WeightsAccess = iota
	OpenWeights
	Closed
)

var opennessNames = [...]string{"", "open", "closed"}

// String returns the name that files and reports use.
func (o WeightsAccess) String() string { return EnumName(opennessNames[:], o) }

// ParseWeightsAccess reads what String writes.
func ParseWeightsAccess(s string) (WeightsAccess, error) {
	return ParseEnum[WeightsAccess](opennessNames[:], s, "openness")
}

// candidateHash is how many digits of its settings' hash stand in a candidate's name, behind the judge's.
const candidateHash = 8

// CandidateMark stands between them; models have hyphens and dates in their names.
const CandidateMark = "~"

// NameCandidate names a judge as it is asked by the settings of that hash.
func NameCandidate(judge, hash string) string { return judge + CandidateMark + hash[:candidateHash] }

// JudgeOfCandidate is the judge whose candidate the name is; "" of another name.
func JudgeOfCandidate(name string) string {
	at := strings.LastIndex(name, CandidateMark)
	if at < 0 || len(name)-at != len(CandidateMark)+candidateHash || strings.Trim(name[at+len(CandidateMark):], "0123456789abcdef") != "" {
		return ""
	}
	return name[:at]
}
