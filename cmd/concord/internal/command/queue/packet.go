package queue

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/packet"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/screen"
	"concord/cmd/concord/internal/server"
	"concord/eval"
	"concord/store"
	"concord/tui"
)

// NewPacketCmd makes the command packet.
func NewPacketCmd(a *project.Project) *cobra.Command {
	return project.NewGroupCmd("packet", "Hand a part of a queue to somebody who is away, and bring the labels home",
		newPacketMakeCmd(a), newPacketMergeCmd(a), newPacketRecallCmd(a),
		project.NewShowCmd(a, "list", "List the packets: what is out, for whom, since and until when, and what came back", listPackets))
}

func newPacketMakeCmd(a *project.Project) *cobra.Command {
	var o packetOrder
	cmd := project.NewCmd("make --queue NAME --for PERSON", "Write a packet: a project file with what a person has left of a queue", nil, func(cmd *cobra.Command, _ []string) error {
		if o.items < 0 || o.days < 1 {
			return cli.NewUsageError(errors.New("--items counts items and --days whole days, at least one"))
		}
		return a.ChangeStoreOrForward(cmd, nil, func(st *store.Store) error { return makePacket(cmd.Context(), a, st, &o) })
	})
	fs := cmd.Flags()
	fs.StringVar(&o.queue, "queue", "", "the queue (required)")
	fs.StringVar(&o.who, "for", "", "the `person` whose items these are, as their labels name them (required)")
	fs.StringVarP(&o.file, "out", "o", "", "write to this `file` (default: packet-QUEUE-PERSON.db)")
	fs.IntVar(&o.items, "items", 0, "at most so many items (default: all that are left)")
	fs.IntVar(&o.days, "days", 14, "how long the items are kept from others")
	fs.StringVar(&o.by, "as", project.DefaultUserName(), "who makes the packet")
	a.MarkRequiredFlags(cmd, "queue", "for")
	return cmd
}

func newPacketRecallCmd(a *project.Project) *cobra.Command {
	var as string
	cmd := project.NewCmd("recall ID", "Keep a packet's items from others no longer", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		return a.ChangeStoreOrForward(cmd, nil, func(st *store.Store) error { return recallPacket(cmd.Context(), a, st, args[0], as) })
	})
	project.AddActorFlag(cmd, &as)
	cmd.ValidArgsFunction = project.CompleteFirstArg(project.CompleteFromProject(a, listPacketCompletions))
	return cmd
}

type packetLine struct {
	Packet    string             `json:"packet"`
	Queue     annotate.QueueName `json:"queue"`
	Annotator annotate.Annotator `json:"annotator"`
	State     packet.State       `json:"state"`
	Items     int                `json:"items"`
	Labels    int                `json:"labels"` // that it brought home
	By        annotate.Annotator `json:"by,omitempty"`
	Made      time.Time          `json:"made"`
	Until     time.Time          `json:"until"`
	Merged    time.Time          `json:"merged,omitzero"`
	Recalled  time.Time          `json:"recalled,omitzero"`
	Here      bool               `json:"here,omitempty"` // this project is the packet
}

func newPacketLine(p *packet.Packet, now time.Time) packetLine {
	return packetLine{
		Packet: p.ID, Queue: p.Queue, Annotator: p.Who, State: p.StateAt(now), Items: p.Items, Labels: p.Labels, By: p.By,
		Made: p.Made, Until: p.Until, Merged: p.Merged, Recalled: p.Recalled, Here: p.Here,
	}
}

func listPackets(a *project.Project, st *store.Store) error {
	all, err := st.Packets().List()
	if err != nil {
		return err
	}
	lines := append([]packetLine{}, eval.Map(all, func(p packet.Packet) packetLine { return newPacketLine(&p, a.Now()) })...)
	if a.JSON {
		return a.WriteJSON(map[string]any{"report": "packets", "rows": lines})
	}
	if len(lines) == 0 {
		_, err := fmt.Fprintln(a.Out, "no packets yet (make one with: concord packet make --queue NAME --for PERSON)")
		return err
	}
	head := []string{"PACKET", "QUEUE", "FOR", "ITEMS", "MADE", "UNTIL", "STATE", "LABELS HOME"}
	return cli.WriteColumns(a.Out, append([][]string{head}, eval.Map(lines, func(l packetLine) []string {
		return []string{l.Packet, string(l.Queue), string(l.Annotator), fmt.Sprint(l.Items), formatDay(l.Made), formatDay(l.Until), l.describePlace(), eval.Either(l.Merged.IsZero(), "-", fmt.Sprintf("%d of %d", l.Labels, l.Items))}
	})...))
}

