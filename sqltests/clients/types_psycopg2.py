"""Creates, loads, queries and reads back every type through psycopg2.

Usage: types_psycopg2.py URL
"""
import datetime as dt
import decimal
import io
import json
import math
import sys
import uuid

import psycopg2
import psycopg2.extras

UTC = dt.timezone.utc
CASES = [
    ("bool", [True, False]),
    ("smallint", [-32768, 32767]),
    ("int", [-2147483648, 2147483647]),
    ("bigint", [-9223372036854775808, 9223372036854775807]),
    ("real", [1.5, -0.25, math.inf]),
    ("double precision", [0.1, 1e15, 5e-324, math.inf, -math.inf]),
    ("numeric(12,2)", [decimal.Decimal("134.00"), decimal.Decimal("-0.01")]),
    ("numeric(38,10)", [decimal.Decimal("1234567890123456789012345678.0123456789")]),
    ("text", ["", "a b", "ä€🙂", "quote ' and \" and \\ done", "tab\tand\nnewline", "NULL"]),
    ("varchar", ["x", "thirteen bytes"]),
    ("date", [dt.date(2026, 10, 6), dt.date(1, 1, 1), dt.date(9999, 12, 31)]),
    ("time", [dt.time(9, 11), dt.time(23, 59, 59, 999999)]),
    ("timestamp", [dt.datetime(2026, 10, 6, 9, 0, 0, 123456)]),
    ("timestamptz", [dt.datetime(2026, 10, 6, 9, 0, tzinfo=UTC), dt.datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)]),
    ("interval", [dt.timedelta(minutes=11), dt.timedelta(days=-1), dt.timedelta(days=2, seconds=3, microseconds=5)]),
    ("uuid", [uuid.UUID("7f3c1a2e-9b54-4d21-8f60-0123456789ab")]),
    ("bytea", [b"", b"\x00\xff", b"ab"]),
    ("json", [{"a": [1, None, "x"]}, [], 3.5]),
    ("int[]", [[], [1, None, -3]]),
    ("text[]", [["a b", "", None, "NULL", 'q"x', "\\"]]),
    ("float8[]", [[0.1, -math.inf]]),
    ("uuid[]", [[uuid.UUID("7f3c1a2e-9b54-4d21-8f60-0123456789ab")]]),
    ("timestamptz[]", [[dt.datetime(2026, 10, 6, 9, 0, tzinfo=UTC)]]),
]


def adapt(ddl, value):
    if ddl == "json":
        return psycopg2.extras.Json(value)
    if ddl == "bytea":
        return psycopg2.Binary(value)
    return value


def plain(value):
    return bytes(value) if isinstance(value, memoryview) else value


def check(cursor, ddl, values):
    cast = f"%s::{ddl}" if ddl.endswith("[]") else "%s"
    cursor.execute("DROP TABLE IF EXISTS python_types")
    cursor.execute(f"CREATE TABLE python_types (n int, v {ddl})")
    for n, value in enumerate(values):
        cursor.execute(f"INSERT INTO python_types VALUES (%s, {cast})", (n, adapt(ddl, value)))
    cursor.execute("INSERT INTO python_types VALUES (%s, %s)", (len(values), None))
    expect(cursor, ddl, values)
    out = io.StringIO()
    cursor.copy_expert("COPY python_types TO STDOUT", out)
    cursor.execute("DELETE FROM python_types")
    cursor.copy_expert("COPY python_types FROM STDIN", io.StringIO(out.getvalue()))
    expect(cursor, ddl + " after COPY out and in", values)


def expect(cursor, what, values):
    cursor.execute("SELECT v FROM python_types ORDER BY n")
    got = [plain(row[0]) for row in cursor.fetchall()]
    if got != values + [None]:
        sys.exit(f"{what}: {values + [None]} came back as {got}")


def main():
    psycopg2.extras.register_uuid()
    connection = psycopg2.connect(sys.argv[1])
    cursor = connection.cursor()
    cursor.execute("SET TimeZone = 'UTC'")
    for ddl, values in CASES:
        check(cursor, ddl, values)
        connection.commit()
    print(json.dumps([ddl for ddl, _ in CASES]))


main()
