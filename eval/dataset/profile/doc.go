// Package profile knows the layouts of published benchmarks and of the logs of other tools:
// VLMEvalKit's tables, MME's folders, logs of lmms-eval and inspect_ai, MLLM-Bench's objects, and
// MMStar's and MME's parquet files. It gives the rows of a file the column names of VLMEvalKit,
// whatever the file calls them.
//
//	file -> format.File -> format.Row -> Layout -> Row (a Header says which column is what)
//
// Which layout a file has is found out by [Claims]: each layout says how well it fits, and why. It
// knows neither samples nor predictions, only where in a row they stand.
package profile
