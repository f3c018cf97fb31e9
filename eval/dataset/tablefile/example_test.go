package tablefile_test

import (
	"fmt"
	"os"

	"concord/eval/dataset/tablefile"
)

func ExampleNew() {
	t, err := tablefile.New(os.Stdout, tablefile.TSV, []string{"sample", "choice", "confidence"})
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
