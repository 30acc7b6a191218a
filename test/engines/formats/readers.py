"""Reads answers as their readers do. On stdin a JSON job, on stdout what came of it.

{"mode": "values", "arrow": path, "csv": path, "json": path}: reader -> list of differences from the JSON answer.
{"mode": "broken", "arrow": path, "csv": path, "json": path}: reader -> the error, or null where it took the answer for whole.
"""
import csv, datetime as dt, decimal, io, json, os, re, sys

os.environ["POLARS_IMPORT_INTERVAL_AS_STRUCT"] = "1"
os.environ["RUST_BACKTRACE"] = "0"
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.ipc as pa_ipc

decimal.getcontext().prec = 200
EPOCH = dt.datetime(1970, 1, 1)


# ---------------------------------------------------------------- one form for what all of them give

def split_types(text):
    """Parts between commas that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for at, c in enumerate(text):
        if c in "<([":
            depth += 1
        elif c in ">)]":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return parts + [text[start:].strip()]


def nanoseconds(text):
    """Of `YYYY-MM-DD HH:MM:SS.fffffffff[ +HH:MM]`, in UTC."""
    m = re.fullmatch(r"(\d+-\d\d-\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?: ?([+-])(\d\d):?(\d\d)?)?", text)
    day, h, mi, s, fraction, sign, oh, om = m.groups()
    days = (dt.date.fromisoformat(day) - EPOCH.date()).days
    seconds = days * 86400 + int(h) * 3600 + int(mi) * 60 + int(s)
    if sign:
        seconds -= (1 if sign == "+" else -1) * (int(oh) * 3600 + int(om or 0) * 60)
    return seconds * 10**9 + int((fraction or "").ljust(9, "0"))


def interval(value):
    if isinstance(value, dict):  # polars
        return (value["months"], value["days"], value["nanoseconds"] // dt.timedelta(microseconds=1) * 1000)
    if isinstance(value, tuple):  # PyArrow
        return (value.months, value.days, value.nanoseconds)
    if isinstance(value, pd.DateOffset):
        k = value.kwds
        return (k.get("months", 0), k.get("days", 0), k.get("nanoseconds", 0) + k.get("microseconds", 0) * 1000)
    months = days = ns = 0
    for n, unit in re.findall(r"(-?[\d.]+) (year|mon|day|hour|min|sec)", value):
        number = decimal.Decimal(n)
        if unit == "year": months += int(number) * 12
        elif unit == "mon": months += int(number)
        elif unit == "day": days += int(number)
        else: ns += int(number * {"hour": 3600, "min": 60, "sec": 1}[unit] * 10**9)
    clock = re.search(r"(-?)(\d+):(\d\d):(\d\d)(?:\.(\d+))?", value)
    if clock:
        sign, h, m, s, f = clock.groups()
        part = (int(h) * 3600 + int(m) * 60 + int(s)) * 10**9 + int((f or "").ljust(9, "0"))
        ns += -part if sign else part
    return (months, days, ns)


def form(dtype, value):
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, float) and value != value and dtype not in ("float", "double"):
        return None  # pandas, for NULL in a list of numbers
    if dtype.startswith("list<"):
        return [form(dtype[len("list<item: "):-1], each) for each in value]
    if dtype.startswith("struct<"):
        fields = [part.split(": ", 1) for part in split_types(dtype[len("struct<"):-1])]
        return {name: form(kind, value[name]) for name, kind in fields}
    if dtype.startswith("map<"):
        key, kind = split_types(dtype[len("map<"):-1])
        if isinstance(value, dict):
            pairs = zip(value["key"], value["value"]) if set(value) == {"key", "value"} else value.items()
        else:
            pairs = [(p["key"], p["value"]) if isinstance(p, dict) else p for p in value]
        return [[form(key, k), form(kind, v)] for k, v in pairs]
    if dtype == "bool":
        return bool(value)
    if re.match(r"u?int\d", dtype):
        return int(value)
    if dtype in ("float", "double"):
        return float(value)
    if dtype.startswith("decimal"):
        return decimal.Decimal(str(value)).normalize()
    if dtype == "binary":
        return value.hex() if isinstance(value, bytes) else str(value)
    if dtype.startswith("date32"):
        return str(value)[:10]
    if dtype.startswith("time32") or dtype.startswith("time64"):
        return nanoseconds("1970-01-01 " + str(value))
    if dtype.startswith("timestamp"):
        if isinstance(value, int):
            return value
        if isinstance(value, np.datetime64):
            return int(value.astype("datetime64[ns]").astype("int64"))
        if isinstance(value, pd.Timestamp):
            value = value.tz_convert("UTC").tz_localize(None) if value.tzinfo else value
            return int(value.as_unit("ns").value)
        return nanoseconds(str(value))
    if dtype == "month_day_nano_interval":
        return interval(value)
    return str(value)


def differences(answer, rows):
    """Of rows in the answer's order, values in the order of its columns."""
    names, dtypes, data = answer["columns"], answer["dtypes"], answer["data"]
    if len(rows) != len(data):
        return [f"{len(rows)} rows, not {len(data)}"]
    found = []
    for expected, row in zip(data, rows):
        for name, wanted, got in zip(names, expected, row):
            dtype = dtypes[name]
            try:
                a, b = form(dtype, wanted), form(dtype, got)
            except Exception as error:
                found.append(f"{name} ({dtype}): {got!r}: {error!r}")
                continue
            if a != b:
                found.append(f"{name} ({dtype}): {b!r}, not {a!r}")
    return found


