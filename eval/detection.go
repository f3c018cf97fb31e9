package eval

import "time"

// Detection is an object that a detector found in a sample's picture, which
// stands for the picture where a judge is shown none (MLLM-Bench, App. F).
type Detection struct {
	Label      string
	Confidence float64 // 0 to 1
	X1, Y1     float64 // upper left corner of its box, from the picture's upper left
	X2, Y2     float64 // lower right corner
}

// Detected is what a detector found in a sample's picture: a fact. No objects
// is a finding too.
type Detected struct {
	Dataset DatasetName
	Sample  Ordinal
	Objects []Detection
	At      time.Time
}
