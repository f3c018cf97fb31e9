package dataset

import "concord/eval/dataset/column"

// Wish is what somebody says of a file's columns.
type Wish = column.Wish

// ParseMap reads roles and their columns: options=choices,answer=index0:answer.
func ParseMap(written string) (map[string]string, error) { return column.ParseMap(written) }

// ReadTable reads a file of layouts (eval/dataset/profile/layouts.toml).
func ReadTable(path string) (*column.Table, error) { return column.ReadTable(path) }
