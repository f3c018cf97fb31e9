package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/screen"
	"concord/cmd/concord/internal/server/ssh"
	"concord/tui"
	"concord/tui/term"
)

// ErrNotAmong is said to somebody who comes in no more.
var ErrNotAmong = errors.New("you are not among the people of this project any more; ask its owner")

// ServeGuest is one session of somebody who came in by the gate, from its start to
// its end. When their role changes the app is opened anew, where they are.
func (h *Listener) ServeGuest(ctx context.Context, t *ssh.Terminal) (last string, err error) {
	one, err := h.openStateForScreen(nil, nil)
	if err != nil {
		return err.Error(), err
	}
	o, err := one.screenOptionsOf(t)
	if g := t.Guest(); err == nil && !g.Local && h.Known != nil {
		err = h.Known.StoreKeyHolder(ctx, g.Name, g.Key, h.Project.Now())
	}
	if err != nil {
		return err.Error(), err
	}
	if screen.IsAccessibleSet(term.NewEnvLookup(t.Environ())) {
		return one.runPromptsForGuest(ctx, t, o)
	}
	session := term.ProbeRemote(t, t.Environ())
	for {
		again, last, err := one.showAppToGuest(ctx, t, session, o)
		if kept := (keptError{}); last == "" && errors.As(err, &kept) {
			last = kept.Error()
		}
		if err != nil || again == nil {
			return last, err
		}
		role, err := one.findCurrentRole(annotate.Annotator(o.As))
		if err != nil {
			return err.Error(), nil //nolint:nilerr // it is no error of the session
		}
		if errors.Is(t.CheckStillAllowed(), ssh.ErrNobody) {
			return ErrNotAmong.Error(), nil
		}
		o.role, o.Start = role, *again
		o.pictures.Hint = "your role is now " + role.String()
	}
}

// screenOptionsOf is who came in, and as what. Who runs a process of the same user on
// this machine may do what the owner of the file may.
func (h *State) screenOptionsOf(t *ssh.Terminal) (o ScreenOptions, err error) {
	g := t.Guest()
	if g.Local {
		var what attach
		if err := json.Unmarshal([]byte(g.Name), &what); err != nil {
			return o, fmt.Errorf("read what was asked for: %w", err)
		}
		o.As, o.Start = string(what.As), what.Start
		return o, nil
	}
	o.As, o.Start = g.Name, tui.Start{Tab: tui.TabReview}
	o.role, err = h.findCurrentRole(annotate.Annotator(g.Name))
	if o.role.May(annotate.MayRun) {
		o.Start.Tab = tui.TabRuns
	}
	return o, err
}

// findCurrentRole finds somebody's role as it is now.
func (h *State) findCurrentRole(who annotate.Annotator) (annotate.Role, error) {
	all, err := h.st.People().List()
	if err != nil {
		return annotate.RoleUnset, err
	}
	for _, p := range all {
		if p.Name != who || p.Role == annotate.RoleUnset { // of the file: as what those come in
			continue
		}
		if p.Role == annotate.RoleNone {
			return p.Role, ErrNotAmong
		}
		return p.Role, nil
	}
	if h.guests != annotate.RoleUnset {
		return h.guests, nil
	}
	return annotate.RoleUnset, ErrNotAmong
}

// showAppToGuest opens the app on a terminal, and gives where it stood when it is to be
// opened again, or the line that its person is left with.
func (h *State) showAppToGuest(ctx context.Context, t *ssh.Terminal, session *term.Session, o ScreenOptions) (again *tui.Start, last string, err error) {
	conf, err := config.LoadScreenSettings(h.app.ConfigPlaces())
	if err != nil {
		return nil, "", err
	}
	w := term.NewRemoteTerminal(t)
	defer func() { _ = w.Close() }()
	hint := o.pictures.Hint
	o.pictures = newGuestPictures(session, t, w)
	if hint != "" {
		o.pictures.Hint = hint
	}
	o.Preferences = guestPreferences(conf, session, w)
	v := h.OpenConnection(o)
	v.copy, v.paint, v.guest = screen.NewClipboardCopier(w), w.WrapModel, t
	defer func() { err = errors.Join(err, v.Close()) }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	v.setCancel(cancel)
	err = v.runScreenApp(ctx, session, w.Options())
	if errors.Is(err, cli.ErrInterrupted) {
		err = nil // the gate knows why, or an owner does
	}
	if v.wasEnded() {
		return nil, EndedByOwner, err
	}
	return v.again, "", err
}

