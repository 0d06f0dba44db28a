"""What every table of the journal is declared with."""

from sqlalchemy import BigInteger, Integer, MetaData, Text

metadata = MetaData()

# SQLite numbers rows by itself only in a column declared exactly INTEGER PRIMARY KEY.
RowNumber = BigInteger().with_variant(Integer(), "sqlite")
# Compared byte by byte everywhere, so that a prefix of an id is a range of the index.
Key = Text().with_variant(Text(collation="C"), "postgresql")
