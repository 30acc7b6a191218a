"""Answers questions by MetricFlow itself: a JSON list on standard input, a JSON list of answers on standard output."""
import json
import pathlib
import sys

from dbt_metricflow.cli.cli_configuration import CLIConfiguration
from metricflow.engine.metricflow_engine import MetricFlowQueryRequest

configuration = CLIConfiguration()
here = pathlib.Path.cwd()
configuration.setup(dbt_profiles_path=here, dbt_project_path=here, configure_file_logging=False)
engine = configuration.mf
answers = []
for question in json.load(sys.stdin):
    try:
        request = MetricFlowQueryRequest.create(
            metric_names=[question["metric"]], group_by_names=question["by"] or None
        ) if hasattr(MetricFlowQueryRequest, "create") else MetricFlowQueryRequest.create_with_random_request_id(
            metric_names=[question["metric"]], group_by_names=question["by"] or None
        )
        table = engine.query(request).result_df
        answers.append({"columns": list(table.column_names), "rows": [[None if v is None else str(v) for v in row] for row in table.rows]})
    except Exception as error:
        answers.append({"error": str(error)[:300]})
json.dump(answers, sys.stdout)
