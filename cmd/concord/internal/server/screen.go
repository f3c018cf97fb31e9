package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/screen"
	"concord/cmd/concord/internal/view"
	"concord/eval"
	"concord/store"
	"concord/tui"
	"concord/tui/accessible"
	"concord/tui/home"
	"concord/tui/term"
)

// ScreenOptions say how the app opens.
type ScreenOptions struct {
	As          string
	Synthetic   bool
	Start       tui.Start
	Quotas      []criteria.Quota
	Curate      CurateStart
	Preferences screen.Preferences
	Factory     *jobs.Factory // nil: made from the configuration
	pictures    screen.Pictures
	Tour        *tui.Tour                   // nil: there is none
	role        annotate.Role               // of a guest, who stays who they are; unset: whoever has the file may do everything
	Begin       func(*jobs.Scheduler) error // starts runs before the screen shows; may be nil
}

// ShowScreen shows the app on an open project. The order of its end: the screen has flushed the
// journal, the journal is closed, runs are cancelled and waited for; the caller closes the store.
func ShowScreen(ctx context.Context, a *project.Project, st *store.Store, o ScreenOptions) (err error) {
	if err := screen.RequireTerminal(a); err != nil {
		return err
	}
	if err := SetPacketAnnotator(a, st, &o); err != nil {
		return err
	}
	if screen.UsesPrompts(a) {
		return runInPrompts(ctx, a, o)
	}
	conf, err := config.LoadScreenSettings(a.ConfigPlaces())
	if err != nil {
		return err
	}
	want, err := screen.ChooseImages(a, conf.UISettings().Images)
	if err != nil {
		return err
	}
	session, out := screen.ProbeAndStyle(), term.NewOutput(os.Stdout)
	o.pictures = screen.NewImageOutput(session, want, out, uint8(os.Getpid()%255+1)).WithDesktopViewer()
	if o.Preferences, err = screen.NewPreferences(a, conf); err != nil {
		return err
	}
	h, err := FindListener(a).openStateForScreen(o.Factory, o.Begin)
	if err != nil {
		return err
	}
	v := h.OpenConnection(o)
	v.copy, v.paint, v.local = screen.NewClipboardCopier(out), out.WrapModel, true
	err = v.runScreenApp(ctx, session, term.NewProgramOptions(os.Stdin, out))
	return errors.Join(err, v.Close(), a.Guests.Close())
}

// isSynthetic reports whether the project holds a dataset that was made up.
func isSynthetic(st *store.Store) bool {
	all, err := st.Datasets().List()
	return err == nil && slices.ContainsFunc(all, func(d eval.Dataset) bool { return d.Synthetic })
}

// CurateStart is how the screen of curation opens.
type CurateStart struct {
	Flags         curating.Flags
	Disagreements bool
}

// SetPacketAnnotator has the app work under the name that a packet is for, since labels
// under another one would not come home, and open on its queue.
func SetPacketAnnotator(a *project.Project, st *store.Store, o *ScreenOptions) error {
	p, is, err := st.Packets().OwnPacket()
	switch {
	case err != nil || !is:
		return err
	case o.As != "" && o.As != string(p.Who):
		return cli.NewUsageError(fmt.Errorf("project %s is a packet for %s: labels of %s would not come home", a.Path, p.Who, o.As))
	}
	o.As = string(p.Who)
	if o.Start == (tui.Start{}) {
		o.Start = tui.Start{Tab: tui.TabReview, Queue: p.Queue}
	}
	return nil
}

// runInPrompts gives the app without a screen: one queue, worked through in prompts. It ends as screen does.
func runInPrompts(ctx context.Context, a *project.Project, o ScreenOptions) (err error) {
	if o.Start.Tab == tui.TabCriteria || o.Start.Tab == tui.TabCurate {
		return cli.NewUsageError(errors.New("--accessible is for labels and votes: concord review, concord vote; criteria and curation have their files (concord export, concord import)"))
	}
	h, err := FindListener(a).openStateForScreen(o.Factory, o.Begin)
	if err != nil {
		return err
	}
	v := h.OpenConnection(o)
	err = v.runPromptsUntilEOF(ctx, a.In, a.Out)
	return errors.Join(err, v.Close(), a.Guests.Close())
}

// runPromptsUntilEOF asks who works, and on what, and works through it.
func (v *Connection) runPromptsUntilEOF(ctx context.Context, from io.Reader, out io.Writer) error {
	in := accessible.NewLines(from)
	defer in.Close()
	err := v.runQueueInLines(ctx, in, out)
	return eval.Either(errors.Is(err, io.EOF), nil, err) // whoever ends the input leaves
}

func (v *Connection) runQueueInLines(ctx context.Context, in *accessible.Lines, out io.Writer) error {
	a, st, o, journal := v.shared.app, v.shared.st, &v.Options, v.Saved.Journal
	who := eval.Either(o.role == annotate.RoleUnset, a.GivenOrRememberedName(o.As), annotate.Annotator(o.As))
	for who == "" {
		name, err := accessible.AskLine(ctx, in, out, "Who is annotating? The name is kept with each of your labels: ")
		if err != nil {
			return err
		}
		if who = annotate.Annotator(cli.EscapeControls(name)); who != "" {
			if err := st.Disclosures().AssignName(ctx, who); err != nil {
				return err
			}
			if err := a.RememberName(who); err != nil {
				a.Log.Warn("name not kept", "err", err)
			}
		}
	}
	queue, err := chooseOrAskQueue(ctx, st, in, out, who, o.Start)
	if err != nil {
		return err
	}
	return accessible.RunQueue(ctx, accessible.Deps{
		Queue: queue, Annotator: who, Items: view.Queue{Store: st, Who: who, Sync: v.shared.AwaitActsStored, Pool: v.shared.Pool, Policy: v.shared.policies}, Journal: journal, Now: a.Now, In: in, Out: out,
		Machine: view.Reveal{Store: st, Policy: v.shared.policies, Who: who},
	})
}

// chooseOrAskQueue chooses the queue that was named, the only one that there is, or the one that is chosen.
func chooseOrAskQueue(ctx context.Context, st *store.Store, in *accessible.Lines, out io.Writer, who annotate.Annotator, start tui.Start) (annotate.QueueName, error) {
	if start.Queue != "" {
		return start.Queue, nil
	}
	all, err := view.Overview{Store: st}.Queues(ctx, who)
	if err != nil {
		return "", err
	}
	all = eval.Select(all, func(q home.Queue) bool {
		return start.Tab != tui.TabReview || (q.Rule.From == annotate.FromPairs) == start.Pairs
	})
	switch len(all) {
	case 0:
		return "", cli.NewUsageError(errors.New("there is no queue to work on yet: concord queue create NAME --dataset NAME makes one"))
	case 1:
		return all[0].Name, nil
	}
	i, err := accessible.AskChoice(ctx, in, out, "Which queue?", eval.Map(all, func(q home.Queue) string {
		return fmt.Sprintf("%s, on %s: %d of %d done by you", q.Name, q.Rule.Dataset, q.Labelled, q.Items)
	}))
	if err != nil {
		return "", err
	}
	return all[i].Name, nil
}
