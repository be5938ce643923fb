package catalog

import "testing"

// What is deferred runs before the first statement that names it, once, and is
// seen by a transaction that began before.
func TestDefer(t *testing.T) {
	db := testDB(t)
	db.Defer("memory.main.later", []string{"CREATE SEQUENCE memory.main.runs", "CREATE TABLE memory.main.later AS SELECT nextval('memory.main.runs') AS run"})
	conn := connect(t, db)
	mustExec(t, conn, "BEGIN")
	mustExec(t, conn, "CREATE TABLE now AS SELECT 1 AS a")
	if !db.Deferred() {
		t.Error("it ran for a statement that does not name it")
	}
	for range 2 {
		var run int64
		if err := conn.QueryRow(t.Context(), "SELECT run FROM memory.main.later, now", nil, &run); err != nil || run != 1 {
			t.Errorf("run %d, %v", run, err)
		}
	}
	mustExec(t, conn, "COMMIT")
	if err := db.RunDeferred(t.Context()); err != nil || db.Deferred() {
		t.Errorf("again: %v", err)
	}
}
