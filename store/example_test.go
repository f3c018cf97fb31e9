package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"concord/eval"
	"concord/store"
)

// A fact is on the disk when Record returns, and is never recorded twice.
func Example() {
	folder, err := os.MkdirTemp("", "concord")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()
	st, err := store.Open(filepath.Join(folder, "concord.db"), store.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = st.Close() }()

	ctx := context.Background()
	run, err := st.Runs().CreateRun(ctx, eval.Config{Dataset: "MMBench", Model: "llava", Strategy: eval.Circular})
	if err != nil {
		fmt.Println(err)
		return
	}
	fact := eval.Fact{Prediction: eval.Prediction{Key: eval.Key{Run: run.ID, Sample: 0, Pass: 0}, Text: "B"}}
	fmt.Println(st.Runs().Record(ctx, fact))
	fmt.Println(errors.Is(st.Runs().Record(ctx, fact), eval.ErrRecorded))
	// Output:
	// <nil>
	// true
}
