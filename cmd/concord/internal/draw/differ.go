package draw

import (
	"fmt"
	"slices"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/extract"
)

// among finds the rule sets that a queue's rule compares: those that were
// named, or, where the order asks for extractors and none was, all of them. One
// that does not read a sample's kind has no say there. The rule keeps versions.
func among(r *annotate.Rule) ([]eval.Reader, error) {
	names := r.Among
	if len(names) == 0 && r.Order == annotate.ByDisagreement {
		names = append(extract.Names(eval.KindChoice), extract.Names(eval.KindYesNo)...)
	}
	var out []eval.Reader
	r.Among = nil
	for _, name := range names {
		reader, err := facts.RulesFor(name)
		if err != nil {
			return nil, err
		}
		if id := eval.ReaderID(reader); !slices.Contains(r.Among, id) {
			out, r.Among = append(out, reader), append(r.Among, id)
		}
	}
	return out, nil
}

// comparable refuses an order by disagreement where fewer than two extractors
// could differ.
func (p *population) comparable() error {
	if p.rule.Order != annotate.ByDisagreement {
		return nil
	}
	extractors := len(p.among)
	for _, run := range p.runs {
		judges, err := p.st.Judgments().Judges(run.ID)
		if err != nil {
			return err
		}
		extractors += len(judges)
	}
	if extractors < 2 {
		return fmt.Errorf("--order disagreement: nothing can differ, since %s and no judge has read these runs", cli.Count(len(p.among), "rule set"))
	}
	return nil
}

// heard are the classes that the compared rule sets read in a prediction, and
// the judges that have read it.
func (p *population) heard(q *eval.Question, pr *eval.Prediction) []eval.Choice {
	if p.rule.Order != annotate.ByDisagreement && p.rule.From != annotate.FromDisagreements {
		return nil
	}
	var out []eval.Choice
	for _, r := range p.among {
		if e := eval.Read(r, &q.Sample, pr); e.Status != eval.StatusUnset {
			out = append(out, e.Class())
		}
	}
	for i := range q.Judgments {
		if j := &q.Judgments[i]; j.Key == pr.Key && j.Reads() {
			out = append(out, j.Extraction.Class())
		}
	}
	return out
}
