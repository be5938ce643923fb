"""Sessions through SQLAlchemy: metadata, reflection, the ORM, transactions, streaming, errors.

Usage: sqlalchemy_orm.py URL
"""
import datetime as dt
import decimal
import sys

import sqlalchemy as sa
from sqlalchemy.orm import Session, declarative_base

from checks import VIEW, equal, fails, run

engine = sa.create_engine(sys.argv[1].replace("postgres://", "postgresql+psycopg2://", 1), future=True)
Base = declarative_base()


class Event(Base):
    __tablename__ = "events"
    event_id = sa.Column(sa.BigInteger, primary_key=True, autoincrement=False)
    account_id = sa.Column(sa.Text, nullable=False)
    event_at = sa.Column(sa.DateTime(timezone=True))
    amount = sa.Column(sa.Numeric(12, 2))


class Note(Base):
    __tablename__ = "notes"
    id = sa.Column(sa.Integer, primary_key=True)
    event_id = sa.Column(sa.BigInteger, sa.ForeignKey("events.event_id"))
    body = sa.Column(sa.String(40), nullable=False)
    __table_args__ = (sa.Index("notes_by_body", "body"), {"comment": "what people say"})


def event(event_id, minute, amount, account="a"):
    return Event(event_id=event_id, account_id=account, event_at=dt.datetime(2026, 10, 6, 9, tzinfo=dt.timezone.utc) + dt.timedelta(minutes=minute), amount=amount)


def read(sql):
    with engine.connect() as c:
        return [tuple(r) for r in c.execute(sa.text(sql))]


def metadata():
    Base.metadata.create_all(engine)
    with engine.begin() as c:
        c.execute(sa.text(VIEW))
    Base.metadata.create_all(engine)  # finds both there


def reflection():
    seen = sa.inspect(engine)
    equal({"events", "notes"} <= set(seen.get_table_names()), True)
    columns = {c["name"]: c for c in seen.get_columns("events")}
    equal(list(columns), ["event_id", "account_id", "event_at", "amount"])
    equal((columns["amount"]["type"].precision, columns["amount"]["type"].scale, columns["account_id"]["nullable"], columns["event_at"]["type"].timezone), (12, 2, False, True))
    equal(seen.get_pk_constraint("events")["constrained_columns"], ["event_id"])
    equal([(k["constrained_columns"], k["referred_table"], k["referred_columns"]) for k in seen.get_foreign_keys("notes")], [(["event_id"], "events", ["event_id"])])
    equal([(i["name"], i["column_names"], i["unique"]) for i in seen.get_indexes("notes")], [("notes_by_body", ["body"], False)])
    equal(seen.get_table_comment("notes")["text"], "what people say")
    visits = sa.Table("visits", sa.MetaData(), autoload_with=engine)
    equal([c.name for c in visits.columns][:3], ["account_id", "session_id", "revision"])


def story():
    with Session(engine) as s:
        s.add_all([event(1, 0, 74), event(2, 22, 51)])
        s.commit()
    equal(read("SELECT count(*), sum(amount) FROM visits"), [(2, decimal.Decimal("125.00"))])
    with Session(engine) as s:
        s.add(event(3, 11, 9))
        s.flush()
        equal(s.execute(sa.text("SELECT count(*), sum(amount) FROM visits")).one(), (1, decimal.Decimal("134.00")))
        s.rollback()
    equal(read("SELECT count(*) FROM visits"), [(2,)])
    with Session(engine) as s:
        s.add(event(3, 11, 9))
        s.commit()
    equal(read("SELECT count(*), sum(amount) FROM visits"), [(1, decimal.Decimal("134.00"))])


def corrections():
    with Session(engine) as s:
        s.get(Event, 1).amount = 75
        s.commit()
    equal(read("SELECT change, amount FROM visits_revisions WHERE is_current"), [("correct", decimal.Decimal("135.00"))])
    with Session(engine) as s:
        s.delete(s.get(Event, 3))
        s.commit()
    equal(read("SELECT count(*) FROM visits"), [(2,)])


def savepoints():
    with Session(engine) as s:
        with s.begin_nested():
            s.add(event(4, 0, 1, "b"))
        s.commit()
    equal(read("SELECT amount FROM visits WHERE account_id = 'b'"), [(decimal.Decimal("1.00"),)])

    def undone():
        with Session(engine) as s:
            s.add(event(5, 1, 1, "b"))
            s.flush()
            s.begin_nested()
            s.add(event(6, 2, 1, "b"))
            s.flush()
            s.connection().execute(sa.text("ROLLBACK TO SAVEPOINT sa_savepoint_1"))

    equal(fails(sa.exc.NotSupportedError, undone).orig.pgcode, "0A000")
    equal(read("SELECT amount FROM visits WHERE account_id = 'b'"), [(decimal.Decimal("1.00"),)])


def returning():
    with engine.begin() as c:
        made = c.execute(sa.insert(Note).returning(Note.id), {"id": 1, "event_id": 1, "body": "first"})
        equal(made.scalar(), 1)
        changed = c.execute(sa.update(Note).where(Note.id == 1).values(body="second").returning(Note.body))
        equal(changed.scalar(), "second")


def streaming():
    with engine.begin() as c:
        c.execute(sa.insert(Event), [dict(event_id=100 + i, account_id=f"k{i}", event_at=dt.datetime(2026, 10, 6, tzinfo=dt.timezone.utc), amount=1) for i in range(500)])
    with engine.connect().execution_options(stream_results=True, max_row_buffer=50) as c:
        equal(sum(1 for _ in c.execute(sa.text("SELECT * FROM visits WHERE account_id LIKE 'k%'"))), 500)


def errors():
    e = fails(sa.exc.ProgrammingError, lambda: read("SELECT amout FROM visits"))
    equal(e.orig.pgcode, "42703")

    def twice():
        with Session(engine) as s:
            s.add(event(1, 0, 1))
            s.commit()

    equal(fails(sa.exc.IntegrityError, twice).orig.pgcode, "23505")


def proof():
    equal(read("SELECT * FROM sessiondb.verify('visits')"), [])


run([
    ("metadata", metadata), ("reflection", reflection), ("the late bridge", story), ("corrections", corrections), ("savepoints", savepoints), ("returning", returning),
    ("streaming", streaming), ("errors", errors), ("proof", proof),
])
