package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/assign"
	"concord/annotate/packet"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/server"
	"concord/cmd/concord/internal/view"
	"concord/eval"
	"concord/store"
)

func newPacketMergeCmd(a *project.Project) *cobra.Command {
	var as string
	cmd := project.NewCmd("merge FILE", "Bring home what a person did in a packet", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		return mergePacket(a, cmd, args[0], as)
	})
	project.AddActorFlag(cmd, &as)
	return cmd
}

// PacketMerged is what packet merge did.
type PacketMerged struct {
	Packet         string               `json:"packet"`
	Queue          annotate.QueueName   `json:"queue"`
	Annotator      annotate.Annotator   `json:"annotator"`
	Items          int                  `json:"items"`
	Read           int                  `json:"read"` // labels that stand in the packet
	Added          int                  `json:"added"`
	Revised        int                  `json:"revised"` // took the place of one that the packet brought before
	Unchanged      int                  `json:"unchanged"`
	Skipped        int                  `json:"skipped"`
	Acts           int                  `json:"acts"` // that were appended, of all kinds
	Contradictions []PacketClash        `json:"contradictions"`
	Late           []PacketClash        `json:"late"`
	Others         []annotate.Annotator `json:"others,omitempty"` // who worked in the packet too: nothing of theirs comes home
	Guideline      int                  `json:"guideline_unknown,omitempty"`
}

// PacketClash is what does not come home.
type PacketClash struct {
	Sample  eval.SampleID `json:"sample"`
	Pass    eval.Pass     `json:"pass"`
	Model   string        `json:"model,omitempty"`
	Against string        `json:"against,omitempty"`
	What    string        `json:"what"` // label, note or flag
	Home    string        `json:"home,omitempty"`
	Packet  string        `json:"packet"`
}

func mergePacket(a *project.Project, cmd *cobra.Command, path, as string) error {
	if a.Held == nil && isSamePath(path, a.Path) {
		return cli.NewUsageError(fmt.Errorf("%s is the project itself: name the project that the packet went out from with -p", path))
	}
	failed := func(err error) error { return fmt.Errorf("merge %s: %w", filepath.Base(path), err) }
	in, err := readReturnedPacket(cmd.Context(), a, path)
	if err != nil {
		return failed(err)
	}
	return a.ChangeStoreOrForward(cmd, nil, func(st *store.Store) error {
		out, err := mergeReturnedPacket(cmd.Context(), a, st, in, annotate.Annotator(a.ActorName(as)))
		if err != nil {
			return failed(err)
		}
		return printMerged(a, out)
	})
}

// mergeReturnedPacket finds out what a packet comes to, and commits it at once.
func mergeReturnedPacket(ctx context.Context, a *project.Project, st *store.Store, in *returnedPacket, by annotate.Annotator) (*PacketMerged, error) {
	p, err := st.Packets().Packet(in.Packet.ID)
	if errors.Is(err, eval.ErrNotFound) || err == nil && p.Here {
		err = eval.NewNotFoundError("packet %s (queue %s, for %s) did not go out from this project", in.Packet.ID, in.Packet.Queue, in.Packet.Who)
	}
	if err != nil {
		return nil, err
	}
	if err := p.CheckSamePacket(&in.Packet, in.Items); err != nil {
		return nil, err
	}
	q, err := st.Queues().Queue(p.Queue)
	if err != nil {
		return nil, err
	}
	for i, k := range p.Keys {
		s, err := st.Datasets().Sample(q.Rule.Dataset, k.Sample)
		if err == nil && s.ID != in.IDs[i] {
			err = fmt.Errorf("item %d of packet %s is sample %s, and was %s", i, p.ID, in.IDs[i], s.ID)
		}
		if err != nil {
			return nil, err
		}
	}
	var out packet.Outcome
	err = storeAmongSessions(ctx, a, st, &q, p.Who, func() (assign.MergedLabels, error) {
		home, err := loadPacketHome(st, q, p.Who)
		if err != nil {
			return assign.MergedLabels{}, err
		}
		came := assign.MergedLabels{Before: annotate.FoldActs(home.Acts).Labels}
		out = packet.MergeActs(&p, home, in.Items, in.Acts)
		came.After = annotate.FoldActs(slices.Concat(home.Acts, out.Acts)).Labels
		if labels := out.Added + out.Revised + out.Unchanged; len(out.Acts) > 0 || p.StateAt(a.Now()) != packet.Merged {
			err = st.Packets().MergePacket(ctx, p.ID, out.Acts, labels, by, a.Now())
		}
		return came, err
	})
	if err != nil {
		return nil, err
	}
	return newPacketMerged(st, &p, q.Rule.Dataset, &out, in.Others)
}

// tries is how often a packet is held anew against a queue in which others have
// filled an item up while it was looked at.
const tries = 5

// storeAmongSessions has somebody's acts be stored, among those of whoever is at work.
func storeAmongSessions(ctx context.Context, a *project.Project, st *store.Store, q *annotate.Queue, who annotate.Annotator, do func() (assign.MergedLabels, error)) error {
	again := func() (came assign.MergedLabels, err error) {
		for range tries {
			if came, err = do(); !errors.Is(err, annotate.ErrTaken) {
				break
			}
		}
		return came, err
	}
	in := server.FindListener(a).CurrentState()
	if in == nil {
		_, err := again()
		return err
	}
	err := in.Pool.StoreMergedActs(q, who, view.Queue{Store: st}.NewQueueReader(q), func() (assign.MergedLabels, error) {
		// Who has just left may have said something that is still to be stored, and is numbered.
		if err := in.AwaitActsStored(ctx, q.Name, who); err != nil {
			return assign.MergedLabels{}, fmt.Errorf("what %s said here is not saved: %w", who, err)
		}
		return again()
	})
	if errors.Is(err, assign.ErrWorking) {
		err = fmt.Errorf("%w: merge it when they have left the queue", err)
	}
	return err
}

