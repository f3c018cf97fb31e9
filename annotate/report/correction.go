package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/correct"
	"concord/eval/stat"
)

// Correction is a score after people's labels were taken into account:
// prediction-powered inference over the items that the score is of (PPI++,
// Angelopoulos et al. 2023), by strata where not all of them were drawn from
// alike. JudgeOnly is the score as the machine has it, PeopleOnly what the
// labels alone say.
type Correction struct {
	Queues    []annotate.QueueName `json:"queues"`
	Policy    string               `json:"policy"`
	Undecided string               `json:"undecided_policy"`
	Corrected Corrected            `json:"corrected"`
	JudgeOnly stat.Estimate        `json:"judge_only"`
	People    stat.Estimate        `json:"people_only"`
	Gain      Gain                 `json:"gain"`
	Needs     Needs                `json:"needs"`
	Strata    []CorrectedStratum   `json:"strata"`
	Gladen    *Gladen              `json:"rogan_gladen,omitempty"` // of shares whose labels are of one stratum
	LeftOut   map[string]int       `json:"left_out"`               // items of the queues, of the score's passes, without a say of people: why
	Warnings  []string             `json:"warnings,omitempty"`
}

// Corrected is the corrected score over N labels. Lambda is how much of the
// machine's word was taken, where that is one number for all.
type Corrected struct {
	stat.Estimate
	Method string
	Lambda *float64
}

// MarshalJSON writes value, low, high, n, method and lambda.
func (c Corrected) MarshalJSON() ([]byte, error) {
	out := struct {
		Value     *float64 `json:"value"`
		Low       *float64 `json:"low"`
		High      *float64 `json:"high"`
		N         int      `json:"n"`
		Method    string   `json:"method"`
		Lambda    *float64 `json:"lambda"`
		Undefined string   `json:"undefined,omitempty"`
	}{N: c.N, Method: c.Method, Lambda: c.Lambda, Undefined: c.Reason()}
	if out.Undefined == "" {
		out.Value, out.Low, out.High = &c.Value, &c.Low, &c.High
	}
	return json.Marshal(out)
}

// Gladen is the score corrected by how the machine errs, without its word on
// single items: Rogan and Gladen's.
type Gladen struct {
	Value       stat.Estimate `json:"value"`
	Sensitivity stat.Rate     `json:"sensitivity"` // of what people call right, the machine's share
	Specificity stat.Rate     `json:"specificity"` // of the rest, what it calls not right
}

// gladen is there where one stratum has all items: of a part of them alone the
// machine's errors elsewhere are not known.
func gladen(strata []correct.Stratum, scale correct.Options) *Gladen {
	if len(strata) != 1 || strata[0].AsRead || scale.Low != 0 || scale.High != 1 {
		return nil
	}
	m := strata[0].Misreading(scale.Confidence)
	return &Gladen{Value: m.Share, Sensitivity: m.Sensitivity, Specificity: m.Specificity}
}

// Gain is how many more labels people alone would need for the same interval.
type Gain struct {
	Labels    *float64 `json:"labels"`
	Undefined string   `json:"undefined,omitempty"`
}

// Needs is how many labels in all an interval of Within to either side takes.
type Needs struct {
	Within    float64 `json:"within"`
	Labels    *int    `json:"labels"`
	Undefined string  `json:"undefined,omitempty"`
}

// CorrectedStratum is a part of the items in which all were as likely to be
// labelled, or that is taken as the machine reads it.
type CorrectedStratum struct {
	Name   string   `json:"name"`
	Items  int      `json:"items"`
	Labels int      `json:"labels"`
	Lambda *float64 `json:"lambda"`
	AsRead bool     `json:"as_read,omitempty"`
}

// Names of what was done.
const (
	methodPlain      = "ppi++"
	methodStratified = "stratified ppi++"
)

// The strata of items that nobody was asked about.
const (
	asRead = "answers outside every queue"
	noText = "calls that failed" // not right, whoever looks
)

