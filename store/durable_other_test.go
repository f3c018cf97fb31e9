//go:build !linux

package store

import "errors"

func dirtyPages(string) (uint64, error) { return 0, errors.ErrUnsupported }