// runPromptsForGuest gives the app without a screen, in prompts.
func (h *State) runPromptsForGuest(ctx context.Context, t *ssh.Terminal, o ScreenOptions) (last string, err error) {
	if o.Start.Tab == tui.TabCriteria || o.Start.Tab == tui.TabCurate {
		return "", errors.New("without a screen there are labels and votes: concord review, concord vote")
	}
	v := h.OpenConnection(o)
	v.guest = t
	defer func() { err = errors.Join(err, v.Close()) }()
	within, end := context.WithCancelCause(ctx)
	defer end(nil)
	if v.isRemote() {
		t.Go(func() { v.endWhenRemoved(within, end) })
	}
	p := term.NewPrompt(t)
	err = v.runPromptsUntilEOF(within, p, p)
	switch {
	case errors.Is(context.Cause(within), ErrNotAmong):
		return ErrNotAmong.Error(), nil
	case ctx.Err() != nil:
		return "", nil
	}
	return "", err
}

// endWhenRemoved ends a session in prompts when its person comes in no more. What else
// their role lets them do, prompts do not offer.
func (v *Connection) endWhenRemoved(ctx context.Context, end context.CancelCauseFunc) {
	tick := time.NewTicker(v.shared.look)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-v.recast:
		case <-ctx.Done():
			return
		}
		if v.isShutOut() {
			end(ErrNotAmong)
			return
		}
	}
}

// guestPreferences is how the screen is drawn on a terminal elsewhere: keys are the
// project's, colours those of its own terminal.
func guestPreferences(conf *config.Config, s *term.Session, out io.Writer) screen.Preferences {
	r := lipgloss.NewRenderer(out)
	r.SetColorProfile(s.Profile)
	r.SetHasDarkBackground(s.Dark)
	ui := conf.UISettings()
	return screen.Preferences{Renderer: r, Keys: conf.Keys(), Mouse: ui.Mouse, Stay: !ui.AutoAdvance}
}

// newGuestPictures chooses how images are shown on a terminal elsewhere. No program can be started there.
func newGuestPictures(s *term.Session, t *ssh.Terminal, out screen.Canvas) screen.Pictures {
	want, err := term.ParseImages(term.NewEnvLookup(t.Environ())(screen.ImagesVariable))
	if err != nil {
		want = term.ImagesAuto
	}
	return screen.NewImageOutput(s, want, out, uint8(t.Guest().ID%255+1))
}

// followSizeAndRole keeps a guest's program at the size of their terminal, and ends it when
// their role has changed, where it then stands.
func (v *Connection) followSizeAndRole(ctx context.Context, p *tea.Program, where func() tui.Start) {
	size := func() tea.Msg {
		cols, rows := v.guest.Size()
		return tea.WindowSizeMsg{Width: cols, Height: rows}
	}
	v.guest.Go(func() {
		p.Send(size())
		tick := time.NewTicker(v.shared.look)
		defer tick.Stop()
		for {
			select {
			case <-v.guest.ResizeMarks():
				p.Send(size())
				continue
			case <-tick.C:
			case <-v.recast:
			case <-ctx.Done():
				return
			}
			if v.Options.role != annotate.RoleUnset && v.hasRoleChanged() {
				p.Send(tui.Leave{Then: func() { start := where(); v.again = &start }})
				return
			}
		}
	})
}

// hasRoleChanged reports whether the guest's role is another one now, or they come in no more.
func (v *Connection) hasRoleChanged() bool {
	now, err := v.shared.findCurrentRole(annotate.Annotator(v.Options.As))
	return err == nil && now != v.Options.role || v.isShutOut()
}

// isShutOut reports whether the guest comes in no more: they were removed, or their key was.
func (v *Connection) isShutOut() bool {
	_, err := v.shared.findCurrentRole(annotate.Annotator(v.Options.As))
	return errors.Is(err, ErrNotAmong) || errors.Is(v.guest.CheckStillAllowed(), ssh.ErrNobody)
}

// roleLook is how often it is looked whether a guest's role has changed.
const roleLook = 2 * time.Second
