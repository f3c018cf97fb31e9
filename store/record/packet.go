package record

import (
	"concord/annotate"
	"concord/annotate/packet"
)

// The records of packets; the id stands in the key. A packet is rewritten when
// it comes home or is called back.
type (
	// Packet is the record of a packet.
	Packet struct {
		Queue     string       `cbor:"1,keyasint,omitempty"`
		Who       string       `cbor:"2,keyasint,omitempty"`
		By        string       `cbor:"3,keyasint,omitempty"`
		Made      int64        `cbor:"4,keyasint,omitempty"`
		Until     int64        `cbor:"5,keyasint,omitempty"`
		Keys      []PacketItem `cbor:"6,keyasint,omitempty"`
		Items     int          `cbor:"7,keyasint,omitempty"`
		Guideline int          `cbor:"8,keyasint,omitempty"`
		Here      bool         `cbor:"9,keyasint,omitempty"`
		Merged    int64        `cbor:"10,keyasint,omitempty"`
		Recalled  int64        `cbor:"11,keyasint,omitempty"`
		Labels    int          `cbor:"12,keyasint,omitempty"`
		MergedBy  string       `cbor:"13,keyasint,omitempty"`
		RecallBy  string       `cbor:"14,keyasint,omitempty"`
	}
	// PacketItem is the record of an item of a packet.
	PacketItem struct {
		Run     uint64 `cbor:"1,keyasint,omitempty"`
		Sample  uint32 `cbor:"2,keyasint,omitempty"`
		Pass    uint8  `cbor:"3,keyasint,omitempty"`
		Against uint64 `cbor:"4,keyasint,omitempty"`
	}
)

// FromPacket makes the record of a packet.
func FromPacket(p *packet.Packet) Packet {
	r := Packet{
		Queue: string(p.Queue), Who: string(p.Who), By: string(p.By), Made: Millis(p.Made), Until: Millis(p.Until),
		Items: p.Items, Guideline: p.Guideline, Here: p.Here, Merged: Millis(p.Merged), Recalled: Millis(p.Recalled), Labels: p.Labels,
		MergedBy: string(p.MergedBy), RecallBy: string(p.RecallBy),
	}
	for _, k := range p.Keys {
		r.Keys = append(r.Keys, PacketItem{Run: uint64(k.Run), Sample: uint32(k.Sample), Pass: uint8(k.Pass), Against: uint64(k.Against)})
	}
	return r
}

// Packet is the packet that the record holds.
func (r Packet) Packet(id string) packet.Packet {
	p := packet.Packet{
		ID: id, Queue: annotate.QueueName(r.Queue), Who: annotate.Annotator(r.Who), By: annotate.Annotator(r.By),
		Made: FromMillis(r.Made), Until: FromMillis(r.Until), Items: r.Items, Guideline: r.Guideline, Here: r.Here,
		Merged: FromMillis(r.Merged), Recalled: FromMillis(r.Recalled), Labels: r.Labels,
		MergedBy: annotate.Annotator(r.MergedBy), RecallBy: annotate.Annotator(r.RecallBy),
	}
	for _, k := range r.Keys {
		p.Keys = append(p.Keys, ItemOf(k.Run, k.Sample, k.Pass, k.Against))
	}
	return p
}

// PacketItemKey is the key of an item that a packet has taken along.
func PacketItemKey(p *packet.Packet, k annotate.ItemKey) []byte {
	return AppendName(QueueItemKey(p.Queue, k), p.ID)
}
