{% if target.type == 'duckdb' %}
select cast(unnest(range(date '2025-01-01', date '2027-01-01', interval 1 day)) as date) as date_day
{% else %}
select cast(day as date) as date_day from generate_series(date '2025-01-01', date '2026-12-31', interval '1 day') as t(day)
{% endif %}
