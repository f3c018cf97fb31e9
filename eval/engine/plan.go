package engine

import (
	"errors"
	"fmt"

	"concord/eval"
)

// Plan is what a Runner needs to bring one run further. Without a Model it
// asks no question and only has its judges read what is stored; without
// Judges nothing is judged. Judges are asked, in their order, about every
// prediction that the Reader cannot read, before the next pass. The first
// judge of the run's configuration (Config.Decider) decides, where the rules
// cannot, whether a pass ends its question, whether or not it is asked now.
type Plan struct {
	Terms
	Run         eval.Run
	Model       eval.Model
	Judges      []eval.Judge
	Judgments   eval.JudgmentRecorder // needed with Judges
	Judged      []eval.JudgeProgress  // what is stored already
	FailedOnly  bool                  // ask again what failed, and nothing else
	Price       eval.Price            // of Model
	JudgePrices map[string]eval.Price // by the judge's name
	Reader      eval.Reader
	Source      eval.Source
	Recorder    eval.Recorder
	Pictures    func(eval.PictureHash) ([]byte, error) // handed to the model; may be nil
	Total       int                                    // questions of the dataset
	Counts      eval.Counts                            // what is stored already, as Reader reads it
}

// check fills in what was left out and names what must not be.
func (p *Plan) check() error {
	switch {
	case p.Run.ID == 0:
		return errors.New("plan run: no run")
	case p.Run.Config.Strategy == eval.StrategyUnset:
		return errors.New("plan run: no strategy")
	case p.Reader == nil || p.Source == nil:
		return errors.New("plan run: reader and source are both needed")
	case p.Model == nil && len(p.Judges) == 0:
		return errors.New("plan run: neither a model nor a judge")
	case p.Model != nil && p.Recorder == nil:
		return errors.New("plan run: a model needs a recorder")
	case len(p.Judges) > 0 && p.Judgments == nil:
		return errors.New("plan run: judges need a recorder of judgments")
	}
	names := make(map[string]bool)
	for _, j := range p.Judges {
		if name := j.Name(); name == "" || names[name] {
			return fmt.Errorf("plan run: two judges of the name %q, or none", name)
		}
		names[j.Name()] = true
	}
	p.fill()
	return nil
}
