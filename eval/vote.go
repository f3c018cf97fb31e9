package eval

import (
	"context"
	"regexp"
	"strconv"
	"strings"
)

// Vote is which of two answers to one question is better, as a judge or a
// person says it (MLLM-Bench, Sec. 5.1). Answer1 and Answer2 are the answers
// in the order in which they were shown. The zero value is no vote.
type Vote uint8

// The votes.
const (
	VoteUnset    Vote = iota // no vote could be read
	Answer1                  // the first answer is better
	Answer2                  // the second is
	SituationOne             // unable to decide: closed-ended, and both right or both wrong
	SituationTwo             // unable to decide: both with considerable errors of fact or ethical issues
)

// Votes is how many votes there are, for arrays indexed by Vote.
const Votes = int(SituationTwo) + 1

var voteNames = [...]string{"", "answer1", "answer2", "situation_one", "situation_two"}

// String returns the name that files and reports use.
func (v Vote) String() string { return EnumName(voteNames[:], v) }

// ParseVote reads what String writes.
func ParseVote(s string) (Vote, error) { return ParseEnum[Vote](voteNames[:], s, "vote") }

// IsDecided reports whether one of the answers was preferred.
func (v Vote) IsDecided() bool { return v == Answer1 || v == Answer2 }

// Swapped is the same vote as seen with the answers in the other order.
func (v Vote) Swapped() Vote {
	switch v {
	case Answer1:
		return Answer2
	case Answer2:
		return Answer1
	case VoteUnset, SituationOne, SituationTwo:
	}
	return v
}

// Pair is two runs' answers to one sample, in the order in which they are
// shown: First is Answer1. The pair in the other order is another Pair.
type Pair struct {
	Sample        Ordinal
	First, Second RunID
}

// Swapped is the pair in the other order.
func (p Pair) Swapped() Pair { return Pair{Sample: p.Sample, First: p.Second, Second: p.First} }

// Ballot says how a vote was asked for: one judge's ballots of the same kind
// are compared, those of different kinds are different methods.
type Ballot struct {
	Judge    string // as reports name it
	Criteria bool   // the judge saw the sample's criteria
	Input    Input  // what it saw of the picture
	Repeat   int    // from 0: the same asked again, for reproducibility
}

// Input is what a judge sees of a sample's picture. The zero value is unset.
type Input uint8

// The inputs (MLLM-Bench, App. F).
const (
	InputUnset Input = iota
	SeesImage
	SeesCaption
	SeesDetections
	SeesBoth    // caption and detections
	SeesNothing // an image was due, and there is none
)

var inputNames = [...]string{"", "image", "caption", "detections", "both", "none"}

// String returns the name that flags and reports use.
func (i Input) String() string { return EnumName(inputNames[:], i) }

// ParseInput reads what String writes.
func ParseInput(s string) (Input, error) { return ParseEnum[Input](inputNames[:], s, "input") }

// Preference is a judge's vote on one pair: a fact, with its raw reply. A
// reply that holds no vote has VoteUnset; a call that failed has a Failure.
type Preference struct {
	Pair
	Ballot
	Call
	Vote    Vote
	Raw     string
	Earlier []string // replies before Raw that did not parse, in their order
	Text    string   // hash of the criteria that it saw; "" without
	Sent    Sent
}

// VoteQuestion is what a judge is asked about two answers to one question. What a judge sees of
// it is a matter of its ballot: what is left out there need not be given.
type VoteQuestion struct {
	Sample  Sample
	Pair    Pair
	Repeat  int
	Answers [2]string // of Pair.First and of Pair.Second, raw
	Type    QuestionType

	Criteria string // as text; "" when the sample has none
	Revision string // their hash, as Preference.Text keeps it

	Pictures   func(PictureHash) ([]byte, error)
	Caption    string      // "" when none is held
	Detections []Detection // nil when none are held; empty when a detector found nothing
}

// Voter says which of two answers is better by asking a judge model. It is called from several
// goroutines at once and returns soon after ctx ends. Its errors are those of a Model; the
// preference beside an error says what the failed call cost. The engine sets Latency and At.
type Voter interface {
	Name() string
	BallotOfRepeat(repeat int) Ballot // of its votes; Judge is Name
	Vote(ctx context.Context, q VoteQuestion) (Preference, error)
}

// Comparison is two runs on one dataset that one ballot compares, whichever answer
// is shown first. A is the run with the lower number.
type Comparison struct {
	A, B RunID
	Ballot
}

// Comparison gives the comparison that the vote belongs to.
func (p *Preference) Comparison() Comparison {
	return Comparison{A: min(p.First, p.Second), B: max(p.First, p.Second), Ballot: p.Ballot}
}

// OtherRun is the run that id is compared with in the comparison; 0 when id is none of the two.
func (c *Comparison) OtherRun(id RunID) RunID {
	switch id {
	case c.A:
		return c.B
	case c.B:
		return c.A
	}
	return 0
}

// VoteCounts are a comparison's totals over pairs, each order by itself: what
// stands, kept in the transaction of the vote that changes it.
type VoteCounts struct {
	Votes    [Votes]int // VoteUnset: replies that hold no vote
	Failures int        // pairs of which every call has failed
	Usage    Usage      // of every call recorded
}

