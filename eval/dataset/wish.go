package dataset

import "concord/eval/dataset/profile"

// Wish is what somebody says of a file's columns.
type Wish = profile.Wish

// ParseMap reads roles and their columns: options=choices,answer=index0:answer.
func ParseMap(written string) (map[string]string, error) { return profile.ParseMap(written) }

// ReadTable reads a file of layouts (eval/dataset/profile/layouts.toml).
func ReadTable(path string) (*profile.Table, error) { return profile.ReadTable(path) }
