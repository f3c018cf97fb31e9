package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/screen"
	"concord/eval"
	"concord/store"
	"concord/tui"
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

// ShowScreen shows the app on an open project. The order of its end: the screen
// has flushed the journal, the journal is closed, runs are cancelled and waited
// for; the caller closes the store.
func ShowScreen(ctx context.Context, a *project.Project, st *store.Store, o ScreenOptions) (err error) {
	if err := screen.NeedTerminal(a); err != nil {
		return err
	}
	if err := ForPacket(a, st, &o); err != nil {
		return err
	}
	if screen.Accessible(a) {
		return runLinear(ctx, a, o)
	}
	conf, err := config.LoadScreen(a.ConfigPlaces())
	if err != nil {
		return err
	}
	want, err := screen.WantImages(a, conf.UI().Images)
	if err != nil {
		return err
	}
	session, out := screen.Probe(), term.NewOutput(os.Stdout)
	o.pictures = screen.PicturesOn(session, want, out, uint8(os.Getpid()%255+1)).Outside()
	if o.Preferences, err = screen.NewPreferences(a, conf); err != nil {
		return err
	}
	h, err := ListenerOf(a).open(o.Factory, o.Begin)
	if err != nil {
		return err
	}
	v := h.Connect(o)
	v.copy, v.paint, v.local = screen.Copier(out), out.Paint, true
	err = v.run(ctx, session, term.Options(os.Stdin, out))
	return errors.Join(err, v.Close(), a.Guests.Close())
}

// closeJournal commits what is still waiting, for as long as that may take a
// slow disk, but not for ever.
func closeJournal(j interface{ Close(context.Context) error }) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return j.Close(ctx)
}

// synthetic reports whether the project holds a dataset that was made up.
func synthetic(st *store.Store) bool {
	all, err := st.Datasets().List()
	return err == nil && slices.ContainsFunc(all, func(d eval.Dataset) bool { return d.Synthetic })
}

// CurateStart is how the screen of curation opens.
type CurateStart struct {
	Flags         curating.Flags
	Disagreements bool
}

// ForPacket has the app work under the name that a packet is for, since labels
// under another one would not come home, and open on its queue.
func ForPacket(a *project.Project, st *store.Store, o *ScreenOptions) error {
	p, is, err := st.Packets().Here()
	switch {
	case err != nil || !is:
		return err
	case o.As != "" && o.As != string(p.Who):
		return cli.Usage(fmt.Errorf("project %s is a packet for %s: labels of %s would not come home", a.Path, p.Who, o.As))
	}
	o.As = string(p.Who)
	if o.Start == (tui.Start{}) {
		o.Start = tui.Start{Tab: tui.TabReview, Queue: p.Queue}
	}
	return nil
}
