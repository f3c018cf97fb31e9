package view

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/annotate/rubric"
	"concord/annotate/session"
	"concord/cmd/concord/internal/facts"
	judgingpkg "concord/cmd/concord/internal/jobs/judging"
	"concord/eval"
	"concord/eval/bound"
	"concord/eval/dataset"
	"concord/eval/metric"
	"concord/eval/openai"
	"concord/store"
	criteriascreen "concord/tui/criteria"
	"concord/tui/judging"
)

// Judging shows the votes of a comparison as the page of it reads them, and each
// person what their policy lets through.
type Judging struct {
	*judgingpkg.Control // lists the comparisons with their jobs
	Store               *store.Store
	Now                 func() time.Time
	Policy              *blind.Policies
}

// ReadComparison reads a comparison once. The votes are counted as reports count them.
func (v Judging) ReadComparison(ctx context.Context, who annotate.Annotator, c eval.Comparison, n int) (judging.Look, error) {
	d, err := v.ReadComparedRuns(ctx, c)
	if err != nil {
		return judging.Look{}, err
	}
	if h := v.LastJobOf(c); h != nil {
		d.Anchor.ID = h.Voting.Anchor.ID
		d.Model.ID = c.OtherRun(d.Anchor.ID)
	}
	policy, err := v.Policy.NewPolicy(who, d.Model.Config.Dataset)
	if err != nil {
		return judging.Look{}, err
	}
	r := voteCounter{Look: judging.Look{Of: c, At: v.Now()}, v: v, policy: policy, d: d, most: n, contest: metric.NewPairwise(metric.MergeMLLMBench)}
	for p, err := range v.Store.Votes().OfComparison(ctx, c) {
		if err != nil {
			return r.Look, err
		}
		if err := r.addVoteOfSample(p); err != nil {
			return r.Look, err
		}
	}
	if err := r.countSample(); err != nil {
		return r.Look, err
	}
	return r.makeLook(), v.Policy.RecordShown(ctx, who, "votes of "+c.Judge, r.told)
}

// voteCounter goes through the votes of a comparison sample by sample.
type voteCounter struct {
	judging.Look
	v       Judging
	policy  *blind.Policy
	d       judgingpkg.Runs
	most    int // replies of a kind
	contest *metric.Pairwise
	at      eval.Ordinal
	stands  [2]*eval.Preference   // of the sample at hand: the model's answer first, and second
	single  metric.PairwiseCounts // of questions with one vote, if none has two
	both    bool                  // some question was asked in both orders
	told    []annotate.Disclosure
}

// addVoteOfSample takes the next vote; those of one sample come together.
func (r *voteCounter) addVoteOfSample(p eval.Preference) error {
	if p.Sample != r.at {
		if err := r.countSample(); err != nil {
			return err
		}
		r.at = p.Sample
	}
	order := eval.Either(p.First != r.d.Model.ID, 1, 0)
	if old := r.stands[order]; old == nil || p.HasReply() || !old.HasReply() {
		r.stands[order] = &p
	}
	return nil
}

func (r *voteCounter) countSample() error {
	q := metric.VotedQuestion{Answered: true}
	for order, p := range r.stands {
		if p == nil {
			continue
		}
		q.Orders++
		vote := voteUnlessFailed(p)
		q.Failed = q.Failed || !p.HasReply()
		if order == 0 {
			q.First = vote
		} else {
			q.Second, vote = vote, vote.Swapped()
		}
		r.countVote(vote)
		if vote == eval.VoteUnset {
			if err := r.keepVotelessCall(p, order == 1); err != nil {
				return err
			}
		}
	}
	if q.Orders > 0 {
		r.contest.AddQuestion(&q)
		r.single.Results[q.SingleResult()]++
		r.both = r.both || q.Orders == 2
	}
	r.stands = [2]*eval.Preference{}
	return nil
}

// countVote counts a vote, with the model's answer as the first.
func (r *voteCounter) countVote(v eval.Vote) {
	switch v {
	case eval.Answer1:
		r.Model++
	case eval.Answer2:
		r.Anchor++
	case eval.SituationOne, eval.SituationTwo:
		r.Unable++
	case eval.VoteUnset:
	}
}

// keepVotelessCall keeps a call that gave no vote, without its words where these would say
// something about an item that is yet to be answered.
func (r *voteCounter) keepVotelessCall(p *eval.Preference, swapped bool) error {
	list, more := &r.Unparsed, &r.MoreReplies
	if !p.HasReply() {
		list, more = &r.Failures, &r.MoreFails
	}
	if len(*list) >= r.most {
		*more++
		return nil
	}
	view, err := r.policy.ViewSample(p.Sample)
	if err != nil {
		return err
	}
	s, err := r.v.Store.Datasets().Sample(r.d.Model.Config.Dataset, p.Sample)
	if err != nil {
		return err
	}
	one := judging.Reply{Sample: s.ID, Visibility: blind.TextHidden, Swapped: swapped}
	if view.ShowsVotes() {
		one.Visibility, one.Raw, one.Earlier = blind.AllVisible, p.Raw, p.Earlier
		r.told = append(r.told, pairItemKey(p.Pair).NewDisclosures(r.d.Model.Config.Dataset, annotate.ModelContent, annotate.JudgeContent)...)
		if p.Failure != nil {
			one.Failure, one.Kind = cmp.Or(p.Failure.Message, p.Failure.Kind.String()), p.Failure.Kind
		}
	}
	*list = append(*list, one)
	return nil
}

