select cast(unnest(range(date '2025-01-01', date '2027-01-01', interval 1 day)) as date) as date_day
