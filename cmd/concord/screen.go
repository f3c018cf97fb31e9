package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/cmd/concord/internal/config"
	"concord/eval"
	"concord/store"
	"concord/tui"
	"concord/tui/term"
)

// screenOptions say how the app opens.
type screenOptions struct {
	as        string
	synthetic bool
	start     tui.Start
	quotas    []criteria.Quota
	curate    curateStart
	taste     taste
	lab       *lab // nil: made from the configuration
	pictures  pictures
	tour      *tui.Tour            // nil: there is none
	role      annotate.Role        // of a guest, who stays who they are; unset: whoever has the file may do everything
	begin     func(*starter) error // starts runs before the screen shows; may be nil
}

// showScreen shows the app on an open project. The order of its end: the screen
// has flushed the journal, the journal is closed, runs are cancelled and waited
// for; the caller closes the store.
func showScreen(ctx context.Context, a *app, st *store.Store, o screenOptions) (err error) {
	if err := needTerminal(a); err != nil {
		return err
	}
	if err := forPacket(a, st, &o); err != nil {
		return err
	}
	if inLines(a) {
		return runLinear(ctx, a, o)
	}
	conf, err := config.LoadScreen(a.configPlaces())
	if err != nil {
		return err
	}
	want, err := wantImages(a, conf.UI().Images)
	if err != nil {
		return err
	}
	session, out := probe(), term.NewOutput(os.Stdout)
	o.pictures = picturesOn(ctx, session, want, out)
	if o.taste, err = newTaste(a, conf); err != nil {
		return err
	}
	h, err := hostOf(a).open(o.lab, o.begin)
	if err != nil {
		return err
	}
	v := h.visit(o)
	v.copy, v.paint, v.local = copier(out), out.Paint, true
	err = v.run(ctx, session, term.Options(os.Stdin, out))
	return errors.Join(err, v.close(), a.guests.Close())
}

// closeJournal commits what is still waiting, for as long as that may take a
// slow disk, but not for ever.
func closeJournal(a *app, j interface{ Close(context.Context) error }) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return j.Close(ctx)
}

// synthetic reports whether the project holds a dataset that was made up.
func synthetic(st *store.Store) bool {
	all, err := st.Datasets().List()
	return err == nil && slices.ContainsFunc(all, func(d eval.Dataset) bool { return d.Synthetic })
}

// curateStart is how the screen of curation opens.
type curateStart struct {
	flags  curateFlags
	settle bool
}

// forPacket has the app work under the name that a packet is for, since labels
// under another one would not come home, and open on its queue.
func forPacket(a *app, st *store.Store, o *screenOptions) error {
	p, is, err := st.Packets().Here()
	switch {
	case err != nil || !is:
		return err
	case o.as != "" && o.as != string(p.Who):
		return asUsage(fmt.Errorf("project %s is a packet for %s: labels of %s would not come home", a.path, p.Who, o.as))
	}
	o.as = string(p.Who)
	if o.start == (tui.Start{}) {
		o.start = tui.Start{Tab: tui.TabReview, Queue: p.Queue}
	}
	return nil
}