func loadPacketHome(st *store.Store, q annotate.Queue, who annotate.Annotator) (packet.HomeState, error) {
	home := packet.HomeState{Queue: q}
	var err error
	if home.Acts, err = st.Acts().Acts(q.Name, who); err != nil {
		return home, err
	}
	if home.Crowds, err = st.Acts().Crowds(q.Name); err != nil {
		return home, err
	}
	golds, err := st.Queues().GoldItems(q.Name)
	home.Known = annotate.KnownItems(golds)
	return home, err
}

func newPacketMerged(st *store.Store, p *packet.Packet, d eval.DatasetName, o *packet.Outcome, others []annotate.Annotator) (*PacketMerged, error) {
	out := &PacketMerged{
		Packet: p.ID, Queue: p.Queue, Annotator: p.Who, Items: p.Items, Read: o.Labels, Added: o.Added, Revised: o.Revised,
		Unchanged: o.Unchanged, Skipped: o.Labels - o.Added - o.Revised - o.Unchanged, Acts: len(o.Acts),
		Contradictions: []PacketClash{}, Late: []PacketClash{}, Others: others, Guideline: o.Unread,
	}
	for _, part := range []struct {
		from []packet.Clash
		to   *[]PacketClash
	}{{o.Clashes, &out.Contradictions}, {o.Late, &out.Late}} {
		for _, c := range part.from {
			one, err := newPacketClash(st, d, &c)
			if err != nil {
				return nil, err
			}
			*part.to = append(*part.to, one)
		}
	}
	return out, nil
}

func newPacketClash(st *store.Store, d eval.DatasetName, c *packet.Clash) (PacketClash, error) {
	s, err := st.Datasets().Sample(d, c.Item.Sample)
	if err != nil {
		return PacketClash{}, err
	}
	out := PacketClash{Sample: s.ID, Pass: c.Item.Pass, What: c.Here.Kind.String()}
	for _, one := range []struct {
		run eval.RunID
		to  *string
	}{{c.Item.Run, &out.Model}, {c.Item.Against, &out.Against}} {
		if one.run == 0 {
			continue
		}
		run, err := st.Runs().Run(one.run)
		if err != nil {
			return out, err
		}
		*one.to = run.Config.Model
	}
	out.Packet = out.describeAct(&c.Here)
	if c.Home != nil {
		out.Home = out.describeAct(c.Home)
	}
	return out, nil
}

// describeAct describes an act in a word or two; of a vote the model that is preferred.
func (c *PacketClash) describeAct(a *annotate.Act) string {
	r := a.Reading
	switch {
	case a.Kind == annotate.Noted:
		return a.Text
	case a.Kind != annotate.Labelled:
		return a.Kind.String()
	case r.Kind != annotate.Voted:
		return r.Word()
	}
	v := eval.Either(r.Swapped, r.Vote.Swapped(), r.Vote)
	return cmp.Or(map[eval.Vote]string{eval.Answer1: c.Model, eval.Answer2: c.Against}[v], v.String())
}

func (c *PacketClash) describeItem() string {
	out := "sample " + string(c.Sample) + eval.Either(c.Pass > 0, fmt.Sprintf(" pass %d", c.Pass), "")
	if c.Against != "" {
		return out + " of " + c.Model + " and " + c.Against
	}
	out += eval.Either(c.Model != "", " of "+c.Model, "")
	return out
}

func printMerged(a *project.Project, m *PacketMerged) error {
	n := 0
	tell := func(format string, args ...any) {
		if n++; n <= cli.ShownProblems {
			_, _ = fmt.Fprintf(a.Err, "%s\n", cli.EscapeControls(fmt.Sprintf(format, args...)))
		}
	}
	for _, c := range m.Contradictions {
		tell("%s: %s said otherwise here meanwhile (%s): %s here, %s in the packet; what is here is kept", c.describeItem(), m.Annotator, c.What, c.Home, c.Packet)
	}
	for _, c := range m.Late {
		tell("%s: too late, others have given all the labels that it takes; the packet says %s", c.describeItem(), c.Packet)
	}
	if n > cli.ShownProblems {
		_, _ = fmt.Fprintf(a.Err, "... and %d more (--json lists all)\n", n-cli.ShownProblems)
	}
	if len(m.Others) > 0 {
		names := eval.JoinList(m.Others, func(who annotate.Annotator) string { return string(who) })
		_, _ = fmt.Fprintf(a.Err, "the packet is for %s: what %s did in it stays there\n", cli.EscapeControls(string(m.Annotator)), cli.EscapeControls(names))
	}
	if m.Guideline > 0 {
		_, _ = fmt.Fprintf(a.Err, "%s made under a guideline that was written in the packet: they say no version here\n", cli.FormatCountOf(m.Guideline, "label was", "labels were"))
	}
	return a.PrintResult(m, "packet %s of %s, queue %s: read %s of %d items, added %d, revised %d, unchanged %d, contradictions %d, too late %d\n", cli.EscapeControls(m.Packet),
		cli.EscapeControls(string(m.Annotator)), cli.EscapeControls(string(m.Queue)), cli.FormatCount(m.Read, "label"), m.Items, m.Added, m.Revised, m.Unchanged, len(m.Contradictions), len(m.Late))
}
