"""The words of conversations, kept beside the turns and searched by the database's own index."""

from collections.abc import Collection, Sequence

import sqlalchemy as sa
from sqlalchemy import select

from adapters.store.schema import words
from adapters.store.transactions import Transaction, place_of
from pipeline.domain import Thread, Turn
from pipeline.text.search_words import Term, split_words

_SEARCHED = frozenset({"web"})
"""Platforms that have no search of their own, so that we search for them."""
_MOST_PLACES = 5000
"""The newest places that are looked at; only very common words are in more."""
_INDEX = sa.table("words_search", sa.column("rowid", sa.Integer))
_VECTOR: sa.ColumnElement[object] = sa.literal_column("words.vector")
"""A column of PostgreSQL's alone."""
_SETTLE = sa.text("INSERT INTO words_search (words_search) VALUES ('optimize')")


def store_words(tx: Transaction, thread: Thread, turn: Turn) -> None:
    """Store the words of a turn and the names of its files, in place of those it had."""
    if thread.channel.platform not in _SEARCHED:
        return
    text = "" if turn.sentence else turn.text
    names = [file.attachment.name for file in turn.files] + [link.name for link in turn.links]
    _store(tx, thread, turn.key, "\n".join([*names, text]))


def store_title_words(tx: Transaction, thread: Thread, title: str) -> None:
    _store(tx, thread, f"title {thread.key}", title)


def _store(tx: Transaction, thread: Thread, owner: str, text: str) -> None:
    found = " ".join(split_words(text))
    if not found:
        drop_words(tx, [owner])
        return
    place = place_of(thread)
    row = {"owner": owner, "thread": place["thread"], "workspace": place["workspace"]}
    tx.put(words, {**row, "words": found}, key="owner")


def drop_words(tx: Transaction, owners: Collection[str]) -> int:
    """Delete the words of turns; returns of how many."""
    return tx.execute(sa.delete(words).where(words.c.owner.in_(owners))).rowcount


def drop_words_of(tx: Transaction, threads: sa.Select[tuple[str]]) -> int:
    """Delete the words of whole threads, their titles' too; returns of how many."""
    return tx.execute(sa.delete(words).where(words.c.thread.in_(threads))).rowcount


def settle_words(tx: Transaction) -> None:
    """Purge deleted words from SQLite's index, which would keep them for a while.

    It has an option for this, but with it older versions of SQLite cannot read the index.
    """
    if tx.connection.dialect.name == "sqlite":
        tx.execute(_SETTLE)


def find_places(tx: Transaction, workspace: str, terms: Sequence[Term]) -> sa.Subquery:
    """The newest place with all the terms in each thread, as (thread, number) of `words`."""
    find = _find_in_sqlite if tx.connection.dialect.name == "sqlite" else _find_in_postgres
    hits = find(workspace, terms).limit(_MOST_PLACES).subquery()
    newest = sa.func.max(hits.c.number).label("number")
    return select(hits.c.thread, newest).group_by(hits.c.thread).subquery("found")


def _find_in_sqlite(workspace: str, terms: Sequence[Term]) -> sa.Select[tuple[str, int]]:
    # Words have only letters and digits, so nothing in them means anything to FTS5.
    phrases = " AND ".join(_quote(term) for term in terms)
    asked = f'workspace : "{workspace.replace(chr(34), "")}" AND words : ({phrases})'
    is_found = sa.literal_column("words_search").op("MATCH")(asked)
    joined = _INDEX.join(words, words.c.number == _INDEX.c.rowid)
    query = select(words.c.thread, words.c.number).select_from(joined).where(is_found)
    return query.where(words.c.workspace == workspace).order_by(_INDEX.c.rowid.desc())


def _quote(term: Term) -> str:
    return f'"{" ".join(term.words)}"{" *" if term.is_prefix else ""}'


def _find_in_postgres(workspace: str, terms: Sequence[Term]) -> sa.Select[tuple[str, int]]:
    from sqlalchemy.dialects.postgresql import TSQUERY  # noqa: PLC0415 - slow; not for SQLite

    whose = workspace.replace("\\", "\\\\").replace("'", "''")
    lexemes = [f"'{whose}'", *(lexeme for term in terms for lexeme in _list_lexemes(term))]
    is_found = _VECTOR.op("@@")(sa.cast(" & ".join(lexemes), TSQUERY))
    phrases = [term for term in terms if len(term.words) > 1]
    columns = [words.c.thread, words.c.number, *([words.c.words] if phrases else [])]
    # Not materialized, PostgreSQL reads all rows from the newest on until it has enough.
    query = select(*columns).where(is_found).cte().prefix_with("MATERIALIZED")
    found = select(query.c.thread, query.c.number)
    for term in phrases:  # the index does not know what stands side by side
        phrase = f" {' '.join(term.words)}{'' if term.is_prefix else ' '}"
        padded = sa.literal(" ").concat(query.c.words).concat(" ")
        found = found.where(sa.func.strpos(padded, phrase) > 0)
    return found.order_by(query.c.number.desc())


def _list_lexemes(term: Term) -> list[str]:
    *firsts, last = term.words
    return [*(f"'{word}'" for word in firsts), f"'{last}'{':*' if term.is_prefix else ''}"]
