"""Sessions through psycopg 3: binary and text, pipelines, COPY, cursors, notifications, errors, cancel.

Usage: psycopg3.py URL
"""
import datetime as dt
import decimal
import sys
import threading
import uuid

import psycopg

from checks import TABLE, VIEW, equal, fails, run

UTC = dt.timezone.utc
URL = sys.argv[1]
db = psycopg.connect(URL, autocommit=True)
db.execute("SET TimeZone = 'UTC'")


def at(minute):
    return dt.datetime(2026, 10, 6, 9, 0, tzinfo=UTC) + dt.timedelta(minutes=minute)


def rows(sql, args=None, binary=False):
    return db.cursor(binary=binary).execute(sql, args).fetchall()


def tables():
    db.execute(TABLE)
    db.execute(VIEW)
    equal(rows("SELECT relkind FROM pg_class WHERE oid = 'visits'::regclass"), [("m",)])


def story():
    insert = "INSERT INTO events VALUES (%s, %s, %s, %s)"
    db.cursor().executemany(insert, [(1, "a", at(0), decimal.Decimal("74")), (2, "a", at(22), decimal.Decimal("51"))])
    equal(rows("SELECT count(*), sum(amount) FROM visits"), [(2, decimal.Decimal("125.00"))])
    db.execute(insert, (3, "a", at(11), decimal.Decimal("9")))
    equal(rows("SELECT session_start, session_end, event_count, amount FROM visits"), [(at(0), at(22), 3, decimal.Decimal("134.00"))])


def revisions(binary):
    got = rows("SELECT revision_id, change, supersedes, amount, is_current, published_at FROM visits_revisions ORDER BY published_commit, session_start", None, binary)
    equal([r[1] for r in got], ["open", "open", "merge"])
    equal(got[2][2], [got[0][0], got[1][0]])
    equal([type(v) for v in got[2]], [uuid.UUID, str, list, decimal.Decimal, bool, dt.datetime])


def values():
    cases = [
        ("smallint", -32768), ("int", 2147483647), ("bigint", -9223372036854775808), ("float4", 1.5), ("float8", 5e-324), ("bool", True),
        ("numeric", decimal.Decimal("-1234567890123456789.0123456789")), ("text", "ä€🙂'\"\\"), ("bytea", b"\x00\xff"), ("date", dt.date(1, 1, 1)),
        ("time", dt.time(23, 59, 59, 999999)), ("timestamp", dt.datetime(2026, 10, 6, 9, 0, 0, 1)), ("timestamptz", at(0)),
        ("interval", dt.timedelta(days=-1, microseconds=5)), ("uuid", uuid.UUID(int=7)), ("json", {"a": [1, None]}), ("int[]", [1, None, -3]), ("text[]", ["a b", "", None]),
    ]
    for ddl, value in cases:
        sent = psycopg.types.json.Json(value) if ddl == "json" else value
        for binary in (False, True):
            for placeholder in ("%s", "%t", "%b"):
                if ddl == "json" and placeholder != "%s":
                    continue
                equal(rows(f"SELECT {placeholder}::{ddl}", (sent,), binary), [(value,)])


def prepared():
    for i in range(1, 9):
        equal(db.execute("SELECT amount FROM events WHERE event_id = %s", (1 + i % 3,), prepare=True).fetchone()[0], [51, 9, 74][(i - 1) % 3])


def pipeline():
    with db.pipeline():
        db.execute("INSERT INTO events VALUES (4, 'b', %s, 1)", (at(0),))
        seen = db.execute("SELECT count(*) FROM visits")
        equal(seen.fetchone()[0], 2)


def transaction():
    with db.transaction() as outer:
        db.execute("INSERT INTO events VALUES (5, 'b', %s, 2)", (at(5),))
        equal(rows("SELECT amount FROM visits WHERE account_id = 'b'"), [(3,)])
        raise psycopg.Rollback(outer)


def rolled_back():
    equal(rows("SELECT amount FROM visits WHERE account_id = 'b'"), [(1,)])


def copy(fmt, first):
    with db.cursor().copy(f"COPY events FROM STDIN (FORMAT {fmt})") as c:
        if fmt == "binary":
            c.set_types(["int8", "text", "timestamptz", "numeric"])
        for i in range(500):
            c.write_row((first + i, "copied", at(i), decimal.Decimal("2.50")))
    with db.cursor().copy(f"COPY (SELECT event_count, amount FROM visits WHERE account_id = 'copied') TO STDOUT (FORMAT {fmt})") as c:
        c.set_types(["int8", "numeric"])
        equal(list(c.rows()), [(500, decimal.Decimal("1250.00"))])
    db.execute("DELETE FROM events WHERE account_id = 'copied'")
    equal(rows("SELECT count(*) FROM visits WHERE account_id = 'copied'"), [(0,)])


def cursors():
    db.execute("INSERT INTO events SELECT 10000 + i, 'k' || i, %s, 1 FROM generate_series(1, 1000) AS t(i)", (at(0),))
    with db.transaction(), db.cursor(name="walk") as walk:
        walk.itersize = 100
        walk.execute("SELECT account_id FROM visits WHERE account_id LIKE 'k%'")
        equal(len({r[0] for r in walk}), 1000)
    equal(sum(1 for _ in db.cursor().stream("SELECT * FROM visits WHERE account_id LIKE 'k%'")), 1000)


def notifications():
    with psycopg.connect(URL, autocommit=True) as listener:
        listener.execute("LISTEN visits")
        db.execute("INSERT INTO events VALUES (20000, 'n', %s, 1)", (at(0),))
        for n in listener.notifies():
            equal((n.channel, '"published":1' in n.payload), ("visits", True))
            break


def errors():
    e = fails(psycopg.errors.UndefinedColumn, lambda: db.execute("SELECT amout FROM visits"))
    equal((e.sqlstate, e.diag.statement_position), ("42703", "8"))
    e = fails(psycopg.errors.UniqueViolation, lambda: db.execute("INSERT INTO events VALUES (1, 'a', now(), 1)"))
    equal((e.diag.table_name, e.diag.constraint_name), ("events", "events_pkey"))
    e = fails(psycopg.Error, lambda: db.execute("DELETE FROM visits"))
    equal(bool(e.diag.message_hint), True)


def cancel():
    threading.Timer(0.3, db.cancel).start()
    fails(psycopg.errors.QueryCanceled, lambda: db.execute("SELECT sum(a.range * b.range) FROM range(100000000) AS a, range(1000000) AS b"))
    equal(rows("SELECT 1"), [(1,)])


def proof():
    equal(rows("SELECT * FROM sessiondb.verify('visits')"), [])


run([
    ("tables", tables), ("the late bridge", story), ("revisions in text", lambda: revisions(False)), ("revisions in binary", lambda: revisions(True)), ("values", values),
    ("prepared", prepared), ("pipeline", pipeline), ("transaction", transaction), ("rolled back", rolled_back), ("COPY in text", lambda: copy("text", 1000)),
    ("COPY in binary", lambda: copy("binary", 2000)), ("cursors", cursors), ("notifications", notifications), ("errors", errors), ("cancel", cancel), ("proof", proof),
])
