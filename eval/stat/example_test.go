package stat_test

import (
	"encoding/json"
	"fmt"

	"concord/eval/stat"
)

// LLaVA-1.5-13B is right on 796 of 1,176 questions under CircularEval.
func ExampleNewRate() {
	r := stat.NewRate(796, 1176)
	fmt.Printf("%.3f [%.3f, %.3f]\n", r.Value, r.Low, r.High)
	b, err := json.Marshal(stat.UndefinedRate("no ground truth"))
	fmt.Println(string(b), err)
	// Output:
	// 0.677 [0.650, 0.703]
	// {"k":0,"n":0,"value":null,"low":null,"high":null,"undefined":"no ground truth"} <nil>
}
