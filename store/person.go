package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/packet"
	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// People keeps who may work on the project from elsewhere, and as what.
type People struct{ s *Store }

// People is the handle of people.
func (s *Store) People() *People { return &People{s} }

// Put stores a version of a person. It gives annotate.ErrConflict for one that does not follow
// the last, and for a key that is somebody else's: a key is one person.
func (p *People) Put(ctx context.Context, one annotate.Person) error {
	if err := record.People.Validate(&one); err != nil {
		return err
	}
	return p.s.file.Apply(ctx, 512, func(tx *file.Tx) error {
		all, err := p.readVersions(tx)
		if err != nil {
			return file.NewRejection(err)
		}
		for _, other := range currentPeople(all) {
			switch {
			case other.Name == one.Name && other.Version != one.Version-1:
				return file.NewRejection(fmt.Errorf("person %s: version %d is the last: %w", one.Name, other.Version, annotate.ErrConflict))
			case other.Name != one.Name && other.Role != annotate.RoleNone && slices.ContainsFunc(other.Keys, func(k string) bool { return slices.Contains(one.Keys, k) }):
				return file.NewRejection(fmt.Errorf("person %s: that key is %s's: %w", one.Name, other.Name, annotate.ErrConflict))
			}
		}
		return putValue(p.s, record.People, tx, &one)
	})
}

// List gives everybody as they are now, by name; those who come in no more too.
func (p *People) List() ([]annotate.Person, error) {
	all, err := p.History()
	return currentPeople(all), err
}

// History gives all versions of everybody, by name, the oldest first.
func (p *People) History() ([]annotate.Person, error) { return readInTx(p.s, p.readVersions) }

func (p *People) readVersions(tx *file.Tx) ([]annotate.Person, error) {
	return file.Collect(eachUnderPrefix(p.s, record.People, tx, nil))
}

