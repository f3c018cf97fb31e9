package demo

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"concord/eval"
)

// voice is how a made-up model behaves: how much it knows, and how often it
// takes the first option when it does not.
type voice struct {
	name  string
	index int // column of the styles' weights
	knows float64
	first float64
	share float64 // of the hand-written answers, beside the others'
	pace  Speed
	free  float64 // hand-written answers dealt to it so far, over its share
}

func voices() []*voice {
	return []*voice{
		{name: "sketch-7b (synthetic)", index: 0, knows: 0.64, first: 0.65, share: 0.85, pace: Speed{Fixed: 350 * time.Millisecond, Jitter: 600 * time.Millisecond, Concurrency: 2}},
		{name: "mural-13b (synthetic)", index: 1, knows: 0.77, first: 0.15, share: 1, pace: Speed{Fixed: 300 * time.Millisecond, Jitter: 500 * time.Millisecond, Concurrency: 2}},
		{name: "fresco-34b (synthetic)", index: 2, knows: 0.85, first: 0, share: 1.05, pace: Speed{Fixed: 200 * time.Millisecond, Jitter: 600 * time.Millisecond, Concurrency: 2}},
	}
}

// hash draws a number in [0, 1) from what names the draw.
func hash(parts ...any) float64 {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = fmt.Fprint(h, p, "\x00")
	}
	// The low bits of FNV are the ones that mix well; a multiplication
	// carries them up.
	return float64((h.Sum64()*0x9e3779b97f4a7c15)>>11) / (1 << 53)
}

// belief is the option that a voice holds to be right, as listed, or "" when
// it takes whatever option stands first.
func (v *voice) belief(q *question) eval.Choice {
	switch {
	case hash(v.name, q.ID, "knows") < v.knows:
		return q.Answer
	case hash(v.name, q.ID, "first") < v.first:
		return ""
	}
	return q.Lure
}

// hand is what one voice says to one question: a belief for every pass, and
// hand-written answers in some.
type hand struct {
	believes eval.Choice
	free     map[eval.Pass]*free
}

// deal writes down what every model answers to every question in every pass.
func deal(b *book, samples []eval.Sample) []*Model {
	all := voices()
	models := make([]*Model, len(all))
	for i, v := range all {
		models[i] = &Model{Name: v.name, Speed: v.pace, answers: map[slot]answer{}}
	}
	for i := range b.questions {
		q, s := &b.questions[i], &samples[i]
		hands := dealFree(q, all, s.Passes())
		for k, v := range all {
			for p := range eval.Pass(s.Passes()) {
				models[k].answers[slot{s.ID, p}] = b.write(v, q, s, p, hands[k])
			}
		}
	}
	return models
}

// dealFree deals a question's hand-written answers: each goes to a voice that
// believes what it means, if there is one, else to one that comes to believe
// it; among those, to the one that got the fewest.
func dealFree(q *question, all []*voice, passes int) []hand {
	hands := make([]hand, len(all))
	for i, v := range all {
		hands[i] = hand{believes: v.belief(q), free: map[eval.Pass]*free{}}
	}
	for j := range q.Free {
		f := &q.Free[j]
		means := f.choice()
		v := slices.MinFunc(all, func(a, b *voice) int {
			fits := func(v *voice) int {
				h := hands[v.index]
				switch {
				case len(h.free) == passes:
					return 2
				case means != "" && h.believes != means:
					return 1
				}
				return 0
			}
			return cmp.Or(cmp.Compare(fits(a), fits(b)), cmp.Compare(a.free, b.free), cmp.Compare(a.index, b.index))
		})
		h := &hands[v.index]
		if means != "" {
			h.believes = means
		}
		h.free[h.pass(q, j, passes)] = f
		v.free += 1 / v.share
	}
	return hands
}

// pass is where a hand-written answer goes: mostly where an early stop does
// not cut it off.
func (h *hand) pass(q *question, j, passes int) eval.Pass {
	at := 0
	if u := hash(q.ID, j, "pass"); u > 0.34 {
		at = 1 + int((u-0.34)/0.66*float64(passes-1))
	}
	for h.free[eval.Pass(at)] != nil {
		at = (at + 1) % passes
	}
	return eval.Pass(at)
}

// choice is the option that a free answer means, as listed, or "".
func (f *free) choice() eval.Choice {
	if len(f.Means) == 1 {
		return eval.Choice(f.Means)
	}
	return ""
}