func (l *packetLine) describePlace() string {
	switch {
	case l.Here:
		return "this project"
	case l.State == packet.Merged:
		return "merged " + formatDay(l.Merged)
	case l.State == packet.Recalled:
		return "recalled " + formatDay(l.Recalled)
	}
	return string(l.State)
}

func formatDay(t time.Time) string { return t.Local().Format("2006-01-02") }

func recallPacket(ctx context.Context, a *project.Project, st *store.Store, id, as string) error {
	p, err := st.Packets().Packet(id)
	if err == nil && p.Here {
		err = fmt.Errorf("packet %s is this project itself: recall it where it was made", id)
	}
	if errors.Is(err, eval.ErrNotFound) {
		err = fmt.Errorf("%w (see: concord packet list)", err)
	}
	if err != nil {
		return err
	}
	if err := st.Packets().RecallPacket(ctx, id, annotate.Annotator(a.ActorName(as)), a.Now()); err != nil {
		return err
	}
	if p, err = st.Packets().Packet(id); err != nil {
		return err
	}
	return a.PrintResult(newPacketLine(&p, a.Now()), "packet %s of %s keeps %s of queue %s from others no longer\n", cli.EscapeControls(id), cli.EscapeControls(string(p.Who)), cli.FormatCount(p.Items, "item"), cli.EscapeControls(string(p.Queue)))
}

