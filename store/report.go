package store

import (
	"context"
	"fmt"

	"go.etcd.io/bbolt"

	"concord/annotate"
)

// Reports keeps alignment reports that somebody saved.
type Reports struct{ s *Store }

// Reports is the handle of saved reports.
func (s *Store) Reports() *Reports { return &Reports{s} }

// reportRecord is the record of a saved report.
type reportRecord struct {
	Name       string   `cbor:"1,keyasint,omitempty"`
	Queue      string   `cbor:"2,keyasint,omitempty"`
	Policy     string   `cbor:"3,keyasint,omitempty"`
	Rules      []string `cbor:"4,keyasint,omitempty"`
	Judges     []string `cbor:"5,keyasint,omitempty"`
	LabelsHash string   `cbor:"6,keyasint,omitempty"`
	Rows       []byte   `cbor:"7,keyasint,omitempty"`
	By         string   `cbor:"8,keyasint,omitempty"`
	At         int64    `cbor:"9,keyasint,omitempty"`

	RulingsHash string `cbor:"10,keyasint,omitempty"`
}

// SaveReport keeps a report and gives its number, from 1. The number in r is
// not looked at, and a report without a time gets the present one.
func (p *Reports) SaveReport(ctx context.Context, r annotate.SavedReport) (id uint64, err error) {
	if r.At.IsZero() {
		r.At = p.s.now()
	}
	raw, err := p.s.codec.encode(reportRecord{
		Name: r.Name, Queue: string(r.Queue), Policy: r.Policy, Rules: r.Rules, Judges: r.Judges,
		LabelsHash: r.LabelsHash, Rows: r.Rows, By: string(r.By), At: millis(r.At),
		RulingsHash: r.RulingsHash,
	})
	if err != nil {
		return 0, err
	}
	err = p.s.do(ctx, len(raw), func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte(tableReports))
		if id, err = b.NextSequence(); err != nil {
			return err
		}
		return b.Put(u64(id), raw)
	})
	if err != nil {
		return 0, fmt.Errorf("save report %s: %w", r.Name, err)
	}
	return id, nil
}

// SavedReports gives the saved reports of a queue, or of all for "", oldest
// first. With an error come those that can be read.
func (p *Reports) SavedReports(queue annotate.QueueName) ([]annotate.SavedReport, error) {
	all, err := collect(records(p.s.scan(context.Background(), tableReports, nil, nil), p.read))
	kept := all[:0]
	for _, r := range all {
		if queue == "" || r.Queue == queue {
			kept = append(kept, r)
		}
	}
	return kept, err
}

func (p *Reports) read(key, raw []byte) (annotate.SavedReport, error) {
	var r reportRecord
	if err := p.s.codec.decode(tableReports, key, raw, &r); err != nil {
		return annotate.SavedReport{}, err
	}
	id, ok := number(key)
	if !ok {
		return annotate.SavedReport{}, corrupt(tableReports, key, "no number of a report")
	}
	return annotate.SavedReport{
		ID: id, Name: r.Name, Queue: annotate.QueueName(r.Queue), Policy: r.Policy, Rules: r.Rules, Judges: r.Judges,
		LabelsHash: r.LabelsHash, Rows: r.Rows, By: annotate.Annotator(r.By), At: fromMillis(r.At),
		RulingsHash: r.RulingsHash,
	}, nil
}
