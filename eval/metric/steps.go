package metric

import (
	"concord/eval"
	"concord/eval/stat"
)

// Steps is how far each step of the reading got (MMBench, Table 1).
type Steps struct {
	Rules  StepRate // predictions of a kind that the rules read, of which they found a choice in K
	Judges []JudgeSteps
}

// StepRate counts predictions that a step reads. Those of one question are a
// cluster.
type StepRate struct {
	stat.Count
	units stat.Clusters
}

func (s *StepRate) add(hit bool) {
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

// add counts one prediction. A judge that answers with the pseudo-choice has
// read the prediction: none of the options is what it says.
func (s *Steps) add(scheme *Scheme, k eval.Key, x *Reading) {
	if x.Rules.Status == eval.StatusUnset {
		return
	}
	s.Rules.add(x.Rules.IsFound())
	if x.Rules.IsFound() {
		return
	}
	for i := range scheme.Judges {
		j := &s.Judges[i]
		step, asked := scheme.Judges[i].step(k)
		switch {
		case !asked && scheme.Judges[i].failed(k):
			j.Failed++
		case asked && step == ByFallback:
			j.Fallback++
		case asked && step == ByNobody:
			j.Unparsed++
		}
		if asked {
			j.Asked++
		}
		if asked || !scheme.Judges[i].again(k) {
			j.Read.add(step == ByJudge)
		}
	}
}

// close ends a question of a cluster; 0 is one of its own.
func (s *Steps) close(cluster uint64) {
	s.Rules.units.CloseIn(cluster)
	for i := range s.Judges {
		s.Judges[i].Read.units.CloseIn(cluster)
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

// Step is which step read the prediction: the rules, or the judge that
// completes them. A failed call has none, nor has what the rules do not read.
func (s *Scheme) Step(k eval.Key, x *Reading) Step {
	switch {
	case x.Rules.Status == eval.StatusUnset:
		return StepUnset
	case x.Rules.IsFound():
		return ByRules
	case s.Second == 0:
		return ByNobody
	}
	step, _ := s.Judges[s.Second-1].step(k)
	return step
}

// Replied reports whether the judge that completes the rules has had its say
// on a prediction.
func (s *Scheme) Replied(k eval.Key) bool {
	if s.Second == 0 {
		return false
	}
	_, ok := s.Judges[s.Second-1].Reading(k)
	return ok
}

// JudgeFailed reports whether that judge was asked, and never replied.
func (s *Scheme) JudgeFailed(k eval.Key) bool {
	return s.Second > 0 && !s.Replied(k) && s.Judges[s.Second-1].failed(k)
}

func (j *Judge) failed(k eval.Key) bool {
	if j.Failed == nil {
		return false
	}
	_, failed := j.Failed(k)
	return failed
}

// again reports a call that failed for an outage, and is made again.
func (j *Judge) again(k eval.Key) bool {
	if j.Failed == nil {
		return false
	}
	again, _ := j.Failed(k)
	return again
}

// step is how far the judge got with what the rules left, and whether it was
// asked.
func (j *Judge) step(k eval.Key) (Step, bool) {
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
