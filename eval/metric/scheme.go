package metric

import (
	"slices"

	"concord/eval"
)

// Scheme says how the predictions of one run are read.
type Scheme struct {
	Run    eval.Run
	Rules  eval.Reader // step 1
	Judges []Judge     // whose step 2 is counted
	Second int         // 1 + the index of the judge whose reading completes step 1; 0: rules only
}

// Judge is a judge model's readings of a run's predictions.
type Judge struct {
	Name    string
	Reading func(eval.Key) (eval.Extraction, bool) // false: it has not had its say
	// Failed reports that it was asked and no call of it has given a reply, and
	// whether that was an outage, so that it is asked again. Nil: none failed.
	Failed func(eval.Key) (again, failed bool)
}

// Reading is what became of one prediction.
type Reading struct {
	Pass     eval.Pass
	Answer   eval.Choice   // the letter that is right in this pass; "" without a truth
	Also     []eval.Choice // further ones that are right
	Failed   bool          // the call gave no text
	Due      bool          // the model's call, or the judge's about what the rules left, is made again: nothing is known yet
	Rules    eval.Extraction
	Combined eval.Extraction // the rules' when they found a choice, else the judge's if it read one
}

// Right reports a choice that was found and is the truth.
func (r *Reading) Right() bool {
	return r.Combined.IsFound() && r.Answer != "" && r.isTruth()
}

// Wrong reports a choice that was found and is not the truth. A pass that
// nobody has read is neither right nor wrong.
func (r *Reading) Wrong() bool {
	return r.Combined.IsFound() && r.Answer != "" && !r.isTruth()
}

func (r *Reading) isTruth() bool {
	return r.Combined.Choice == r.Answer || slices.Contains(r.Also, r.Combined.Choice)
}

// NotRead reports an answer of a kind that neither the rules nor the judge
// read: it is not unparsable, and enters no rate.
func (r *Reading) NotRead() bool {
	return !r.Failed && r.Combined.Status == eval.StatusUnset
}

// Read reads one prediction of the sample.
func (s *Scheme) Read(sample *eval.Sample, p *eval.Prediction) Reading {
	out := Reading{Pass: p.Pass, Answer: p.Asked(sample).Answer, Failed: p.Failure != nil, Due: s.due(p)}
	if out.Failed {
		return out
	}
	if sample.Kind == eval.KindChoice {
		for _, one := range sample.References {
			further := *sample
			further.Answer = eval.Choice(one)
			out.Also = append(out.Also, p.Asked(&further).Answer)
		}
	}
	out.Rules = eval.Read(s.Rules, sample, p)
	out.Combined = out.Rules
	if !out.Rules.IsFound() && s.Second > 0 {
		j := &s.Judges[s.Second-1]
		e, ok := j.Reading(p.Key)
		if ok && read(e) {
			out.Combined = e
		}
		out.Due = !ok && j.again(p.Key)
	}
	return out
}

// read reports that a judge's reply said something about the prediction, the
// pseudo-choice included. A reply that did not parse leaves the rules' status.
func read(e eval.Extraction) bool {
	return e.Status != eval.Missing && e.Status != eval.StatusUnset
}
