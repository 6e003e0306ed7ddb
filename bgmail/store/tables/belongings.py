"""What people keep at a match: what is said, when it was seen, notes, and plays laid out."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Text
from sqlmodel import Field

from bgmail.store.tables.base import Table


class ChatRow(Table, table=True):
    """A line of chat in a match, kept for ever; it stays outside the log."""

    __tablename__ = "chat"
    id: int | None = Field(default=None, primary_key=True)
    match_id: str = Field(foreign_key="match.id", index=True)
    author_id: int = Field(foreign_key="account.id")
    at: datetime
    body: str = Field(sa_column=Column(Text, nullable=False))


class VisitRow(Table, table=True):
    """Up to which entry of a match a person has seen it on its page: what came later is news."""

    __tablename__ = "visit"
    match_id: str = Field(primary_key=True, foreign_key="match.id")
    account_id: int = Field(primary_key=True, foreign_key="account.id")
    seq: int
    at: datetime


class MatchNoteRow(Table, table=True):
    """What a person wrote down about a match, for their own eyes alone."""

    __tablename__ = "match_note"
    author_id: int = Field(primary_key=True, foreign_key="account.id")
    match_id: str = Field(primary_key=True, foreign_key="match.id")
    body: str = Field(sa_column=Column(Text, nullable=False))
    at: datetime


class PersonNoteRow(Table, table=True):
    """What a person wrote down about another one, for their own eyes alone."""

    __tablename__ = "person_note"
    author_id: int = Field(primary_key=True, foreign_key="account.id")
    person_id: int = Field(primary_key=True, foreign_key="account.id")
    body: str = Field(sa_column=Column(Text, nullable=False))
    at: datetime


class SketchRow(Table, table=True):
    """A play that somebody laid out on the board at one version of a match, and didn't submit."""

    __tablename__ = "sketch"
    match_id: str = Field(primary_key=True, foreign_key="match.id")
    account_id: int = Field(primary_key=True, foreign_key="account.id", index=True)
    version: int
    play: str
    at: datetime
