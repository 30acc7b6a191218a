"""Asks Superset, in this process: a connection, the data sets of the project, and the queries of charts. Prints JSON."""

from __future__ import annotations

import json
import sys
from typing import Any
from urllib.parse import quote

from superset.app import create_app

app = create_app()
client = app.test_client()
login = {"username": "admin", "password": "admin", "provider": "db", "refresh": False}
token = client.post("/api/v1/security/login", json=login).json["access_token"]
steps: list[dict[str, Any]] = []


TABLES = quote("(force:!t,schema_name:'')")


def ask(what: str, method: str, path: str, body: Any = None) -> Any:
    answer = client.open(path, method=method, json=body, headers={"Authorization": f"Bearer {token}"})
    value = answer.json or {}
    steps.append({"what": what, "request": f"{method} {path.split('?')[0]}", "status": answer.status_code})
    if answer.status_code >= 300:
        steps[-1]["error"] = json.dumps(value)[:1000]
    return value


def total(column: str, aggregate: str) -> dict[str, Any]:
    return {"expressionType": "SIMPLE", "column": {"column_name": column}, "aggregate": aggregate, "label": f"{aggregate} of {column}"}


url = sys.argv[1]
database = {"database_name": "shop", "sqlalchemy_uri": url}
ask("tests the connection", "POST", "/api/v1/database/test_connection/", database)
made = ask("adds the database", "POST", "/api/v1/database/", {**database, "expose_in_sqllab": True})
id = made.get("id", 0)
ask("lists schemas", "GET", f"/api/v1/database/{id}/schemas/")
tables = ask("lists tables", "GET", f"/api/v1/database/{id}/tables/?q={TABLES}")
columns: dict[str, Any] = {}
sets: dict[str, int] = {}
for table in [each["value"] for each in tables.get("result", [])] or ["orders", "customers", "nations"]:
    made = ask(f"makes a data set of {table}", "POST", "/api/v1/dataset/", {"database": id, "table_name": table})
    sets[table] = made.get("id", 0)
    found = ask(f"reads the columns of {table}", "GET", f"/api/v1/dataset/{sets[table]}")
    columns[table] = {
        each["column_name"]: {"type": each["type"], "isTime": each["is_dttm"]} for each in found.get("result", {}).get("columns", [])
    }


def chart(what: str, **query: Any) -> Any:
    asked = {
        "datasource": {"id": sets.get("orders", 0), "type": "table"},
        "queries": [{"row_limit": 1000, **query}],
        "result_format": "json",
        "result_type": "full",
    }
    answer = ask(what, "POST", "/api/v1/chart/data", asked)
    results = answer.get("result", [{}])
    return {"sql": results[0].get("query"), "rows": results[0].get("data")}


period = [{"col": "ordered_on", "op": "TEMPORAL_RANGE", "val": "1994-01-01 : 1996-01-01"}]
month = {"columnType": "BASE_AXIS", "expressionType": "SQL", "sqlExpression": "ordered_on", "label": "ordered_on", "timeGrain": "P1Y"}
charts = {
    "bars": chart("runs the query of a bar chart", columns=["status"], metrics=[total("total", "SUM"), total("id", "COUNT")], filters=[], orderby=[["status", True]]),
    "line": chart("runs the query of a line over time", columns=[month], metrics=[total("total", "SUM")], filters=period, orderby=[]),
    "table": chart(
        "runs the query of a table with filters",
        columns=["id", "status", "total"],
        filters=[{"col": "status", "op": "IN", "val": ["O", "F"]}, {"col": "is_large", "op": "IS TRUE"}, {"col": "status", "op": "LIKE", "val": "%O%"}],
        orderby=[["id", True]],
    ),
}
lab = {"database_id": id, "sql": "SELECT status, count(*) AS n FROM orders GROUP BY status ORDER BY status", "client_id": "siskin-1", "runAsync": False}
rows = ask("runs a statement of SQL Lab", "POST", "/api/v1/sqllab/execute/", lab)
wrong = ask("shows the error of a wrong statement", "POST", "/api/v1/sqllab/execute/", {**lab, "client_id": "siskin-2", "sql": "SELECT nme FROM customers"})
print("RESULT " + json.dumps({"steps": steps, "columns": columns, "charts": charts, "lab": rows.get("data"), "wrong": wrong}, default=str))
