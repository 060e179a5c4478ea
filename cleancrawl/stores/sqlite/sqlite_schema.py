"""Tables of a SQLite store, and how a file of an earlier version becomes one of this version."""

from __future__ import annotations

import sqlite3

from cleancrawl.errors import StoreError, StoreVersionError

APPLICATION_ID = 0x636C6E63
"""``clnc``: tells a store from any other SQLite file."""

SITE_LIST = """
CREATE TABLE listed (name TEXT PRIMARY KEY, site TEXT NOT NULL, due REAL) WITHOUT ROWID;
CREATE INDEX listed_due ON listed (due);
CREATE TABLE leases (
    token INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, owner TEXT NOT NULL, taken REAL NOT NULL,
    until REAL NOT NULL, delay REAL NOT NULL);
"""
ARRIVALS = """
CREATE TABLE arrivals (
    site INTEGER NOT NULL, number INTEGER NOT NULL, page INTEGER NOT NULL, moment INTEGER NOT NULL,
    article INTEGER NOT NULL, counted BLOB NOT NULL, samples TEXT NOT NULL, PRIMARY KEY (site, number)) WITHOUT ROWID;
"""
TABLES = (
    """
CREATE TABLE sites (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, fingerprints INTEGER NOT NULL,
    pages INTEGER NOT NULL DEFAULT 0, blocks INTEGER NOT NULL DEFAULT 0, arrived INTEGER NOT NULL DEFAULT 0,
    merged INTEGER NOT NULL DEFAULT 0, UNIQUE (name, fingerprints));
CREATE TABLE blocks (
    site INTEGER NOT NULL, key INTEGER NOT NULL, near INTEGER, articles INTEGER NOT NULL, others INTEGER NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, seen INTEGER NOT NULL, sample TEXT,
    sections INTEGER NOT NULL DEFAULT 0, squares INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (site, key)) WITHOUT ROWID;
CREATE TABLE bands (band INTEGER NOT NULL, near INTEGER NOT NULL, key INTEGER NOT NULL,
    PRIMARY KEY (band, near, key)) WITHOUT ROWID;
CREATE TABLE distinct_pages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL, article INTEGER NOT NULL, content INTEGER NOT NULL,
    keys BLOB NOT NULL);
CREATE INDEX distinct_pages_site ON distinct_pages (site);
CREATE TABLE pages (
    url TEXT PRIMARY KEY, site TEXT NOT NULL, page INTEGER NOT NULL DEFAULT 0, first_fetched REAL NOT NULL,
    last_fetched REAL NOT NULL, status INTEGER NOT NULL, etag TEXT, last_modified TEXT, reason TEXT,
    content INTEGER NOT NULL, visits INTEGER NOT NULL, changes TEXT NOT NULL, version INTEGER NOT NULL,
    misses INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE INDEX pages_site ON pages (site);
CREATE TABLE articles (
    cursor INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL UNIQUE, site TEXT NOT NULL, version INTEGER NOT NULL,
    previous INTEGER, content INTEGER NOT NULL, digest INTEGER NOT NULL, recorded REAL NOT NULL, article TEXT,
    kept BLOB NOT NULL DEFAULT x'', was TEXT);
CREATE INDEX articles_site ON articles (site, cursor);
CREATE TABLE cursors (name TEXT PRIMARY KEY, cursor INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE notes (site TEXT NOT NULL, name TEXT NOT NULL, note TEXT NOT NULL, PRIMARY KEY (site, name)) WITHOUT ROWID;
CREATE TABLE held (url TEXT PRIMARY KEY, site TEXT NOT NULL, since REAL NOT NULL, response BLOB NOT NULL);
CREATE INDEX held_site ON held (site, url);
CREATE INDEX held_since ON held (since, url);
CREATE TABLE documents (
    id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, site TEXT NOT NULL, recorded REAL NOT NULL, data BLOB NOT NULL,
    keys BLOB NOT NULL);
CREATE TABLE signatures (key INTEGER NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (key, document)) WITHOUT ROWID;
"""
    + ARRIVALS
    + SITE_LIST
)

ADDED = """
CREATE TABLE IF NOT EXISTS runs (
    site TEXT NOT NULL, started REAL NOT NULL, run TEXT NOT NULL, counts TEXT NOT NULL,
    PRIMARY KEY (site, started, run)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS articles_withdrawn ON articles (site) WHERE article IS NULL;
"""
"""Made where they are missing. Older versions of cleancrawl do without them, so the version stays."""

MIGRATIONS = {
    1: "CREATE INDEX held_since ON held (since, url)",
    2: "ALTER TABLE articles ADD COLUMN kept BLOB NOT NULL DEFAULT x''",
    3: "CREATE TABLE IF NOT EXISTS notes (site TEXT NOT NULL, name TEXT NOT NULL, note TEXT NOT NULL,"
    " PRIMARY KEY (site, name)) WITHOUT ROWID",
    4: "ALTER TABLE pages ADD COLUMN misses INTEGER NOT NULL DEFAULT 0; ALTER TABLE articles ADD COLUMN was TEXT",
    5: SITE_LIST,
    6: "ALTER TABLE blocks ADD COLUMN sections INTEGER NOT NULL DEFAULT 0;"
    " ALTER TABLE blocks ADD COLUMN squares INTEGER NOT NULL DEFAULT 0",
    7: ARRIVALS + "ALTER TABLE sites ADD COLUMN arrived INTEGER NOT NULL DEFAULT 0;"
    " ALTER TABLE sites ADD COLUMN merged INTEGER NOT NULL DEFAULT 0",
}
"""By version: what turns a file of that version into the next."""

VERSION = 8


def prepare(connection: sqlite3.Connection, name: str) -> None:
    """Make the tables of a new file, or bring those of an older one up to date.

    Raises ``StoreVersionError`` on a newer file, ``StoreError`` on a file that is something else.
    """
    if _version(connection, name) == VERSION:
        _run(connection, ADDED)
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Asked again inside the transaction: another process may have done it meanwhile.
        version = _version(connection, name)
        if version == 0:
            _run(connection, TABLES)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        _run(connection, ADDED)
        for step in range(version or VERSION, VERSION):
            _run(connection, MIGRATIONS[step])
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection, name: str) -> int:
    # First, since another process may make the tables in between: what has some by now has its mark as well.
    tables = connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        if tables:
            raise StoreError(f"{name} is a SQLite file but not a store of cleancrawl")
        return 0
    if version > VERSION:
        raise StoreVersionError(f"{name} has version {version}, this cleancrawl knows {VERSION}: update cleancrawl")
    return int(version)


def _run(connection: sqlite3.Connection, script: str) -> None:
    # Not executescript: that commits the transaction that is open.
    for statement in script.split(";"):
        if statement.strip():
            connection.execute(statement)
