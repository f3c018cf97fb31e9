package view

import (
	"context"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/review"
	"concord/eval"
	"concord/tui/secondlook"
)

// Review shows one person what asks for a second look, as far as their policy
// lets it through.
type Review struct {
	SecondLook
	Policy  *blind.Policies
	Decides bool // they decide on what others raised
	Writes  bool // they write and review criteria
}

var _ secondlook.Source = Review{}

// Entries lists what the person may see, and records that they are shown it.
func (r Review) Entries(ctx context.Context, who annotate.Annotator) (out secondlook.List, err error) {
	all, err := r.SecondLook.Entries(ctx, "")
	if err != nil {
		return out, err
	}
	policies := make(map[eval.DatasetName]*blind.Policy)
	var told []annotate.Disclosure
	for i := range all {
		e := &all[i]
		if policies[e.Dataset] == nil {
			if policies[e.Dataset], err = r.Policy.For(who, e.Dataset); err != nil {
				return out, err
			}
		}
		switch shown, err := r.shows(policies[e.Dataset], e, who); {
		case err != nil:
			return out, err
		case !shown && r.raised(e):
			out.Hidden++
			continue
		case !shown:
			continue
		}
		row := secondlook.Row{Entry: *e}
		s, err := r.Store.Datasets().Sample(e.Dataset, e.Item.Sample)
		if err != nil {
			return out, err
		}
		row.Sample = s.ID
		if e.Queue != "" {
			at, err := r.Store.Queues().IndexOf(e.Queue, e.Item)
			if err != nil {
				return out, err
			}
			row.Number = at + 1
			if !e.Own(who) || e.Closed != nil && e.Closed.By.Who != who {
				told = append(told, e.Item.Disclose(e.Dataset, annotate.OthersContent)...)
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out, r.Policy.Show(ctx, who, "second look", told)
}

// raised reports whether the person is told that there is an entry which is kept
// from them: of what only some decide on, others know nothing.
func (r Review) raised(e *review.Entry) bool {
	return r.Decides && e.Queue != ""
}

// shows reports whether a person may see an entry.
func (r Review) shows(p *blind.Policy, e *review.Entry, who annotate.Annotator) (bool, error) {
	switch e.Matter {
	case annotate.ChangesMatter:
		hidden, err := p.CriteriaHiddenBy(e.Item.Sample)
		return r.Writes && hidden == "", err
	case annotate.DisagreementMatter, annotate.GoldMatter:
		if !r.Decides {
			return false, nil
		}
	case annotate.FlagMatter, annotate.NoteMatter, annotate.CommentMatter, annotate.ExclusionMatter, annotate.MatterUnset:
	}
	v, err := p.Sample(e.Item.Sample)
	if err != nil {
		return false, err
	}
	if v.Hears(e.Queue, e.Item, r.Decides) {
		return true, nil
	}
	if c := e.Closed; c != nil && c.By.Who != who {
		hidden := *c
		hidden.Text = ""
		e.Closed = &hidden
	}
	return e.Own(who), nil
}
