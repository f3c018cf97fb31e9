package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"concord/annotate"
	"concord/annotate/packet"
	"concord/eval"
)

// Packets keeps which items of queues went out to whom, and, in a packet's own
// project, whose it is.
type Packets struct{ s *Store }

// Packets is the handle of packets.
func (s *Store) Packets() *Packets { return &Packets{s} }

// The records of packets; the id stands in the key. A packet is rewritten when
// it comes home or is called back.
type (
	packetRecord struct {
		Queue     string             `cbor:"1,keyasint,omitempty"`
		Who       string             `cbor:"2,keyasint,omitempty"`
		By        string             `cbor:"3,keyasint,omitempty"`
		Made      int64              `cbor:"4,keyasint,omitempty"`
		Until     int64              `cbor:"5,keyasint,omitempty"`
		Keys      []packetItemRecord `cbor:"6,keyasint,omitempty"`
		Items     int                `cbor:"7,keyasint,omitempty"`
		Guideline int                `cbor:"8,keyasint,omitempty"`
		Here      bool               `cbor:"9,keyasint,omitempty"`
		Merged    int64              `cbor:"10,keyasint,omitempty"`
		Recalled  int64              `cbor:"11,keyasint,omitempty"`
		Labels    int                `cbor:"12,keyasint,omitempty"`
		MergedBy  string             `cbor:"13,keyasint,omitempty"`
		RecallBy  string             `cbor:"14,keyasint,omitempty"`
	}
	packetItemRecord struct {
		Run     uint64 `cbor:"1,keyasint,omitempty"`
		Sample  uint32 `cbor:"2,keyasint,omitempty"`
		Pass    uint8  `cbor:"3,keyasint,omitempty"`
		Against uint64 `cbor:"4,keyasint,omitempty"`
	}
)

func fromPacket(p *packet.Packet) packetRecord {
	r := packetRecord{
		Queue: string(p.Queue), Who: string(p.Who), By: string(p.By), Made: millis(p.Made), Until: millis(p.Until),
		Items: p.Items, Guideline: p.Guideline, Here: p.Here, Merged: millis(p.Merged), Recalled: millis(p.Recalled), Labels: p.Labels,
		MergedBy: string(p.MergedBy), RecallBy: string(p.RecallBy),
	}
	for _, k := range p.Keys {
		r.Keys = append(r.Keys, packetItemRecord{Run: uint64(k.Run), Sample: uint32(k.Sample), Pass: uint8(k.Pass), Against: uint64(k.Against)})
	}
	return r
}

func (r packetRecord) packet(id string) packet.Packet {
	p := packet.Packet{
		ID: id, Queue: annotate.QueueName(r.Queue), Who: annotate.Annotator(r.Who), By: annotate.Annotator(r.By),
		Made: fromMillis(r.Made), Until: fromMillis(r.Until), Items: r.Items, Guideline: r.Guideline, Here: r.Here,
		Merged: fromMillis(r.Merged), Recalled: fromMillis(r.Recalled), Labels: r.Labels,
		MergedBy: annotate.Annotator(r.MergedBy), RecallBy: annotate.Annotator(r.RecallBy),
	}
	for _, k := range r.Keys {
		p.Keys = append(p.Keys, itemOf(k.Run, k.Sample, k.Pass, k.Against))
	}
	return p
}

// packetItemKey is the key of an item that a packet has taken along.
func packetItemKey(p *packet.Packet, k annotate.ItemKey) []byte {
	return appendName(enrolKey(p.Queue, k), p.ID)
}

