// Command bench compares sessiondb with PostgreSQL 15 on this machine, in one
// run: it starts a PostgreSQL cluster of its own in a temporary folder (fsync
// on) and a sessiondb of its own on a file beside it, gives both the same
// work in turns (A B A B), and prints medians and their ratios.
//
//	go run ./bench              the whole table, about ten minutes on two cores
//	go run ./bench -small       a tenth of a minute or so: does it run at all
//	go run ./bench -only commit one load
//
// The loads:
//
//	ingest  COPY of 1,000,000 events (100,000 keys, 5 % of them up to an hour
//	        late) in commits of 10,000, with sessions maintained: by
//	        statement-level triggers (triggers.sql) and by a maintained view.
//	        PostgreSQL's storing without triggers is printed beside it.
//	commit  one INSERT of one row, committed, with a million sessions there:
//	        by a row-level trigger and by a maintained view. p50.
//	hot     one key with a million sessions, and one session of a million
//	        events: insert, bridge, split, replay. sessiondb alone.
//	lookup  SELECT of one key's sessions, of a million, beside a scan for
//	        them: of sessions in memory, and of those that left it. p50.
//	read    SELECT of 2,000,000 rows × 4 columns, to psql and to a reader in Go.
//
// docs/BENCHMARKS.md says what was measured.
package main
