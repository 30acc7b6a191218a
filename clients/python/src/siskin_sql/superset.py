"""Superset's engine specification: grains of time and literals of the language, which follows PostgreSQL."""

from __future__ import annotations

from superset.db_engine_specs.postgres import PostgresBaseEngineSpec


class SiskinEngineSpec(PostgresBaseEngineSpec):
    engine = "siskin"
    engine_name = "Siskin"
    default_driver = "https"
    sqlalchemy_uri_placeholder = "siskin+https://key:KEY@siskin.example.com/PROJECT"
    supports_file_upload = False
    supports_dynamic_schema = False
    supports_catalog = False
    disable_ssh_tunneling = True
