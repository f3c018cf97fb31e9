package dataset_test

import (
	"fmt"
	"os"

	"concord/eval/dataset"
)

func ExampleNewTable() {
	t, err := dataset.NewTable(os.Stdout, dataset.FormatTSV, []string{"sample", "choice", "confidence"})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := t.Write([]any{"241", "B", 0.75}); err != nil {
		fmt.Println(err)
	}
	if _, err := t.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// sample	choice	confidence
	// 241	B	0.75
}
