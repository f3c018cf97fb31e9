// Package tablefile writes tables: JSON lines, CSV, TSV, workbooks and parquet from the same
// rows. It knows no column but image, and reads nothing. What a format cannot hold is told when
// the table is closed, and no cell becomes a formula.
package tablefile
