package data

import (
	"context"
	"fmt"

	"concord/annotate"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/project"
	"concord/eval/dataset/rowfile"
	"concord/store"
)

// importLabels takes a file's labels into a queue that is there.
func importLabels(ctx context.Context, a *project.Project, st *store.Store, q annotate.QueueName, path string) error {
	in, err := exchange.NewLabelImport(st, q, path, a)
	if err != nil {
		return err
	}
	for row, err := range rowfile.ReadLabels(path) {
		if err := in.ImportRow(row, err); err != nil {
			return fmt.Errorf("import labels: %w", err)
		}
	}
	if err := in.Commit(ctx); err != nil {
		return fmt.Errorf("import labels: %w", err)
	}
	return exchange.PrintRowsImported(a, in.Sum)
}