// CountAsked counts how many pairs have a reply.
func (c *VoteCounts) CountAsked() int { return Sum(c.Votes[:], func(n int) int { return n }) }

// CountVote counts a vote that is recorded behind last, the one that stood for the
// pair: nil without one. A failed call takes the place of no reply.
func (c *VoteCounts) CountVote(p, last *Preference) {
	c.Usage.Add(p.Usage)
	had := callOutcome{}
	if last != nil {
		had = callOutcome{int(last.Vote), last.HasReply(), true}
	}
	countInsteadOfOld(c.Votes[:], &c.Failures, callOutcome{int(p.Vote), p.HasReply(), true}, had)
}

// callOutcome is what a judge's call came to: a value, or a failure; or no call.
type callOutcome struct {
	value         int
	reads, called bool
}

// countInsteadOfOld counts what was said now in the place of what stood.
func countInsteadOfOld(values []int, failures *int, now, had callOutcome) {
	switch {
	case had.reads && !now.reads:
		return
	case had.reads:
		values[had.value]--
	case had.called:
		*failures--
	}
	if now.reads {
		values[now.value]++
	} else {
		*failures++
	}
}

// ComparisonProgress is a comparison and how far it has come.
type ComparisonProgress struct {
	Comparison
	Counts VoteCounts
}

// Sent is what a call sent beside its text: a fact of the call. The zero value
// is that of a call from before it was kept, of which nothing is known.
type Sent struct {
	Known   bool
	Images  int    // that went along
	Lacking int    // that the sample has or names, and that did not
	Shots   int    // worked examples before the question
	Prompt  string // hash of the prompt template
	Params  string // the request's parameters as canonical JSON, or their setup's hash

	// Of a run that workers share, who asked which endpoint; a Worker of "" is who holds the project.
	Worker, Endpoint string
}

// Part is a part of a sample as it is asked: a text, or a picture by its place in Sample.Pictures, from
// 1. Pictures that no text names, frames of a video among them, stand before the texts, in their order.
type Part struct {
	Text    string
	Picture int // 0: it is a text
}

// imageMark is where a picture stands within a text: "<image 2>".
var imageMark = regexp.MustCompile(`<image (\d{1,3})>`)

// Place is where a picture of a chat stands within the text of its first turn.
type Place struct {
	Picture int // in Chat.Pictures
	At      int // the byte before which it stands
}

// SplitAtImageMarks cuts a text where its marks name one of so many pictures, each once. A
// mark that names no other one is text.
func SplitAtImageMarks(text string, pictures int) []Part {
	var out []Part
	seen, from := make(map[int]bool), 0
	for _, m := range imageMark.FindAllStringSubmatchIndex(text, -1) {
		n, _ := strconv.Atoi(text[m[2]:m[3]])
		if n < 1 || n > pictures || seen[n] {
			continue
		}
		seen[n] = true
		if m[0] > from {
			out = append(out, Part{Text: text[from:m[0]]})
		}
		out, from = append(out, Part{Picture: n}), m[1]
	}
	if from < len(text) {
		out = append(out, Part{Text: text[from:]})
	}
	return out
}

// FormatImageMark gives the mark of the n-th picture, from 1.
func FormatImageMark(n int) string { return "<image " + strconv.Itoa(n) + ">" }

// anyMark is a mark as files write it: "<image>", "<image_2>", "<image2>".
var anyMark = regexp.MustCompile(`<image[ _]?(\d{0,3})>`)

// NumberImageMarks writes the marks of pictures in a sample's texts as they are read:
// those without a number are numbered in their order.
func NumberImageMarks(s *Sample) {
	n := 0
	number := func(mark string) string {
		if digits := anyMark.FindStringSubmatch(mark)[1]; digits != "" {
			return "<image " + digits + ">"
		}
		n++
		return FormatImageMark(n)
	}
	for _, t := range s.textsWithMarks() {
		if strings.Contains(*t, "<image") {
			*t = anyMark.ReplaceAllStringFunc(*t, number)
		}
	}
}

// CountImages counts how many images the sample has or its texts name.
func (s *Sample) CountImages() int {
	n := len(s.Pictures)
	for _, t := range s.textsWithMarks() {
		for _, m := range imageMark.FindAllStringSubmatch(*t, -1) {
			k, _ := strconv.Atoi(m[1])
			n = max(n, k)
		}
	}
	return n
}

// CountHeldImages counts how many of its images the project holds.
func (s *Sample) CountHeldImages() int {
	return Count(s.Pictures, func(p Picture) bool { return p.Hash != "" })
}

// KnownSent is what is known of what the call behind a prediction sent. Of one from before that was kept,
// the run and the sample tell it where no image can have gone along.
func (p *Prediction) KnownSent(c *Config, s *Sample) Sent {
	out := p.Sent
	none := c.Modality == TextOnly || c.Modality == BaseText || c.Origin == Asked && len(s.Pictures) == 0 && c.Modality != GreyImage
	if !out.Known && none {
		out = Sent{Known: true, Lacking: s.CountImages(), Shots: c.Settings.Shots, Params: c.Settings.Params}
	}
	return out
}

// textsWithMarks are those that may name pictures, in the order in which they are asked.
func (s *Sample) textsWithMarks() []*string {
	out := []*string{&s.Hint, &s.Question}
	for i := range s.Options {
		out = append(out, &s.Options[i].Text)
	}
	return out
}