// makeLook gives what the votes come to: in both orders by the rule of reports, in one as the one vote says.
func (r *voteCounter) makeLook() judging.Look {
	b := r.contest.TotalCounts()
	r.Orders = 2
	if !r.both {
		b, r.Orders = &r.single, min(b.N()+b.Results[metric.Incomplete], 1)
	}
	r.Results = judging.Results{
		Win: b.Results[metric.Win], Lose: b.Results[metric.Lose], Tie: b.Results[metric.Tie],
		SituationOne: b.Results[metric.SituationOne], SituationTwo: b.Results[metric.SituationTwo],
		Unable: b.Results[metric.Unable], N: b.N(), Incomplete: b.Results[metric.Incomplete],
	}
	r.WinRate = b.WinRate()
	whole := r.contest.TotalCounts()
	r.Same, r.First = whole.PositionRate(metric.Same), whole.PositionRate(metric.FirstBoth)
	r.Second, r.Other = whole.PositionRate(metric.SecondBoth), whole.PositionRate(metric.OtherPosition)
	return r.Look
}

// Criteria shows the store as the screen of criteria reads it.
type Criteria struct{ facts.Source }

// NewCriteria shows a project's.
func NewCriteria(st *store.Store) Criteria { return Criteria{facts.NewSource(st)} }

// Rows are all samples of a dataset with their criteria.
func (c Criteria) Rows(ctx context.Context, d eval.DatasetName) ([]criteriascreen.Row, error) {
	sets, err := criteria.SetsBySample(c.Store.Criteria().All(ctx, d))
	if err != nil {
		return nil, err
	}
	stands, _, err := c.PeoplesGrades(ctx, d)
	if err != nil {
		return nil, err
	}
	disputed := rubric.FindDisputedCriteria(stands, func(o eval.Ordinal) []criteria.Criterion { set := sets[o]; return set.Criteria() })
	var out []criteriascreen.Row
	err = eval.ForEachRead(c.Store.Datasets().Samples(ctx, d), func(s eval.Sample) {
		set, acted := sets[s.Ordinal]
		if !acted {
			set = criteria.NewSet(d, s.Ordinal)
		}
		out = append(out, criteriascreen.Row{Sample: s, Set: set, Disputed: disputed[s.Ordinal]})
	})
	return out, err
}

// NewHiddenCriteriaSearch finds the samples whose criteria the queues of pairs keep from a person.
func NewHiddenCriteriaSearch(st *store.Store, policies *blind.Policies) func(context.Context, annotate.Annotator, eval.DatasetName) (map[eval.Ordinal]annotate.QueueName, error) {
	return func(ctx context.Context, who annotate.Annotator, d eval.DatasetName) (map[eval.Ordinal]annotate.QueueName, error) {
		out := make(map[eval.Ordinal]annotate.QueueName)
		policy, err := policies.NewPolicy(who, d)
		if err != nil || !policy.HidesCriteria() {
			return out, err
		}
		err = eval.EachRead(st.Datasets().Samples(ctx, d), func(s eval.Sample) error {
			q, err := policy.CriteriaHiddenBy(s.Ordinal)
			if q != "" {
				out[s.Ordinal] = q
			}
			return err
		})
		return out, err
	}
}

// Set gives the criteria of one sample.
func (c Criteria) Set(d eval.DatasetName, o eval.Ordinal) (criteria.Set, error) {
	return c.Store.Criteria().Set(d, o)
}

// Add adds a sample, with the picture that its path leads to.
func (c Criteria) Add(ctx context.Context, d eval.DatasetName, a criteriascreen.Addition) (eval.Sample, error) {
	item := dataset.Item{Sample: a.Sample}
	if a.Picture != "" {
		var err error
		if item.Sample.Pictures, item.Pictures, err = readImageFile(ctx, a.Picture); err != nil {
			return eval.Sample{}, err
		}
	}
	return c.Store.Datasets().AddSample(ctx, d, item)
}

// readImageFile reads a file that is a picture, which a model can be shown.
func readImageFile(ctx context.Context, path string) ([]eval.Picture, map[eval.PictureHash][]byte, error) {
	path = resolveTypedPath(path)
	data, err := bound.ReadFile(path, bound.Picture)
	if err == nil {
		err = openai.RefuseUnfitPicture(ctx, data)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("image %s: %w; name another file, or none", path, err)
	}
	hash := eval.PictureHash(fmt.Sprintf("%x", sha256.Sum256(data)))
	return []eval.Picture{{Hash: hash, Name: filepath.Base(path)}}, map[eval.PictureHash][]byte{hash: data}, nil
}

// Writers are all writers of people's acts, as one.
type Writers struct {
	Journal  *session.Journal
	Criteria *criteria.Writer
	Curation *curation.Journal
}

// State adds up what waits and what is saved.
func (s Writers) State() session.JournalState {
	out, more, verdicts := s.Journal.State(), s.Criteria.State(), s.Curation.State()
	out.Saved += more.Saved + verdicts.Saved
	out.Pending += more.Pending + verdicts.Pending
	out.Err = cmp.Or(out.Err, more.Err, verdicts.Err)
	return out
}

// Flush waits until all have stored everything.
func (s Writers) Flush(ctx context.Context) error {
	return errors.Join(s.Journal.Flush(ctx), s.Criteria.Flush(ctx), s.Curation.Flush(ctx))
}