// isSamePath reports whether two names are one file.
func isSamePath(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

func listPacketCompletions(st *store.Store) ([]string, error) {
	all, err := st.Packets().List()
	return eval.Map(all, func(p packet.Packet) string {
		return project.FormatCompletion(p.ID, "queue "+string(p.Queue)+", for "+string(p.Who))
	}), err
}

// returnedPacket is a packet that came back, as far as it was read. Its names are
// exported for gob: where another process holds the project, it is sent there.
type returnedPacket struct {
	Packet packet.Packet
	Items  []annotate.QueueItem
	IDs    []eval.SampleID // of the items
	Acts   []annotate.Act
	Others []annotate.Annotator
}

// readReturnedPacket reads a packet's file, or takes it as another process has read it.
func readReturnedPacket(ctx context.Context, a *project.Project, path string) (*returnedPacket, error) {
	if a.Held != nil {
		in := new(returnedPacket)
		return in, eval.WrapError(gob.NewDecoder(bytes.NewReader(a.Sent[path])).Decode(in), "read what was sent")
	}
	in, err := loadPacketFile(ctx, a, path)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(in); err != nil {
		return nil, fmt.Errorf("make it ready to be sent: %w", err)
	}
	a.Sent = map[string][]byte{path: text.Bytes()}
	return in, nil
}

// loadPacketFile reads a packet's file, which stays as it is.
func loadPacketFile(ctx context.Context, a *project.Project, path string) (in *returnedPacket, err error) {
	st, err := store.Open(path, store.Options{ReadOnly: true, Now: a.Now, Logger: a.Log})
	switch {
	case errors.Is(err, store.ErrLocked):
		return nil, fmt.Errorf("the packet is open in another process: close it there first: %w", store.ErrLocked)
	case errors.Is(err, fs.ErrNotExist):
		return nil, eval.NewNotFoundError("there is no such file")
	case errors.Is(err, store.ErrNotProject), errors.Is(err, store.ErrCorrupt):
		return nil, fmt.Errorf("the file is no packet, or a damaged one: %w", err)
	case err != nil:
		return nil, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	return readPacketContents(ctx, st)
}

func readPacketContents(ctx context.Context, st *store.Store) (*returnedPacket, error) {
	damaged := func(err error) error { return fmt.Errorf("the packet is damaged: %w", err) }
	here, is, err := st.Packets().OwnPacket()
	switch {
	case err != nil:
		return nil, damaged(err)
	case !is:
		return nil, errors.New("it is a project, and no packet")
	}
	in := &returnedPacket{Packet: here}
	asked := make(map[annotate.ItemKey]annotate.Item)
	for it, err := range st.Queues().QueueItems(ctx, here.Queue) {
		if err != nil {
			return nil, damaged(err)
		}
		one, err := st.Queues().Item(ctx, here.Queue, it.Index)
		if err != nil {
			return nil, damaged(err)
		}
		asked[it.Key] = one
		in.Items, in.IDs = append(in.Items, it), append(in.IDs, one.Sample)
	}
	if in.Acts, err = st.Acts().Acts(here.Queue, here.Who); err != nil {
		return nil, damaged(err)
	}
	for i := range in.Acts {
		a := &in.Acts[i]
		if err := checkLabelFits(asked[a.Item], a); err != nil {
			return nil, damaged(fmt.Errorf("act %d of %s: %w", a.N, a.Annotator, err))
		}
	}
	people, err := st.Acts().Annotators(here.Queue)
	in.Others = slices.DeleteFunc(people, func(who annotate.Annotator) bool { return who == here.Who })
	return in, err
}

// checkLabelFits says why a label cannot have been given to what was asked.
func checkLabelFits(it annotate.Item, a *annotate.Act) error {
	r, pair := &a.Reading, it.Key.Against != 0
	switch {
	case a.Kind != annotate.Labelled:
		return nil
	case pair != (r.Kind == annotate.Voted), r.Kind == annotate.Scored && it.Reference == "", r.Kind == annotate.ReadingUnset,
		int(r.Vote) >= eval.Votes, r.Score < 0, r.Score > eval.TopScore, !(a.Confidence >= 0 && a.Confidence <= 1):
		return fmt.Errorf("%s is no answer to sample %s", r.Word(), it.Sample)
	}
	return exchange.CheckChoiceOffered(eval.Shown{Options: it.Options}, it.Kind, r.Choice)
}

// NewReviewCmd makes the command review.
func NewReviewCmd(a *project.Project) *cobra.Command {
	return newQueueAppCmd(a, "review", "Label a queue, one key an item", func(q *annotate.Queue) error {
		if q.Rule.From == annotate.FromPairs {
			return cli.NewUsageError(fmt.Errorf("queue %s is of pairs of answers: vote on it with concord vote --queue %s", q.Name, cli.QuoteForShell(string(q.Name))))
		}
		return nil
	})
}

// NewVoteCmd makes the command vote.
func NewVoteCmd(a *project.Project) *cobra.Command {
	return newQueueAppCmd(a, "vote", "Say which of two answers is better, one key a pair", func(q *annotate.Queue) error {
		if q.Rule.From != annotate.FromPairs {
			return cli.NewUsageError(fmt.Errorf("queue %s is of %s answers, and no pairs: label it with concord review --queue %s", q.Name, q.Rule.From.DisplayName(), cli.QuoteForShell(string(q.Name))))
		}
		return nil
	})
}

// newQueueAppCmd opens the app on a queue that fits; without one, where queues are chosen.
func newQueueAppCmd(a *project.Project, use, short string, fits func(*annotate.Queue) error) *cobra.Command {
	var queue string
	cmd := project.NewCmd(use, short, nil, func(cmd *cobra.Command, _ []string) error {
		if err := screen.RequireTerminal(a); err != nil {
			return err
		}
		o := server.ScreenOptions{As: a.Screen.As, Start: tui.Start{Tab: tui.TabReview, Queue: annotate.QueueName(queue), Pairs: use == "vote"}}
		return server.ShowOrAttachScreen(cmd.Context(), a, o, func(st *store.Store) error {
			if queue == "" {
				return nil
			}
			q, err := st.Queues().Queue(annotate.QueueName(queue))
			if err != nil {
				return fmt.Errorf("%w (see: concord queue list)", err)
			}
			return fits(&q)
		})
	})
	cmd.Flags().StringVar(&queue, "queue", "", "the queue to work on (default: the only one, else asked for)")
	screen.AddFlags(a, cmd.Flags())
	return cmd
}