# ---------------------------------------------------------------- Arrow

def table(path):
    with open(path, "rb") as file:
        whole = pa_ipc.open_stream(file).read_all()
    whole.validate(full=True)
    return whole


def pandas_rows(whole):
    """With Arrow's types, as pandas keeps whole numbers beside NULLs; it has none for intervals."""
    kept = lambda kind: None if pa.types.is_interval(kind) else pd.ArrowDtype(kind)
    return whole.to_pandas(types_mapper=kept).astype(object).values.tolist()


def duckdb_rows(relation, dtypes):
    """DuckDB hands instants and intervals over as Python's types, which have neither nanoseconds nor months: as text, then."""
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    connection.register("answer", relation)
    columns = ", ".join(
        f'CAST("{name}" AS VARCHAR)' if re.match("timestamp|month|time", dtype) else f'"{name}"'
        for name, dtype in dtypes.items()
    )
    return connection.sql(f"SELECT {columns} FROM answer").fetchall()


def polars_rows(path):
    frame = pl.read_ipc_stream(path)
    exact = [
        pl.col(name).dt.timestamp("ns") if isinstance(kind, pl.Datetime) else pl.col(name)
        for name, kind in frame.schema.items()
    ]
    return frame.select(exact).rows()


ARROW = {
    "PyArrow": lambda path, answer: [list(row) for row in zip(*[
        [value.value if pa.types.is_timestamp(column.type) and value.as_py() is not None else value.as_py() for value in column.cast(pa.timestamp("ns", column.type.tz)) ]
        if pa.types.is_timestamp(column.type) else column.to_pylist()
        for column in table(path).columns])],
    "pandas": lambda path, answer: pandas_rows(table(path)),
    "DuckDB": lambda path, answer: duckdb_rows(table(path), answer["dtypes"]),
    "polars": lambda path, answer: polars_rows(path),
}


# ---------------------------------------------------------------- CSV

def from_text(dtype, text):
    """What the fields of an answer say, by the type of JSON."""
    if text is None:
        return None
    if dtype.startswith(("list<", "struct<", "map<")):
        return json.loads(text)
    if dtype == "bool":
        return {"true": True, "false": False}[text]
    return text


def csv_rows(rows, dtypes):
    kinds = list(dtypes.values())
    return [[from_text(kind, text) for kind, text in zip(kinds, row)] for row in rows]


def python_csv(path, answer):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0] == answer["columns"], rows[0]
    return without_nulls(rows[1:], answer)


