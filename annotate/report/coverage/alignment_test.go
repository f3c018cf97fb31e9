package coverage

import (
	"fmt"
	"math/rand/v2"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/eval"
	"concord/eval/stat"
)

// aligned draws the answers of several models to each question, one label of each,
// and two extractors. A hard question's answers are misread by chance, an easy
// one's are not; both extractors misread as often.
func aligned(r *rand.Rand, questions, models int, right float64) ([]annotate.AlignItem, []annotate.Extractor) {
	var items []annotate.AlignItem
	reads := [2]map[eval.Key]eval.Extraction{{}, {}}
	for q := range questions {
		hard := chance(r, 0.5)
		common := [2]bool{chance(r, 2*right-1), chance(r, 2*right-1)} // of hard ones, over all models
		for m := range models {
			k := eval.Key{Run: eval.RunID(m + 1), Sample: eval.Ordinal(q)}
			said := four[r.IntN(4)].Letter
			items = append(items, annotate.AlignItem{Key: annotate.NewItemKey(k), Labels: []annotate.Label{{Annotator: "a", Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: said}}}})
			for x := range reads {
				e := eval.Extraction{Choice: said, Status: eval.Found}
				if hard && !common[x] {
					e.Choice = eval.Choice(wrong(said))
				}
				reads[x][k] = e
			}
		}
	}
	var extractors []annotate.Extractor
	for x := range reads {
		extractors = append(extractors, annotate.Extractor{Name: fmt.Sprint("x", x), Read: func(k eval.Key) (eval.Extraction, bool) {
			e, ok := reads[x][k]
			return e, ok
		}})
	}
	return items, extractors
}

var unanimous = annotate.Basis{Policy: annotate.Unanimous, Undecided: annotate.Dropped}

// held is a test as a look: it holds where it does not reject.
func held(p float64) look {
	if p < 1-stat.Confidence {
		return look{truth: 1}
	}
	return look{}
}

// alignmentSettings are figures of alignment over the answers of several models.
func alignmentSettings() []setting {
	var out []setting
	for _, c := range []struct {
		questions, models int
		right             float64
	}{{60, 4, 0.8}, {150, 4, 0.9}, {300, 1, 0.9}} {
		what := fmt.Sprintf("%d questions, %d models, %g read right", c.questions, c.models, c.right)
		expected := 0.25*c.right + (1-c.right)*0.25 // both sides are uniform
		kappa := (c.right - expected) / (1 - expected)
		align := func(r *rand.Rand, extractors int) annotate.AlignmentRow {
			items, all := aligned(r, c.questions, c.models, c.right)
			return alignedBy(items, all[:extractors], unanimous)[0]
		}
		out = append(out,
			setting{figure: "alignment: rate", what: what, method: robust, other: "Wilson over answers", draw: func(r *rand.Rand) []look {
				return rate(c.right, align(r, 1).Alignment)
			}},
			setting{figure: "alignment: kappa", what: what, method: "cluster-robust", other: "Fleiss, Cohen and Everitt over answers", draw: func(r *rand.Rand) []look {
				row := align(r, 1)
				var pairs [][2]string
				for _, x := range row.Confusion {
					for range x.N {
						pairs = append(pairs, [2]string{x.People, x.Machine})
					}
				}
				alone := agree.CohenKappa(pairs, stat.Confidence)
				return []look{{kappa, row.Kappa.Low, row.Kappa.High}, {kappa, alone.Low, alone.High}}
			}},
			setting{figure: "alignment: equal extractors", what: what, method: "sign flips of samples, p not below .05", other: "McNemar over answers", draw: func(r *rand.Rand) []look {
				b := align(r, 2).Besides[0]
				return []look{held(b.Test.Exact), held(agree.RunMcNemarTest(b.Looks.Pairs).Exact)}
			}})
	}
	return out
}
