"""What all tables share: one metadata, whose names of keys and indexes are the same in every database."""

from __future__ import annotations

from sqlalchemy import Index, MetaData, text
from sqlmodel import SQLModel

metadata = SQLModel.metadata
metadata.naming_convention = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
).naming_convention
Table = SQLModel


def index_of_some(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """An index of the rows for which a condition holds, in SQL that both databases speak: others cost it nothing."""
    return Index(name, *columns, unique=unique, sqlite_where=text(where), postgresql_where=text(where))
