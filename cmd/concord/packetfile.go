package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"concord/annotate"
	"concord/annotate/packet"
	"concord/eval"
	"concord/store"
)

// arrival is a packet that came back, as far as it was read.
type arrival struct {
	packet packet.Packet
	items  []annotate.QueueItem
	ids    []eval.SampleID // of the items
	acts   []annotate.Act
	others []annotate.Annotator
}

// openPacket reads a packet's file, which stays as it is.
func (a *app) openPacket(ctx context.Context, path string) (in *arrival, err error) {
	st, err := store.Open(path, store.Options{ReadOnly: true, Now: a.now, Logger: a.log})
	switch {
	case errors.Is(err, store.ErrLocked):
		return nil, fmt.Errorf("the packet is open in another process: close it there first: %w", store.ErrLocked)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no such file: %w", eval.ErrNotFound)
	case errors.Is(err, store.ErrNotProject), errors.Is(err, store.ErrCorrupt):
		return nil, fmt.Errorf("the file is no packet, or a damaged one: %w", err)
	case err != nil:
		return nil, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	return readPacket(ctx, st)
}

func readPacket(ctx context.Context, st *store.Store) (*arrival, error) {
	damaged := func(err error) error { return fmt.Errorf("the packet is damaged: %w", err) }
	here, is, err := st.Packets().Here()
	switch {
	case err != nil:
		return nil, damaged(err)
	case !is:
		return nil, errors.New("it is a project, and no packet")
	}
	in := &arrival{packet: here}
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
		in.items, in.ids = append(in.items, it), append(in.ids, one.Sample)
	}
	if in.acts, err = st.Acts().Acts(here.Queue, here.Who); err != nil {
		return nil, damaged(err)
	}
	for i := range in.acts {
		a := &in.acts[i]
		if err := answers(asked[a.Item], a); err != nil {
			return nil, damaged(fmt.Errorf("act %d of %s: %w", a.N, a.Annotator, err))
		}
	}
	people, err := st.Acts().Annotators(here.Queue)
	for _, who := range people {
		if who != here.Who {
			in.others = append(in.others, who)
		}
	}
	return in, err
}

// answers says why a label cannot have been given to what was asked.
func answers(it annotate.Item, a *annotate.Act) error {
	r, pair := &a.Reading, it.Key.Against != 0
	switch {
	case a.Kind != annotate.Labelled:
		return nil
	case pair != (r.Verdict == annotate.Voted), r.Verdict == annotate.Scored && it.Reference == "", r.Verdict == annotate.VerdictUnset,
		int(r.Vote) >= eval.Votes, r.Score < 0, r.Score > eval.TopScore, !(a.Confidence >= 0 && a.Confidence <= 1):
		return fmt.Errorf("%s is no answer to sample %s", r.Word(), it.Sample)
	}
	return offered(eval.Shown{Options: it.Options}, it.Kind, r.Choice)
}
