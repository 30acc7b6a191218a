"""Parquet files that DuckDB does not write, below the directory that is named: one for each way of writing."""
import datetime as dt
import decimal
import itertools
import os
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

root = sys.argv[1]
N = 3000


def nulls(values, mode):
    if mode == "none":
        return values
    if mode == "some":
        return [None if i % 3 == 1 else v for i, v in enumerate(values)]
    if mode == "first":
        return [None if i < 1500 else v for i, v in enumerate(values)]
    return [None for _ in values]


epoch = dt.datetime(1969, 12, 31, 23, 59, 58)
TYPES = {
    "i8": (pa.int8(), [i % 256 - 128 for i in range(N)]),
    "u16": (pa.uint16(), [i * 21 % 65536 for i in range(N)]),
    "i32": (pa.int32(), [(i * 2654435761) % 2**32 - 2**31 for i in range(N)]),
    "u32": (pa.uint32(), [(i * 2654435761) % 2**32 for i in range(N)]),
    "i64": (pa.int64(), [(i * 11400714819323198485) % 2**64 - 2**63 for i in range(N)]),
    "u64": (pa.uint64(), [(i * 11400714819323198485) % 2**64 for i in range(N)]),
    "f16": (pa.float16(), [np.float16(x) for x in (np.arange(N) - 1500) / 7]),
    "f32": (pa.float32(), [i / 7 for i in range(N)]),
    "f64": (pa.float64(), [float("nan") if i % 9 == 0 else -i / 3 for i in range(N)]),
    "b": (pa.bool_(), [i % 7 < 3 for i in range(N)]),
    "s": (pa.string(), [f"é{i % 50}" * (i % 4) for i in range(N)]),
    "bin": (pa.binary(), [bytes([i % 256, 0, 255]) * (i % 3) for i in range(N)]),
    "fix": (pa.binary(5), [f"{i:05}".encode() for i in range(N)]),
    "date": (pa.date32(), [i * 100 - 100000 for i in range(N)]),
    "t_ms": (pa.time32("ms"), [i * 28799 for i in range(N)]),
    "t_us": (pa.time64("us"), [i * 28799999 for i in range(N)]),
    "ts_ms": (pa.timestamp("ms"), [i * 86399999 - 10**9 for i in range(N)]),
    "ts_us": (pa.timestamp("us"), [i * 86399999999 - 10**12 for i in range(N)]),
    "ts_ns": (pa.timestamp("ns"), [i * 86399999999999 - 10**15 - 1 for i in range(N)]),
    "tz_us": (pa.timestamp("us", "Europe/Berlin"), [i * 86399999999 - 10**12 for i in range(N)]),
    "tz_ns": (pa.timestamp("ns", "UTC"), [i * 86399999999999 - 10**15 - 1 for i in range(N)]),
    "d9": (pa.decimal128(9, 2), [decimal.Decimal(i * 331 - 500000).scaleb(-2) for i in range(N)]),
    "d18": (pa.decimal128(18, 6), [decimal.Decimal(i * 10**13 - 10**15).scaleb(-6) for i in range(N)]),
    "d38": (pa.decimal128(38, 10), [decimal.Decimal(i * 10**30 - 10**33).scaleb(-10) for i in range(N)]),
    "dict": (pa.dictionary(pa.int32(), pa.string()), [f"d{i % 7}" for i in range(N)]),
    "list": (pa.list_(pa.int32()), [list(range(i % 4)) if i % 5 else [None] for i in range(N)]),
    "nest": (pa.list_(pa.struct([("a", pa.string()), ("b", pa.list_(pa.int64()))])),
             [[{"a": str(i), "b": [i, None]}, None, {"a": None, "b": None}][: i % 4] for i in range(N)]),
    "st": (pa.struct([("x", pa.float64()), ("y", pa.struct([("z", pa.string())]))]),
           [{"x": i / 2, "y": {"z": str(i)} if i % 2 else None} for i in range(N)]),
    "map": (pa.map_(pa.string(), pa.int32()), [[(f"k{j}", j if j % 2 else None) for j in range(i % 3)] for i in range(N)]),
}


def table(names, mode):
    columns = []
    for name in names:
        kind, values = TYPES[name]
        if name.startswith(("date", "t_", "ts_", "tz_")):
            raw = pa.array(nulls(values, mode), pa.int32() if name in ("date", "t_ms") else pa.int64())
            columns.append(raw.cast(kind) if name == "date" else raw.view(kind))
        else:
            columns.append(pa.array(nulls(values, mode), kind))
    return pa.table(dict(zip(names, columns)))


def write(name, data, **options):
    pq.write_table(data, os.path.join(root, name + ".parquet"), **options)
    print(name + ".parquet")


FLAT = [name for name in TYPES if name not in ("list", "nest", "st", "map", "dict")]
for mode, (codec, version, page) in itertools.product(
    ("none", "some", "first", "all"),
    (("snappy", "1.0", "1.0"), ("zstd", "2.6", "2.0"), ("brotli", "2.4", "1.0"), ("lz4", "2.6", "2.0"), ("gzip", "2.6", "1.0"), ("none", "2.6", "2.0")),
):
    # Older versions have no nanoseconds.
    names = [name for name in TYPES if version == "2.6" or not name.endswith("_ns")]
    write(f"all-{mode}-{codec}", table(names, mode), compression=codec, version=version, data_page_version=page,
          data_page_size=2000, row_group_size=1100)

DELTAS = {name: "DELTA_BINARY_PACKED" for name in ("i8", "u16", "i32", "u32", "i64", "u64", "date", "t_ms", "t_us", "ts_ms", "ts_us", "ts_ns", "tz_us")}
SPLIT = {name: "BYTE_STREAM_SPLIT" for name in ("f32", "f64")}
SPLIT_OTHERS = {name: "BYTE_STREAM_SPLIT" for name in ("i32", "i64", "f16", "fix", "d9", "ts_us")}
for mode in ("none", "some"):
    for page in ("1.0", "2.0"):
        for title, encodings in (
            ("delta", DELTAS), ("split", SPLIT), ("split-others", SPLIT_OTHERS),
            ("length", {"s": "DELTA_LENGTH_BYTE_ARRAY", "bin": "DELTA_LENGTH_BYTE_ARRAY"}),
            ("prefix", {"s": "DELTA_BYTE_ARRAY", "bin": "DELTA_BYTE_ARRAY", "fix": "DELTA_BYTE_ARRAY"}),
            ("plain", {name: "PLAIN" for name in FLAT}),
            ("rle", {"b": "RLE"}),
        ):
            write(f"{title}-{mode}-v{page[0]}", table(list(encodings), mode), use_dictionary=False, column_encoding=encodings,
                  data_page_version=page, data_page_size=3000)
    write(f"int96-{mode}", table(["ts_us", "ts_ns", "tz_us"], mode), use_deprecated_int96_timestamps=True)
    write(f"int-decimals-{mode}", table(["d9", "d18", "d38"], mode), store_decimal_as_integer=True)
    write(f"old-lists-{mode}", table(["list", "nest"], mode), use_compliant_nested_type=False)
required = pa.schema([pa.field(name, TYPES[name][0], nullable=False) for name in FLAT + ["list", "st"]])
write("required", table(FLAT + ["list", "st"], "none").cast(required))
write("empty", table(TYPES, "none").slice(0, 0))
write("small-dictionary", table(["s", "i64", "d38"], "some"), dictionary_pagesize_limit=100, data_page_size=500)
