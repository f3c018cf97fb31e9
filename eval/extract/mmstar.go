package extract

import (
	"strings"

	"concord/eval"
)

// mmstar is the rule of the MMStar authors (MMStar-Benchmark/MMStar, the
// evaluation script): the answer's letter must open the text, or follow one
// of three openings.
type mmstar struct{}

func (mmstar) version() string { return "1" }

func (mmstar) read(options []eval.Option, text string) eval.Extraction {
	// The longest opening has 14 characters; what stands far behind it
	// decides nothing and is not lowered.
	text = strings.TrimLeftFunc(text, pySpace)
	if len(text) > 256 {
		text = text[:256]
	}
	low := strings.ReplaceAll(pyLower(text), "\n", " ")
	for _, opening := range [...]string{"", "(", "option ", "the answer is "} {
		rest, ok := strings.CutPrefix(low, opening)
		if !ok || rest == "" {
			continue
		}
		if c := eval.Choice(strings.ToUpper(rest[:1])); hasLetter(options, c) {
			return found(c, "mmstar-opening")
		}
	}
	return without(eval.Missing, "mmstar-none")
}
