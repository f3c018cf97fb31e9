package store

import (
	"context"
	"fmt"
	"slices"

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
	raw, err := record.Reports.Encode(p.s.codec, &r)
	if err != nil {
		return 0, err
	}
	if id, err = putNumbered(ctx, p.s, record.Reports, raw, func(*file.Tx) error { return nil }); err != nil {
		return 0, fmt.Errorf("save report %s: %w", r.Name, err)
	}
	return id, nil
}

// SavedReports gives the saved reports of a queue, or of all for "", oldest
// first. With an error come those that can be read.
func (p *Reports) SavedReports(queue annotate.QueueName) ([]annotate.SavedReport, error) {
	all, err := listUnder(p.s, record.Reports, nil)
	return slices.DeleteFunc(all, func(r annotate.SavedReport) bool { return queue != "" && r.Queue != queue }), err
}
