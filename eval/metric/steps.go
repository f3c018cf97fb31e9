package metric

import (
	"slices"

	"concord/eval"
	"concord/eval/stat"
)

// Steps is how far each step of the reading got (MMBench, Table 1).
type Steps struct {
	Rules  StepRate // predictions of a kind that the rules read, of which they found a choice in K
	Judges []JudgeSteps
}

// StepRate counts predictions that a step reads. Those of one question are a cluster.
type StepRate struct {
	stat.Count
	units stat.Clusters
}

func (s *StepRate) addHit(hit bool) {
	s.Add(hit)
	s.units.AddHit(hit)
}

func (s *StepRate) merge(o *StepRate) {
	s.Merge(o.Count)
	s.units.Merge(&o.units)
}

// Rate is the share that was read, undefined for a reason.
func (s *StepRate) Rate(reason string) stat.Rate { return s.units.Rate(reason) }

// JudgeSteps is one judge's reading of what the rules left.
type JudgeSteps struct {
	Read     StepRate // of what step 1 left, less what an outage took, read by the judge: a choice, or none of the options
	Asked    int      // of what step 1 left, those that it replied to
	Unparsed int      // of Asked, replies that say nothing
	Fallback int      // of Asked, drawn at random because its reply said nothing
	Failed   int      // of what step 1 left, those whose every call failed: asked, and not replied to
}

// addPrediction counts one prediction. A judge that answers with the pseudo-choice has
// read the prediction: none of the options is what it says.
func (s *Steps) addPrediction(scheme *Scheme, k eval.Key, x *Reading) {
	if x.Rules.Status == eval.StatusUnset {
		return
	}
	s.Rules.addHit(x.Rules.IsFound())
	if x.Rules.IsFound() {
		return
	}
	for i := range scheme.Judges {
		j := &s.Judges[i]
		step, asked := scheme.Judges[i].readingStep(k)
		switch {
		case !asked && scheme.Judges[i].hasFailed(k):
			j.Failed++
		case asked && step == ByFallback:
			j.Fallback++
		case asked && step == ByNobody:
			j.Unparsed++
		}
		if asked {
			j.Asked++
		}
		if asked || !scheme.Judges[i].isAskedAgain(k) {
			j.Read.addHit(step == ByJudge)
		}
	}
}

// endQuestionCluster ends a question of a cluster; 0 is one of its own.
func (s *Steps) endQuestionCluster(cluster uint64) {
	s.Rules.units.CloseInCluster(cluster)
	for i := range s.Judges {
		s.Judges[i].Read.units.CloseInCluster(cluster)
	}
}

// Step says which step read a prediction. The zero value is unset.
type Step uint8

// The steps.
const (
	StepUnset  Step = iota
	ByRules         // step 1: the rules found a choice
	ByJudge         // step 2: the judge's reply says something
	ByFallback      // step 3: drawn at random
	ByNobody        // none of them
)

// ReadingStep is which step read the prediction: the rules, or the judge that
// completes them. A failed call has none, nor has what the rules do not read.
func (s *Scheme) ReadingStep(k eval.Key, x *Reading) Step {
	switch {
	case x.Rules.Status == eval.StatusUnset:
		return StepUnset
	case x.Rules.IsFound():
		return ByRules
	case s.Second == 0:
		return ByNobody
	}
	step, _ := s.Judges[s.Second-1].readingStep(k)
	return step
}

// HasJudgeReplied reports whether the judge that completes the rules has had its say on a prediction.
func (s *Scheme) HasJudgeReplied(k eval.Key) bool {
	if s.Second == 0 {
		return false
	}
	_, ok := s.Judges[s.Second-1].Reading(k)
	return ok
}

// HasJudgeFailed reports whether that judge was asked, and never replied.
func (s *Scheme) HasJudgeFailed(k eval.Key) bool {
	return s.Second > 0 && !s.HasJudgeReplied(k) && s.Judges[s.Second-1].hasFailed(k)
}

func (j *Judge) hasFailed(k eval.Key) bool {
	if j.Failed == nil {
		return false
	}
	_, failed := j.Failed(k)
	return failed
}

// isAskedAgain reports a call that failed for an outage, and is made again.
func (j *Judge) isAskedAgain(k eval.Key) bool {
	if j.Failed == nil {
		return false
	}
	again, _ := j.Failed(k)
	return again
}

// readingStep is how far the judge got with what the rules left, and whether it was asked.
func (j *Judge) readingStep(k eval.Key) (Step, bool) {
	e, ok := j.Reading(k)
	switch {
	case ok && e.Method == eval.Fallback:
		return ByFallback, true
	case ok && (e.IsFound() || e.Status == eval.None):
		return ByJudge, true
	}
	return ByNobody, ok
}

func (s *Steps) merge(o *Steps) {
	s.Rules.merge(&o.Rules)
	for i := range o.Judges {
		s.Judges[i].Read.merge(&o.Judges[i].Read)
		s.Judges[i].Asked += o.Judges[i].Asked
		s.Judges[i].Unparsed += o.Judges[i].Unparsed
		s.Judges[i].Fallback += o.Judges[i].Fallback
		s.Judges[i].Failed += o.Judges[i].Failed
	}
}

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

// IsRight reports a choice that was found and is the truth.
func (r *Reading) IsRight() bool { return r.Combined.IsFound() && r.Answer != "" && r.isTruth() }

// IsWrong reports a choice that was found and is not the truth. A pass that nobody read is neither.
func (r *Reading) IsWrong() bool { return r.Combined.IsFound() && r.Answer != "" && !r.isTruth() }

func (r *Reading) isTruth() bool {
	return r.Combined.Choice == r.Answer || slices.Contains(r.Also, r.Combined.Choice)
}

// IsNotRead reports an answer of a kind that neither the rules nor the judge
// read: it is not unparsable, and enters no rate.
func (r *Reading) IsNotRead() bool { return !r.Failed && r.Combined.Status == eval.StatusUnset }

// ReadPrediction reads one prediction of the sample.
func (s *Scheme) ReadPrediction(sample *eval.Sample, p *eval.Prediction) Reading {
	out := Reading{Pass: p.Pass, Answer: p.ShownQuestion(sample).Answer, Failed: p.Failure != nil, Due: s.isCallDue(p)}
	if out.Failed {
		return out
	}
	if sample.Kind == eval.KindChoice {
		for _, one := range sample.References {
			further := *sample
			further.Answer = eval.Choice(one)
			out.Also = append(out.Also, p.ShownQuestion(&further).Answer)
		}
	}
	out.Rules = eval.ReadPrediction(s.Rules, sample, p)
	out.Combined = out.Rules
	if !out.Rules.IsFound() && s.Second > 0 {
		j := &s.Judges[s.Second-1]
		e, ok := j.Reading(p.Key)
		if ok && SaysSomething(e) {
			out.Combined = e
		}
		out.Due = !ok && j.isAskedAgain(p.Key)
	}
	return out
}

// SaysSomething reports that a judge's reply said something about the prediction, the
// pseudo-choice included. A reply that did not parse leaves the rules' status.
func SaysSomething(e eval.Extraction) bool {
	return e.Status != eval.Missing && e.Status != eval.StatusUnset
}
