package server

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"concord/annotate"
	"concord/cmd/concord/internal/roster"
	"concord/tui/team"
)

// paceOver is what a pace is told of, and mostActs how many acts of a queue are
// read for it: one a second.
const (
	paceOver = 10 * time.Minute
	mostActs = 600
)

// Team gives everybody, by name.
func (c Team) Team(ctx context.Context) ([]team.Member, error) {
	h := c.State
	known, err := roster.Members(h.st)
	if err != nil {
		return nil, err
	}
	all := make(map[annotate.Annotator]*team.Member)
	for i := range known {
		all[known[i].Name] = memberOf(&known[i])
	}
	h.mu.Lock()
	left := maps.Clone(h.left)
	h.mu.Unlock()
	for who, at := range left {
		if m := all[who]; m != nil {
			m.Seen = at
		}
	}
	for _, v := range h.Connections() {
		c.attend(all, v)
	}
	if err := c.seat(ctx, all); err != nil {
		return nil, err
	}
	out := make([]team.Member, 0, len(all))
	for _, who := range slices.Sorted(maps.Keys(all)) {
		out = append(out, *all[who])
	}
	return out, nil
}

func memberOf(m *roster.Member) *team.Member {
	out := &team.Member{Name: m.Name, Role: m.Role, Since: m.Since, By: m.GaveRole, Labels: m.Labels, Votes: m.Votes}
	for _, line := range m.Keys {
		out.Keys = append(out.Keys, keyOf(line))
	}
	return out
}

// attend adds a session to whoever works in it.
func (c Team) attend(all map[annotate.Annotator]*team.Member, v *Connection) {
	who := v.worker()
	if who == "" {
		return // they have not said who they are, and see no item before
	}
	m := all[who]
	if m == nil {
		m = &team.Member{Name: who}
		all[who] = m
	}
	if m.Role == annotate.RoleUnset && v.Options.role != annotate.RoleUnset {
		m.Role, m.FromKeyFile = v.Options.role, true
	}
	s := team.Session{ID: v.id, Since: v.since, Fixed: c.fixed(v)}
	if v.guest != nil {
		g := v.guest.Guest()
		s.From, s.Client, s.Since, s.Typed = g.Address, g.Client, g.Since, g.Typed
	}
	m.Sessions = append(m.Sessions, s)
}

// seat adds where people stand in the queues, and how fast they are.
func (c Team) seat(ctx context.Context, all map[annotate.Annotator]*team.Member) error {
	h := c.State
	queues, err := h.st.Queues().List()
	if err != nil {
		return err
	}
	spent := make(map[annotate.Annotator][]time.Duration)
	for i := range queues {
		q := &queues[i]
		tally, err := h.st.Acts().Tally(q.Name)
		if err != nil {
			return err
		}
		here := h.Pool.Annotators(q.Name)
		for who, m := range all {
			t, some := tally[who]
			sits := m.Here() && slices.Contains(here, who)
			if !some && !sits || ctx.Err() != nil {
				continue
			}
			m.Queues = append(m.Queues, team.QueueWork{Queue: q.Name, Done: t.Labelled, Items: q.Items, Growing: q.Growing, Here: sits})
			if t.Acts == 0 {
				continue
			}
			more, err := c.pace(m, q.Name, t.Acts)
			if err != nil {
				return err
			}
			spent[who] = append(spent[who], more...)
		}
	}
	for who, each := range spent {
		if n := len(each); n > 0 {
			slices.Sort(each)
			all[who].Speed.Timed, all[who].Speed.Median = n, (each[(n-1)/2]+each[n/2])/2
		}
	}
	return context.Cause(ctx)
}

// pace adds what somebody labelled in a queue of late, and gives how long they
// were at work on each item of this session's.
func (c Team) pace(m *team.Member, q annotate.QueueName, n int) ([]time.Duration, error) {
	acts, now := c.State.st.Acts(), c.State.app.Now()
	last, err := acts.Act(q, m.Name, uint32(n))
	if err != nil || last.Imported {
		return nil, err
	}
	if last.At.After(m.Seen) {
		m.Seen = last.At
	}
	began, over := now, paceOver
	if m.Here() {
		began = slices.MinFunc(m.Sessions, func(a, b team.Session) int { return cmp.Compare(a.Since.UnixNano(), b.Since.UnixNano()) }).Since
		over = min(paceOver, max(time.Minute, now.Sub(began)))
	}
	since := now.Add(-over)
	from := since
	if began.Before(from) {
		from = began
	}
	if m.Speed.Over = over; last.At.Before(from) {
		return nil, nil
	}
	recent, err := acts.Recent(q, m.Name, from, mostActs)
	if n := len(recent); n == mostActs && recent[n-1].At.After(since) { // older ones were not read
		m.Speed.Over = max(time.Second, now.Sub(recent[n-1].At))
	}
	var spent []time.Duration
	for i := range recent {
		a := &recent[i]
		if a.Kind != annotate.Labelled || a.Imported {
			continue
		}
		if !a.At.Before(since) {
			m.Speed.Labels++
		}
		if a.Spent > 0 && !a.At.Before(began) {
			spent = append(spent, a.Spent)
		}
	}
	return spent, err
}