def without_nulls(rows, answer):
    """Readers that know no difference between an empty text and NULL: where JSON has NULL, empty is right."""
    return csv_rows(
        [[None if text == "" and wanted is None else text for text, wanted in zip(row, expected)]
         for row, expected in zip(rows, answer["data"])] + rows[len(answer["data"]):],
        answer["dtypes"],
    )


def pandas_csv(path, answer):
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    assert list(frame.columns) == answer["columns"]
    return without_nulls(frame.values.tolist(), answer)


def pyarrow_csv(path, answer):
    types = {name: pa.string() for name in answer["columns"]}
    convert = pa_csv.ConvertOptions(column_types=types, null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=False)
    whole = pa_csv.read_csv(path, parse_options=pa_csv.ParseOptions(newlines_in_values=True), convert_options=convert)
    return csv_rows([list(row) for row in zip(*[column.to_pylist() for column in whole.columns])], answer["dtypes"])


def duckdb_csv(path, answer):
    rows = duckdb.connect().sql(f"SELECT * FROM read_csv('{path}', all_varchar = true, header = true, allow_quoted_nulls = false)").fetchall()
    return csv_rows(rows, answer["dtypes"])


def polars_csv(path, answer):
    return csv_rows(pl.read_csv(path, infer_schema=False).rows(), answer["dtypes"])


CSV = {
    "Python's csv": python_csv,
    "pandas CSV": pandas_csv,
    "PyArrow CSV": pyarrow_csv,
    "DuckDB CSV": duckdb_csv,
    "polars CSV": polars_csv,
}

# As people call them, without being told anything.
PLAIN = {
    "PyArrow": lambda path: pa_ipc.open_stream(open(path, "rb")).read_all(),
    "PyArrow, batch by batch": lambda path: list(pa_ipc.open_stream(open(path, "rb"))),
    "pandas": lambda path: pa_ipc.open_stream(open(path, "rb")).read_pandas(),
    "polars": lambda path: pl.read_ipc_stream(path),
    "DuckDB": lambda path: duckdb.connect().from_arrow(pa_ipc.open_stream(open(path, "rb"))).fetchall(),
}
PLAIN_CSV = {
    "Python's csv": lambda path: list(csv.reader(open(path, newline="", encoding="utf-8"))),
    "Python's csv, bytes replaced": lambda path: list(csv.reader(open(path, newline="", encoding="utf-8", errors="replace"))),
    "pandas CSV": lambda path: pd.read_csv(path),
    "pandas CSV, Python engine": lambda path: pd.read_csv(path, engine="python"),
    "PyArrow CSV": lambda path: pa_csv.read_csv(path),
    "DuckDB CSV": lambda path: duckdb.connect().sql(f"SELECT * FROM read_csv('{path}')").fetchall(),
    "polars CSV": lambda path: pl.read_csv(path),
}
PLAIN_JSON = {
    "Python's json": lambda path: json.load(open(path, encoding="utf-8")),
    "pandas JSON": lambda path: pd.read_json(path, typ="series"),
    "DuckDB JSON": lambda path: duckdb.connect().sql(f"SELECT * FROM read_json('{path}', maximum_object_size = 1000000000)").fetchall(),
}


def outcome(run):
    try:
        run()
    except BaseException as error:
        return f"{type(error).__name__}: {error}"[:200]
    return None


job = json.load(sys.stdin)
if job["mode"] == "values":
    with open(job["json"], encoding="utf-8") as file:
        answer = json.load(file, parse_float=decimal.Decimal)
    result = {}
    for readers, path in ((ARROW, job["arrow"]), (CSV, job["csv"])):
        for name, rows in readers.items():
            try:
                result[name] = differences(answer, rows(path, answer))
            except BaseException as error:
                result[name] = [f"{type(error).__name__}: {error}"]
else:
    result = {name: outcome(lambda: read(job["arrow"])) for name, read in PLAIN.items()}
    result |= {name: outcome(lambda: read(job["csv"])) for name, read in PLAIN_CSV.items()}
    result |= {name: outcome(lambda: read(job["json"])) for name, read in PLAIN_JSON.items()}
json.dump(result, sys.stdout)
