"""Writes paged.parquet beside itself: pages of 250 rows with indexes, which DuckDB does not write. PyArrow 21 or later."""
import os

import pyarrow as pa
import pyarrow.parquet as pq

# Four groups of a thousand rows. The bounds of each group say next to nothing: its pages have gaps between them.
n, day, text, price, maybe = [], [], [], [], []
for row in range(4000):
    group, page = row // 1000, row % 1000 // 250
    value = page * 1000 + group * 100 + row % 100
    n.append(value)
    day.append(value)
    text.append(f"k{value:05}")
    price.append(value / 4)
    maybe.append(None if page == 2 else 3000 - value)
table = pa.table(
    {
        "n": pa.array(n, pa.int64()),
        "day": pa.array(day, pa.int32()).cast(pa.date32()),
        "text": pa.array(text),
        "price": pa.array(price, pa.float64()),
        "maybe": pa.array(maybe, pa.int32()),
    }
)
pq.write_table(
    table,
    os.path.join(os.path.dirname(os.path.abspath(__file__)), "paged.parquet"),
    row_group_size=1000,
    use_dictionary=False,
    write_page_index=True,
    write_batch_size=250,
    data_page_size=1,
    compression="zstd",
)
