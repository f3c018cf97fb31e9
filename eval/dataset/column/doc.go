// Package column finds out what the columns of a file of samples or predictions are, and gives its rows
// the column names of VLMEvalKit: by the names that such columns have, by the layouts of published
// benchmarks (layouts.toml), and by what somebody says. It keeps account of what nobody reads.
//
//	first rows -> Layout, roles -> Plan -> shape of a header -> rows, Read, Unread
package column
