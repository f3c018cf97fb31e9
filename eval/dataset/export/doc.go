// Package export writes datasets and predictions as tables, and in the layouts that VLMEvalKit
// and MMBench's server read. What it writes, package dataset imports again as it was.
package export
