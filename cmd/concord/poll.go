package main

import (
	"cmp"
	"context"
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"concord/eval"
	"concord/eval/judge"
)

// poll is the votes on one model's answers beside the anchor's, under one
// ballot.
type poll struct {
	contest eval.Contest
	model   eval.RunID
	wanted  int // of tally.Wanted
}

// dueVote is a vote to ask for.
type dueVote struct {
	pair   eval.Pair
	repeat int
}

// tally is what stands of an order and what is due, as of when it was taken.
type tally struct {
	eval.Tally
	due     []dueVote
	stale   int // standing votes made under older criteria, asked again or not
	missing map[string]int
	blind   int // of Wanted, without the picture that the judge was to see
}

// take finds out what stands and what is due.
func (v *voting) take(ctx context.Context) error {
	v.missing = make(map[string]int)
	anchor, err := v.answers(ctx, v.anchor.ID, noAnchor, failedAnchor)
	if err != nil {
		return err
	}
	voter, err := v.voter(nil)
	if err != nil {
		return err
	}
	lacking := make([][]string, len(v.models)) // why a sample cannot be asked, by model
	for i, m := range v.models {
		own, err := v.answers(ctx, m.ID, noAnswer, failedAnswer)
		if err != nil {
			return err
		}
		for o := range own {
			own[o] = cmp.Or(anchor[o], own[o], v.of[o].missing)
		}
		lacking[i] = own
	}
	repeats := slices.Compact(slices.Sorted(slices.Values(v.order.Repeats)))
	if len(repeats) == 0 {
		repeats = []int{0}
	}
	v.order.Repeats = repeats
	for _, repeat := range repeats {
		for i, m := range v.models {
			p := poll{model: m.ID, contest: eval.Contest{A: min(m.ID, v.anchor.ID), B: max(m.ID, v.anchor.ID), Ballot: voter.Ballot(repeat)}}
			if err := v.count(ctx, &p, lacking[i]); err != nil {
				return err
			}
			v.polls = append(v.polls, p)
		}
	}
	return v.spent(ctx)
}

// answers say of every sample what is wrong with a run's answer, "" for one
// that there is.
func (v *voting) answers(ctx context.Context, id eval.RunID, none, failed string) ([]string, error) {
	out := make([]string, v.data.Samples)
	for i := range out {
		out[i] = none
	}
	for p, err := range v.lab.st.Runs().Predictions(ctx, id, eval.Key{}) {
		if err != nil {
			return nil, err
		}
		if p.Pass != 0 || int(p.Sample) >= len(out) {
			continue
		}
		if out[p.Sample] = ""; p.Failure != nil {
			out[p.Sample] = failed
		}
	}
	return out, nil
}

// count sorts a contest's pairs into what stands, what is due and what cannot
// be asked.
func (v *voting) count(ctx context.Context, p *poll, lacking []string) error {
	standing, err := v.standing(ctx, p)
	if err != nil {
		return err
	}
	for i := range lacking {
		pair := eval.Pair{Sample: eval.Ordinal(i), First: p.model, Second: v.anchor.ID}
		if !v.order.Shuffled {
			v.sort(p, pair, standing, lacking[i])
			v.sort(p, pair.Swapped(), standing, lacking[i])
			continue
		}
		if v.flips(eval.Ordinal(i)) {
			pair = pair.Swapped()
		}
		v.sort(p, pair, standing, lacking[i])
	}
	return nil
}

// flips draws whether a sample's answers change places. It is the same for
// all models and repeats, so that they are compared alike.
func (v *voting) flips(o eval.Ordinal) bool {
	h := fnv.New64a()
	_, _ = h.Write(binary.BigEndian.AppendUint32([]byte(v.order.Dataset), uint32(o)))
	return rand.New(rand.NewPCG(v.order.Seed, h.Sum64())).IntN(2) == 1
}

// stand is what is stored of a pair.
type stand struct {
	vote   eval.Vote
	text   string // hash of the criteria
	failed bool   // nothing but failures of the sample
}

// standing reads what is stored of a contest. Votes that were made with other
// settings cannot be gone on with.
func (v *voting) standing(ctx context.Context, p *poll) (map[eval.Pair]stand, error) {
	hash, _ := judge.Hash(v.setup)
	out := make(map[eval.Pair]stand)
	for one, err := range v.lab.st.Votes().Of(ctx, p.contest) {
		switch {
		case err != nil:
			return nil, err
		case one.Reads() && one.Setup != hash:
			return nil, v.changed(ctx, p, one.Setup)
		case one.Reads():
			out[one.Pair] = stand{vote: one.Vote, text: one.Text}
		case one.Failure.Kind == eval.FailureSample:
			if _, known := out[one.Pair]; !known {
				out[one.Pair] = stand{failed: true}
			}
		}
	}
	return out, nil
}

// sort counts one vote.
func (v *voting) sort(p *poll, pair eval.Pair, standing map[eval.Pair]stand, lacking string) {
	s, known := standing[pair]
	g := &v.of[pair.Sample]
	stale := known && !s.failed && v.order.Criteria && s.text != g.revision
	if stale {
		v.stale++
	}
	unparsed := known && !s.failed && s.vote == eval.VoteUnset
	again := stale && v.order.Stale || s.failed && v.order.Failed || unparsed && v.order.Unparsed
	if lacking != "" && (!known || again) {
		v.missing[lacking]++ // what stands of it stands
		if again = false; !known {
			return
		}
	}
	v.Wanted++
	p.wanted++
	if g.blind {
		v.blind++
	}
	switch {
	case !known || again:
		v.due = append(v.due, dueVote{pair, p.contest.Repeat})
	case s.failed:
		v.Failed++
	case unparsed:
		v.Unparsed++
	default:
		v.Stored++
	}
}

// spent takes up what the votes that are stored took.
func (v *voting) spent(ctx context.Context) error {
	all, err := v.lab.st.Votes().Contests(ctx)
	if err != nil {
		return err
	}
	for i := range all {
		if slices.ContainsFunc(v.polls, func(p poll) bool { return p.contest == all[i].Contest }) {
			v.Usage.Add(all[i].Counts.Usage)
		}
	}
	return nil
}

// leftOut is what is not asked, and what is asked without a picture.
func (v *voting) leftOut() []eval.LeftOut {
	out := leftOut(v.missing)
	if v.blind > 0 {
		out = append(out, eval.LeftOut{Reason: withoutPicture, Facts: v.blind, Asked: true})
	}
	return out
}
