// Package rowfile reads files of rows that people and judges left: labels, judgments, votes, criteria,
// verdicts, ratings, quotas, detections, captions and scores measured elsewhere. A file may be JSON
// lines, a JSON array, CSV, TSV, xlsx or parquet.
//
// It checks a row by itself. Whether its sample, model or person exists is for the caller to know. A row
// that cannot be taken comes as a [problem.Problem], and the rows go on; any other error is the last.
package rowfile
