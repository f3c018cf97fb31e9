package correct

import "concord/eval/stat"

// RoganGladen is the share of positives given the share that a machine calls
// positive, and its sensitivity and specificity: (p + sp - 1) / (se + sp - 1),
// cut to [0, 1] (Rogan and Gladen 1978). It takes both as known, so it has no
// interval, and is undefined where the machine is no better than chance.
func RoganGladen(positive, sensitivity, specificity float64, n int) stat.Estimate {
	informed := sensitivity + specificity - 1
	if informed <= 0 {
		return stat.NoEstimate("the machine tells the two apart no better than chance")
	}
	return stat.Expected(min(1, max(0, (positive+specificity-1)/informed)), n)
}