// Put notes a packet that goes out, and keeps its items from others. It gives
// annotate.ErrConflict for an id that is there.
func (p *Packets) Put(ctx context.Context, one packet.Packet) error {
	if err := checkName("packet", one.ID); err != nil {
		return err
	}
	return p.s.do(ctx, 128*len(one.Keys)+256, func(tx *bbolt.Tx) error {
		if tx.Bucket([]byte(tablePackets)).Get([]byte(one.ID)) != nil {
			return reject(fmt.Errorf("packet %s: %w", one.ID, annotate.ErrConflict))
		}
		if err := p.put(tx, &one); err != nil {
			return err
		}
		b := tx.Bucket([]byte(tablePacketItems))
		for _, k := range one.Keys {
			if err := b.Put(packetItemKey(&one, k), []byte{}); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *Packets) put(tx *bbolt.Tx, one *packet.Packet) error {
	raw, err := p.s.codec.encode(fromPacket(one))
	if err != nil {
		return err
	}
	return tx.Bucket([]byte(tablePackets)).Put([]byte(one.ID), raw)
}

func (p *Packets) read(key, raw []byte) (packet.Packet, error) {
	var r packetRecord
	if err := p.s.codec.decode(tablePackets, key, raw, &r); err != nil {
		return packet.Packet{}, err
	}
	return r.packet(string(key)), nil
}

func (p *Packets) in(tx *bbolt.Tx, id string) (packet.Packet, error) {
	raw := tx.Bucket([]byte(tablePackets)).Get([]byte(id))
	if raw == nil {
		return packet.Packet{}, fmt.Errorf("packet %s: %w", id, eval.ErrNotFound)
	}
	return p.read([]byte(id), raw)
}

// Packet gives eval.ErrNotFound for an id that no packet has.
func (p *Packets) Packet(id string) (one packet.Packet, err error) {
	err = p.s.view(func(tx *bbolt.Tx) error { one, err = p.in(tx, id); return err })
	return one, err
}

// List gives all packets, the oldest first, with the one that this project is,
// if it is one.
func (p *Packets) List() ([]packet.Packet, error) {
	all, err := collect(records(p.s.scan(context.Background(), tablePackets, nil, nil), p.read))
	slices.SortStableFunc(all, func(a, b packet.Packet) int { return cmp.Or(a.Made.Compare(b.Made), cmp.Compare(a.ID, b.ID)) })
	return all, err
}

// Here is the packet that this project is; false for one that is none.
func (p *Packets) Here() (packet.Packet, bool, error) {
	all, err := p.List()
	for _, one := range all {
		if one.Here {
			return one, true, err
		}
	}
	return packet.Packet{}, false, err
}

// Away gives who has which items of a queue with them in a packet that is still
// to come home, and until when. Nobody else is to be given those. It reads the
// packets that are away, and nothing where none is.
func (p *Packets) Away(q annotate.QueueName) ([]annotate.Lease, error) {
	now := p.s.now()
	of := make(map[string]packet.Packet)
	var out []annotate.Lease
	for pair, err := range p.s.scan(context.Background(), tablePacketItems, appendName(nil, string(q)), nil) {
		if err != nil {
			return out, err
		}
		_, rest, _ := cutName(pair.key)
		k, ok := cutItem(rest[:min(itemSize, len(rest))])
		if !ok {
			return out, corrupt(tablePacketItems, pair.key, "no key of an item")
		}
		id, _, ok := cutName(rest[itemSize:])
		if !ok {
			return out, corrupt(tablePacketItems, pair.key, "no id of a packet")
		}
		one, known := of[id]
		if !known {
			if one, err = p.Packet(id); err != nil {
				return out, err
			}
			of[id] = one
		}
		if one.Keeps(now) {
			out = append(out, annotate.Lease{Item: k, Who: one.Who, Until: one.Until})
		}
	}
	return out, nil
}

// Bring commits the acts that a packet brings home, that it did, and how many
// of its items it has given a label by now, all or none; its items are anybody's
// from then on. The acts are as Acts.Append wants them; by is who takes it in.
func (p *Packets) Bring(ctx context.Context, id string, acts []annotate.Act, labels int, by annotate.Annotator, at time.Time) error {
	values, size, err := p.s.Acts().encode(acts)
	if err != nil {
		return err
	}
	return p.end(ctx, id, size, func(tx *bbolt.Tx, one *packet.Packet) error {
		one.Merged, one.MergedBy, one.Labels = at, by, labels
		return p.s.Acts().appendAll(tx, acts, values)
	})
}

// Recall makes the items of a packet anybody's. It can come home all the same.
func (p *Packets) Recall(ctx context.Context, id string, by annotate.Annotator, at time.Time) error {
	return p.end(ctx, id, 0, func(_ *bbolt.Tx, one *packet.Packet) error { one.Recalled, one.RecallBy = at, by; return nil })
}

// end changes a packet that keeps its items no more.
func (p *Packets) end(ctx context.Context, id string, size int, change func(*bbolt.Tx, *packet.Packet) error) error {
	return p.s.do(ctx, size, func(tx *bbolt.Tx) error {
		one, err := p.in(tx, id)
		if err != nil {
			return reject(err)
		}
		if err := change(tx, &one); err != nil {
			return err
		}
		b := tx.Bucket([]byte(tablePacketItems))
		for _, k := range one.Keys {
			if err := b.Delete(packetItemKey(&one, k)); err != nil {
				return err
			}
		}
		return p.put(tx, &one)
	})
}

// Drop forgets a packet that never went out.
func (p *Packets) Drop(ctx context.Context, id string) error {
	err := p.Recall(ctx, id, "", p.s.now())
	if err != nil {
		return err
	}
	return p.s.do(ctx, 0, func(tx *bbolt.Tx) error { return tx.Bucket([]byte(tablePackets)).Delete([]byte(id)) })
}