// correction puts the strata's score into a row's terms.
func correction(o *Correcting, strata []correct.Stratum, scale correct.Options, judge stat.Estimate) *Correction {
	s := correct.Correct(strata, scale)
	basis := (&AlignmentOptions{Policy: o.Policy, Undecided: o.Undecided}).basis()
	out := &Correction{
		Policy: basis.Policy.String(), Undecided: basis.Undecided.String(), JudgeOnly: judge,
		People: s.People, Corrected: Corrected{Estimate: s.Corrected, Method: methodPlain}, LeftOut: make(map[string]int),
		Strata: []CorrectedStratum{}, Gain: Gain{Undefined: s.Gain.Undefined},
	}
	if len(s.Strata) > 1 {
		out.Corrected.Method = methodStratified
	}
	defined := s.Corrected.Reason() == ""
	for i := range s.Strata {
		p := &s.Strata[i]
		row := CorrectedStratum{Name: p.Name, Items: p.Items, Labels: p.Labels, AsRead: p.AsRead}
		if defined && !p.AsRead {
			row.Lambda = &p.Lambda
		}
		out.Strata = append(out.Strata, row)
	}
	if len(out.Strata) == 1 {
		out.Corrected.Lambda = out.Strata[0].Lambda
	}
	if s.Gain.Undefined == "" {
		out.Gain.Labels = &s.Gain.Labels
	}
	needs := s.Needs(o.within() * (scale.High - scale.Low))
	out.Needs = Needs{Within: needs.Within, Undefined: needs.Undefined}
	if needs.Undefined == "" {
		out.Needs.Labels = &needs.Labels
	}
	if defined {
		out.Gladen = gladen(strata, scale)
	}
	if defined && s.Labels < correct.Few {
		out.Warnings = append(out.Warnings, fmt.Sprintf("%d labels are few: below %d the interval is narrower than it should be", s.Labels, correct.Few))
	}
	return out
}

// refused is a correction that the labels do not determine.
func refused(o *Correcting, reason string, judge stat.Estimate) *Correction {
	out := correction(o, nil, correct.Options{High: 1, Confidence: stat.Confidence}, judge)
	none := stat.NoEstimate(reason)
	out.Corrected.Estimate, out.People = none, none
	out.Gain.Undefined, out.Needs.Undefined = reason, reason
	return out
}

// estimateOf is a rate as a figure with an interval.
func estimateOf(r stat.Rate) stat.Estimate {
	if r.N == 0 {
		return stat.NoEstimate(r.Undefined)
	}
	return stat.Estimate{N: r.N, Value: r.Value, Low: r.Low, High: r.High}
}

// strata collects items by what decides how likely they were to be labelled.
type strata struct{ by map[string]*correct.Stratum }

func newStrata() *strata { return &strata{make(map[string]*correct.Stratum)} }

func (s *strata) at(name string) *correct.Stratum {
	if s.by[name] == nil {
		s.by[name] = &correct.Stratum{Name: name, AsRead: name == asRead || name == noText, Known: name == noText}
	}
	return s.by[name]
}

func (s *strata) unlabelled(name string, machine float64) {
	at := s.at(name)
	at.Unlabelled = append(at.Unlabelled, machine)
}

func (s *strata) labelled(name string, machine, people float64) {
	at := s.at(name)
	at.Labelled = append(at.Labelled, correct.Item{Machine: machine, People: people})
}

func (s *strata) list() []correct.Stratum {
	var out []correct.Stratum
	for _, name := range slices.Sorted(maps.Keys(s.by)) {
		out = append(out, *s.by[name])
	}
	return out
}

// correctedNote says what was done.
const correctedNote = "Corrected: prediction-powered (PPI++). A stratum is what was as likely to be labelled; drawn items that have no label yet, or no consensus, are taken to be like those that have."

// NoLabels is why a score is not corrected of which nobody has labelled
// anything.
const NoLabels = "no queue drawn at random has labels of it"

// noLabels is why there is nothing to correct by.
func noLabels(priority []string) string {
	if len(priority) == 0 {
		return NoLabels
	}
	return "its only labels are of the priority stratum (" + strings.Join(priority, ", ") + "), chosen by interest: they say nothing about the others"
}
