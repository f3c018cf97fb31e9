package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"concord/annotate"
	"concord/cmd/concord/config"
	"concord/store"
	"concord/tui"
	"concord/tui/accessible"
)

// wantsLines reports whether the environment asks for prompts in lines, as
// other tools take it: ACCESSIBLE set to anything but 0 or false.
func wantsLines(getenv func(string) string) bool {
	v := getenv("ACCESSIBLE")
	on, err := strconv.ParseBool(v)
	return v != "" && (err != nil || on)
}

// inLines reports whether the app goes without a screen: by its flag, the
// environment, or the configuration.
func inLines(a *app) bool {
	if a.shown.lines {
		return true
	}
	c, err := config.LoadScreen(a.configPlaces())
	return err == nil && c.UI().Accessible // what is wrong with it the screen says
}

// runLinear is the app without a screen: one queue, worked through in prompts. It
// ends as screen does.
func runLinear(ctx context.Context, a *app, o screenOptions) (err error) {
	if o.start.Tab == tui.TabCriteria || o.start.Tab == tui.TabCurate {
		return usageError{errors.New("--accessible is for labels and votes: concord review, concord vote; criteria and curation have their files (concord export, concord import)")}
	}
	h, err := hostOf(a).open(o.lab, o.begin)
	if err != nil {
		return err
	}
	v := h.visit(o)
	err = v.prompts(ctx, a.in, a.out)
	return errors.Join(err, v.close(), a.guests.Close())
}

// prompts asks who works, and on what, and works through it.
func (v *visit) prompts(ctx context.Context, from io.Reader, out io.Writer) error {
	in := accessible.NewLines(from)
	defer in.Close()
	err := v.lines(ctx, in, out)
	if errors.Is(err, io.EOF) {
		return nil // whoever ends the input leaves
	}
	return err
}

func (v *visit) lines(ctx context.Context, in *accessible.Lines, out io.Writer) error {
	a, st, o, journal := v.hall.app, v.hall.st, &v.o, v.saved.journal
	who := annotate.Annotator(o.as)
	if o.role == annotate.RoleUnset {
		who = a.whoWorks(o.as)
	}
	for who == "" {
		name, err := accessible.Ask(ctx, in, out, "Who works? The name stands beside each of your labels: ")
		if err != nil {
			return err
		}
		if who = annotate.Annotator(visible(name)); who != "" {
			if err := a.remember(who); err != nil {
				a.log.Warn("name not kept", "err", err)
			}
		}
	}
	queue, err := chooseQueue(ctx, st, in, out, who, o.start)
	if err != nil {
		return err
	}
	veils := v.hall.veils
	return accessible.Run(ctx, accessible.Deps{
		Queue: queue, Annotator: who, Items: desk{st, v.hall.sync, v.hall.floor}, Journal: journal, Now: a.now, In: in, Out: out,
		Machine: struct {
			revealer
			unmasker
		}{revealer{st, veils, who}, unmasker{st, veils, who}},
	})
}

// chooseQueue is the queue that was named, the only one that there is, or the
// one that is chosen.
func chooseQueue(ctx context.Context, st *store.Store, in *accessible.Lines, out io.Writer, who annotate.Annotator, start tui.Start) (annotate.QueueName, error) {
	if start.Queue != "" {
		return start.Queue, nil
	}
	all, err := homeView{st: st}.Queues(ctx, who)
	if err != nil {
		return "", err
	}
	var names []annotate.QueueName
	var lines []string
	for _, q := range all {
		pairs := q.Rule.From == annotate.FromPairs
		if start.Tab == tui.TabReview && pairs != start.Pairs {
			continue
		}
		names = append(names, q.Name)
		lines = append(lines, fmt.Sprintf("%s, on %s: %d of %d done by you", q.Name, q.Rule.Dataset, q.Labelled, q.Items))
	}
	switch len(names) {
	case 0:
		return "", usageError{errors.New("there is no queue to work on yet: concord queue create NAME --dataset NAME makes one")}
	case 1:
		return names[0], nil
	}
	i, err := accessible.Choose(ctx, in, out, "Which queue?", lines)
	if err != nil {
		return "", err
	}
	return names[i], nil
}
