package judge

import (
	"hash/fnv"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"

	"concord/eval"
	"concord/eval/prompt"
)

// nobody is the pseudo-choice of questions whose options take every letter.
const nobody eval.Choice = "NONE"

func isLetter(s string) bool { return len(s) == 1 && s[0] >= 'A' && s[0] <= 'Z' }

// pseudo is the letter for "none of the options" of one question: the wanted
// one, or the free one nearest to it in the alphabet, the later of two.
func pseudo(want eval.Choice, options []eval.Option) eval.Choice {
	if want == "" {
		want = DefaultPseudo
	}
	free := func(l byte) bool {
		return isLetter(string(rune(l))) &&
			!slices.ContainsFunc(options, func(o eval.Option) bool { return o.Letter == eval.Choice(rune(l)) })
	}
	for d := byte(0); d < 26; d++ {
		for _, l := range []byte{want[0] + d, want[0] - d} {
			if free(l) {
				return eval.Choice(rune(l))
			}
		}
	}
	return nobody
}

// unread is the reading when no reply could be read: none, or, where the run
// asks for the paper's step 3, a draw among the options and the pseudo-choice.
// It depends on the seed, the sample and the pass alone, so a rerun repeats it.
func (j *Judge) unread(q eval.Judging, i prompt.Item) eval.Extraction {
	if !j.fallback {
		return eval.Extraction{Status: eval.Missing, Method: Unparsed}
	}
	pool := []eval.Choice{eval.Yes, eval.No}
	if len(i.Options) > 0 {
		pool = pool[:0]
		for _, o := range i.Options {
			pool = append(pool, o.Letter)
		}
	}
	h := fnv.New64a()
	for _, part := range []string{string(q.Run.Config.Dataset), string(q.Sample.ID), strconv.Itoa(int(q.Prediction.Pass))} {
		_, _ = io.WriteString(h, strconv.Quote(part))
	}
	n := rand.New(rand.NewPCG(j.seed, h.Sum64())).IntN(len(pool) + 1)
	if n == len(pool) {
		return eval.Extraction{Status: eval.None, Method: eval.Fallback}
	}
	return eval.Extraction{Choice: pool[n], Status: eval.Found, Method: eval.Fallback}
}