func currentPeople(all []annotate.Person) []annotate.Person {
	var out []annotate.Person
	for i := range all {
		if i+1 == len(all) || all[i+1].Name != all[i].Name {
			out = append(out, all[i])
		}
	}
	slices.SortFunc(out, func(a, b annotate.Person) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Leases keeps what each annotator has in front of them in each queue, so that
// they find it there again, and nobody else does, when the process ended.
type Leases struct{ s *Store }

// Leases is the handle of leases.
func (s *Store) Leases() *Leases { return &Leases{s} }

// Put notes leases of a queue, each in the place of the one that the annotator
// had there; one without Until gives it up.
func (l *Leases) Put(ctx context.Context, q annotate.QueueName, all ...annotate.Lease) error {
	return l.s.file.Apply(ctx, 128*len(all), func(tx *file.Tx) error {
		b := tx.Table(record.TableLeases)
		for _, one := range all {
			key := record.StreamPrefix(q, one.Who)
			if one.Until.IsZero() {
				if err := b.Delete(key); err != nil {
					return err
				}
				continue
			}
			if err := putUnderKey(l.s, record.Leases, tx, key, &one); err != nil {
				return err
			}
		}
		return nil
	})
}

// OfQueue gives the leases of a queue, by annotator, those that have run out too.
func (l *Leases) OfQueue(q annotate.QueueName) ([]annotate.Lease, error) {
	return listPrefix(l.s, record.Leases, record.AppendName(nil, string(q)))
}

// Packets keeps which items of queues went out to whom, and, in a packet's own project, whose it is.
type Packets struct{ s *Store }

// Packets is the handle of packets.
func (s *Store) Packets() *Packets { return &Packets{s} }

// Put notes a packet that goes out, and keeps its items from others. It gives
// annotate.ErrConflict for an id that is there.
func (p *Packets) Put(ctx context.Context, one packet.Packet) error {
	if err := record.CheckName("packet", one.ID); err != nil {
		return err
	}
	return p.s.file.Apply(ctx, 128*len(one.Keys)+256, func(tx *file.Tx) error {
		if tx.Table(record.TablePackets).Get([]byte(one.ID)) != nil {
			return file.NewRejection(fmt.Errorf("packet %s: %w", one.ID, annotate.ErrConflict))
		}
		if err := putValue(p.s, record.Packets, tx, &one); err != nil {
			return err
		}
		b := tx.Table(record.TablePacketItems)
		return eval.Each(one.Keys, func(k annotate.ItemKey) error { return b.Put(record.PacketItemKey(&one, k), []byte{}) })
	})
}

// Packet gives eval.ErrNotFound for an id that no packet has.
func (p *Packets) Packet(id string) (packet.Packet, error) {
	return readOne(p.s, record.Packets, []byte(id))
}

// List gives all packets, the oldest first, with the one that this project is, if it is one.
func (p *Packets) List() ([]packet.Packet, error) {
	all, err := listPrefix(p.s, record.Packets, nil)
	slices.SortStableFunc(all, func(a, b packet.Packet) int { return cmp.Or(a.Made.Compare(b.Made), cmp.Compare(a.ID, b.ID)) })
	return all, err
}

// OwnPacket is the packet that this project is; false for one that is none.
func (p *Packets) OwnPacket() (packet.Packet, bool, error) {
	all, err := p.List()
	own, ok := eval.FirstWanted(all, func(one packet.Packet) bool { return one.Here })
	return own, ok, err
}

// ItemsAway gives who has which items of a queue with them in a packet that is still
// to come home, and until when. Nobody else is to be given those. It reads the
// packets that are away, and nothing where none is.
func (p *Packets) ItemsAway(q annotate.QueueName) ([]annotate.Lease, error) {
	now := p.s.now()
	of := make(map[string]packet.Packet)
	var out []annotate.Lease
	err := eval.EachRead(p.s.file.Scan(context.Background(), record.TablePacketItems, record.AppendName(nil, string(q)), nil), func(pair file.Pair) error {
		_, rest, _ := record.CutName(pair.Key)
		k, ok := record.CutItem(rest[:min(record.ItemSize, len(rest))])
		if !ok {
			return record.NewCorruptError(record.TablePacketItems, pair.Key, "no key of an item")
		}
		id, _, ok := record.CutName(rest[record.ItemSize:])
		if !ok {
			return record.NewCorruptError(record.TablePacketItems, pair.Key, "no id of a packet")
		}
		one, err := eval.GetOrRead(of, id, func() (packet.Packet, error) { return p.Packet(id) })
		if err == nil && one.KeepsItems(now) {
			out = append(out, annotate.Lease{Item: k, Who: one.Who, Until: one.Until})
		}
		return err
	})
	return out, err
}

// MergePacket commits the acts that a packet brings home, that it did, and how many
// of its items it has given a label by now, all or none; its items are anybody's
// from then on. The acts are as Acts.Append wants them; by is who takes it in.
func (p *Packets) MergePacket(ctx context.Context, id string, acts []annotate.Act, labels int, by annotate.Annotator, at time.Time) error {
	values, size, err := encodeAll(p.s, record.Acts, acts)
	if err != nil {
		return err
	}
	return p.changeAndFreeItems(ctx, id, size, func(tx *file.Tx, one *packet.Packet) error {
		one.Merged, one.MergedBy, one.Labels = at, by, labels
		return appendEach(record.Acts, tx, acts, values, p.s.Acts().appendAct)
	})
}

// RecallPacket makes the items of a packet anybody's. It can come home all the same.
func (p *Packets) RecallPacket(ctx context.Context, id string, by annotate.Annotator, at time.Time) error {
	return p.changeAndFreeItems(ctx, id, 0, func(_ *file.Tx, one *packet.Packet) error { one.Recalled, one.RecallBy = at, by; return nil })
}

// changeAndFreeItems changes a packet that keeps its items no more.
func (p *Packets) changeAndFreeItems(ctx context.Context, id string, size int, change func(*file.Tx, *packet.Packet) error) error {
	return p.s.file.Apply(ctx, size, func(tx *file.Tx) error {
		one, err := getRecord(p.s, record.Packets, tx, []byte(id))
		if err != nil {
			return file.NewRejection(err)
		}
		if err := change(tx, &one); err != nil {
			return err
		}
		b := tx.Table(record.TablePacketItems)
		if err := eval.Each(one.Keys, func(k annotate.ItemKey) error { return b.Delete(record.PacketItemKey(&one, k)) }); err != nil {
			return err
		}
		return putValue(p.s, record.Packets, tx, &one)
	})
}

// DropPacket forgets a packet that never went out.
func (p *Packets) DropPacket(ctx context.Context, id string) error {
	err := p.RecallPacket(ctx, id, "", p.s.now())
	if err != nil {
		return err
	}
	return p.s.file.Apply(ctx, 0, func(tx *file.Tx) error { return tx.Table(record.TablePackets).Delete([]byte(id)) })
}
