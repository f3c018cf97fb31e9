package annotate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"concord/eval"
)

// HashLabels gives a hash of labels that stand: SHA-256 over one line for each, of
// item, annotator, reading and whether it was informed, in the order of
// items and annotators, and one for each item that is excluded. It does not depend on when or in what order they were
// given, nor on notes and flags; tags count. The place of a flag, which once counted, says false.
func HashLabels(labels []Label) string {
	h := sha256.New()
	for _, l := range slices.SortedFunc(slices.Values(labels), func(a, b Label) int {
		return cmp.Or(a.Item.Compare(b.Item), cmp.Compare(a.Annotator, b.Annotator))
	}) {
		several := slices.Clone(l.Reading.Several)
		slices.Sort(several)
		// A hash never refuses what is written to it.
		_, _ = fmt.Fprintf(h, "%s %q %s %q %q %t %t\n", l.Item, l.Annotator, l.Reading.Kind, l.Reading.Choice, several, false, l.Informed)
		if l.Excluded {
			_, _ = fmt.Fprintln(h, "excluded")
		}
		if len(l.Tags) > 0 {
			_, _ = fmt.Fprintf(h, "tags %q\n", l.Tags)
		}
		if l.Reading.Kind == Scored { // those without keep the hash that they had
			_, _ = fmt.Fprintf(h, "score %d\n", l.Reading.Score)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// HashRulings gives the same of rulings that stand: item, adjudicator, reading and who was right.
func HashRulings(rulings []Ruling) string {
	h := sha256.New()
	for _, r := range slices.SortedFunc(slices.Values(rulings), func(a, b Ruling) int {
		return cmp.Or(a.Item.Compare(b.Item), cmp.Compare(a.Annotator, b.Annotator))
	}) {
		_, _ = fmt.Fprintf(h, "%s %s %q %s %q %s\n", Ruled, r.Item, r.Annotator, r.Reading.Kind, r.Reading.Choice, r.Cause)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Inputs is what an alignment report is computed from, as far as it can change.
type Inputs struct {
	LabelsHash  string
	RulingsHash string   // "" in reports that were saved before there were rulings
	Rules       []string // name@version
	Judges      []string // as JudgeID writes them
}

// Inputs is what the report was computed from.
func (r *SavedReport) Inputs() Inputs {
	return Inputs{LabelsHash: r.LabelsHash, RulingsHash: r.RulingsHash, Rules: r.Rules, Judges: r.Judges}
}

// StaleChanges says why the saved report would come out otherwise today, given today's inputs; nothing
// when it would not. A rule set or judge that has joined since changes none of its rows.
func (r *SavedReport) StaleChanges(now Inputs) []Change { return r.Inputs().ChangesSince(now) }

// SavedReport is an alignment report that somebody keeps and may cite: the figures as they
// were, with what they were computed from, so that a later look knows whether it is stale.
type SavedReport struct {
	ID         uint64 // given by the store, from 1
	Name       string // the report's name, as "alignment", or Promotion
	Queue      QueueName
	Policy     string
	Rules      []string // name@version of every rule set in it
	Judges     []string // a JudgeID of every judge in it
	LabelsHash string   // of the labels that stood
	Rows       []byte   // the report's rows as JSON
	By         Annotator
	At         time.Time

	RulingsHash string // of the rulings that stood; "" in older ones
	Build       string // the version and commit of the concord that made it; "" in older ones
	Heads       []Head // of the people whose acts it counts, when it was made; none in older ones
}

// Promotion names the saved reports that tell which prompt a judge was given. They are of no queue.
const Promotion = "promotion"

// Head is where a person's chain of acts stands: the number of acts in it, and the SHA-256 of the last
// one, in hexadecimal. Before the first act it is that of what was there before the chain.
type Head struct {
	Person Annotator `json:"person"`
	Acts   uint64    `json:"acts"`
	Hash   string    `json:"head"`
}

// Cause is why people's reading of an item and a machine's differ, once
// somebody has settled it (MMBench App. D.1). The zero value is unset.
type Cause uint8

// The causes.
const (
	CauseUnset     Cause = iota
	PersonRight          // people read it right
	JudgeRight           // the machine did
	AmbiguousCause       // the answer bears both readings
	BothWrong            // neither did
)

var causeNames = []string{"", "person_right", "judge_right", "ambiguous", "both_wrong"}

// String returns the name that reports and exports use.
func (c Cause) String() string { return eval.EnumName(causeNames, c) }

// ParseCause reads what String writes.
func ParseCause(s string) (Cause, error) { return eval.ParseEnum[Cause](causeNames, s, "cause") }

// AllCauses are all causes, in the order in which they are shown.
func AllCauses() []Cause { return []Cause{PersonRight, JudgeRight, AmbiguousCause, BothWrong} }

// Ruling is what stands of one adjudicator's acts on one item: derived, never stored. It is no label:
// it counts in no tally, takes nobody's place, and enters a consensus under Adjudicated alone.
type Ruling struct {
	Queue     QueueName
	Annotator Annotator // the adjudicator
	Item      ItemKey
	Reading   Reading
	Cause     Cause
	Note      string
	Informed  bool // given after its adjudicator was shown something of it
	Imported  bool
	At        time.Time
	Spent     time.Duration
}

// CauseFor is why people and one machine differ on the item, by the final reading. That settles
// who is right, also where several machines differ from people in different ways; that the
// answer bears both readings is the adjudicator's own word.
func (r *Ruling) CauseFor(people Reading, machine eval.Extraction) Cause {
	final, p, m := newPersonSide(r.Reading), newPersonSide(people), newMachineSide(machine)
	switch {
	case p == m:
		return CauseUnset
	case r.Cause == AmbiguousCause, r.Reading.Kind == SaidAmbiguous && final != p && final != m:
		return AmbiguousCause
	case final == p:
		return PersonRight
	case final == m:
		return JudgeRight
	}
	return BothWrong
}

// StandingRuling is the ruling that stands of several adjudicators' on one item, the
// first when they settle it alike. Where they differ none does.
func StandingRuling(rulings []Ruling) (Ruling, bool) {
	if len(rulings) == 0 {
		return Ruling{}, false
	}
	first := newPersonSide(rulings[0].Reading)
	if slices.ContainsFunc(rulings, func(r Ruling) bool { return newPersonSide(r.Reading) != first }) {
		return Ruling{}, false
	}
	return rulings[0], true
}

// IsSameClass reports whether two readings come to the same where they are
// compared: the same option, or neither one option.
func IsSameClass(a, b Reading) bool { return newPersonSide(a) == newPersonSide(b) }

// HasAnswered reports whether the item has a label or a ruling.
func (s *State) HasAnswered(k ItemKey) bool {
	if _, ok := s.Labels[k]; ok {
		return true
	}
	_, ok := s.Rulings[k]
	return ok
}

// Reasons for which a saved report is stale.
const (
	StaleLabels  = "labels changed"
	StaleRulings = "adjudications changed"
	StaleRules   = "rules changed"
	StaleJudge   = "judge changed"
)

// Change is one thing that is not as it was when a report was saved.
type Change struct {
	Why  string // StaleLabels and so on
	Name string // the rule set or the judge; "" of what every extractor is compared with
	How  string // what of it changed
}

// String is the change as reports tell it: "rules changed: concord from 3 to 4".
func (c Change) String() string { return eval.Either(c.Name == "", c.Why, c.Why+": "+c.Name+" "+c.How) }

// ChangesSince are what a report that was computed from the one would find changed
// when it is computed from the other.
func (then Inputs) ChangesSince(now Inputs) []Change {
	var out []Change
	if then.LabelsHash != now.LabelsHash {
		out = append(out, Change{Why: StaleLabels})
	}
	if then.RulingsHash != "" && then.RulingsHash != now.RulingsHash {
		out = append(out, Change{Why: StaleRulings})
	}
	for _, id := range then.Rules {
		if !slices.Contains(now.Rules, id) {
			name, version, _ := strings.Cut(id, "@")
			out = append(out, Change{StaleRules, name, describeVersionChange(name, version, now.Rules)})
		}
	}
	for _, id := range then.Judges {
		if !slices.Contains(now.Judges, id) {
			j := parseJudgeID(id)
			out = append(out, Change{StaleJudge, j.Name, j.describeDifference(now.Judges)})
		}
	}
	return out
}

// gone is what became of an extractor that reads nothing any more.
const gone = "is gone"

func describeVersionChange(name, old string, now []string) string {
	for _, id := range now {
		if n, version, _ := strings.Cut(id, "@"); n == name {
			return "from " + old + " to " + version
		}
	}
	return gone
}

// JudgeID is what a saved report keeps of a judge, so that it is known to have changed, and in what.
type JudgeID struct {
	Name     string
	Prompts  []string // hashes, of all its readings in the queue's runs
	Settings []string // the same of its settings
	Readings string   // a hash of what it reads in the queue's items
}

const promptPart, settingsPart, readingsPart = "@prompt=", "@settings=", "@readings="

// String is the form that is kept.
func (j JudgeID) String() string {
	return j.Name + promptPart + strings.Join(j.Prompts, ",") +
		settingsPart + strings.Join(j.Settings, ",") + readingsPart + j.Readings
}

// parseJudgeID reads what String writes, from its end: a name may hold anything.
func parseJudgeID(s string) JudgeID {
	var j JudgeID
	take := func(part string) string {
		i := strings.LastIndex(s, part)
		if i < 0 {
			return ""
		}
		value := s[i+len(part):]
		s = s[:i]
		return value
	}
	j.Readings = take(readingsPart)
	j.Settings = strings.Split(take(settingsPart), ",")
	j.Prompts = strings.Split(take(promptPart), ",")
	j.Name = s
	return j
}

// describeDifference says in what the judge is not the one of the same name now.
func (j *JudgeID) describeDifference(now []string) string {
	for _, id := range now {
		n := parseJudgeID(id)
		if n.Name != j.Name {
			continue
		}
		var what []string
		if !slices.Equal(j.Prompts, n.Prompts) {
			what = append(what, "prompt")
		}
		if !slices.Equal(j.Settings, n.Settings) {
			what = append(what, "settings")
		}
		if j.Readings != n.Readings {
			what = append(what, "readings")
		}
		return "(" + strings.Join(what, ", ") + ")"
	}
	return gone
}
