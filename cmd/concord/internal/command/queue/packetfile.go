package queue

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"

	"concord/annotate"
	"concord/annotate/packet"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

// arrival is a packet that came back, as far as it was read. Its names are
// exported for gob: where another process holds the project, it is sent there.
type arrival struct {
	Packet packet.Packet
	Items  []annotate.QueueItem
	IDs    []eval.SampleID // of the items
	Acts   []annotate.Act
	Others []annotate.Annotator
}

// arrivedPacket reads a packet's file, or takes it as another process has read it.
func arrivedPacket(ctx context.Context, a *project.Project, path string) (*arrival, error) {
	if a.Held != nil {
		in := new(arrival)
		if err := gob.NewDecoder(bytes.NewReader(a.Sent[path])).Decode(in); err != nil {
			return nil, fmt.Errorf("read what was sent: %w", err)
		}
		return in, nil
	}
	in, err := openPacket(ctx, a, path)
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

// openPacket reads a packet's file, which stays as it is.
func openPacket(ctx context.Context, a *project.Project, path string) (in *arrival, err error) {
	st, err := store.Open(path, store.Options{ReadOnly: true, Now: a.Now, Logger: a.Log})
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
	in := &arrival{Packet: here}
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
		if err := answers(asked[a.Item], a); err != nil {
			return nil, damaged(fmt.Errorf("act %d of %s: %w", a.N, a.Annotator, err))
		}
	}
	people, err := st.Acts().Annotators(here.Queue)
	for _, who := range people {
		if who != here.Who {
			in.Others = append(in.Others, who)
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
	return exchange.CheckOffered(eval.Shown{Options: it.Options}, it.Kind, r.Choice)
}
