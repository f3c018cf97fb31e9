package published

import (
	"strings"

	"concord/eval"
	"concord/eval/extract/reading"
)

// MMStar is the rule of the MMStar authors (MMStar-Benchmark/MMStar, the
// evaluation script): the answer's letter must open the text, or follow one
// of three openings.
type MMStar struct{}

// Version changes whenever the same text may be read otherwise.
func (MMStar) Version() string { return "1" }

func (MMStar) Read(options []eval.Option, text string) eval.Extraction {
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
		if c := eval.Choice(strings.ToUpper(rest[:1])); reading.HasLetter(options, c) {
			return reading.Found(c, "mmstar-opening")
		}
	}
	return reading.Without(eval.Missing, "mmstar-none")
}
