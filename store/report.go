package store

import (
	"context"
	"fmt"

	"concord/annotate"
	"concord/store/file"
	"concord/store/record"
)

// Reports keeps alignment reports that somebody saved.
type Reports struct{ s *Store }

// Reports is the handle of saved reports.
func (s *Store) Reports() *Reports { return &Reports{s} }

// SaveReport keeps a report and gives its number, from 1. The number in r is
// not looked at, and a report without a time gets the present one.
func (p *Reports) SaveReport(ctx context.Context, r annotate.SavedReport) (id uint64, err error) {
	if r.At.IsZero() {
		r.At = p.s.now()
	}
	var heads []record.Head
	for _, h := range r.Heads {
		heads = append(heads, record.Head{Person: string(h.Person), Acts: h.Acts, Hash: h.Hash})
	}
	raw, err := p.s.codec.Encode(record.Report{
		Name: r.Name, Queue: string(r.Queue), Policy: r.Policy, Rules: r.Rules, Judges: r.Judges,
		LabelsHash: r.LabelsHash, Rows: r.Rows, By: string(r.By), At: record.Millis(r.At),
		RulingsHash: r.RulingsHash, Heads: heads, Build: r.Build,
	})
	if err != nil {
		return 0, err
	}
	err = p.s.file.Do(ctx, len(raw), func(tx *file.Tx) error {
		b := tx.Table(record.TableReports)
		if id, err = b.Next(); err != nil {
			return err
		}
		return b.Put(record.U64(id), raw)
	})
	if err != nil {
		return 0, fmt.Errorf("save report %s: %w", r.Name, err)
	}
	return id, nil
}

// SavedReports gives the saved reports of a queue, or of all for "", oldest
// first. With an error come those that can be read.
func (p *Reports) SavedReports(queue annotate.QueueName) ([]annotate.SavedReport, error) {
	all, err := file.Collect(file.Records(p.s.file.Scan(context.Background(), record.TableReports, nil, nil), p.read))
	kept := all[:0]
	for _, r := range all {
		if queue == "" || r.Queue == queue {
			kept = append(kept, r)
		}
	}
	return kept, err
}

func (p *Reports) read(key, raw []byte) (annotate.SavedReport, error) {
	var r record.Report
	if err := p.s.codec.Decode(record.TableReports, key, raw, &r); err != nil {
		return annotate.SavedReport{}, err
	}
	id, ok := record.Number(key)
	if !ok {
		return annotate.SavedReport{}, record.Corrupt(record.TableReports, key, "no number of a report")
	}
	var heads []annotate.Head
	for _, h := range r.Heads {
		heads = append(heads, annotate.Head{Person: annotate.Annotator(h.Person), Acts: h.Acts, Hash: h.Hash})
	}
	return annotate.SavedReport{
		ID: id, Name: r.Name, Queue: annotate.QueueName(r.Queue), Policy: r.Policy, Rules: r.Rules, Judges: r.Judges,
		LabelsHash: r.LabelsHash, Rows: r.Rows, By: annotate.Annotator(r.By), At: record.FromMillis(r.At),
		RulingsHash: r.RulingsHash, Heads: heads, Build: r.Build,
	}, nil
}
