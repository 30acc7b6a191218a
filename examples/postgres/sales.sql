-- A table to ask: psql shop -f examples/postgres/sales.sql
CREATE TABLE public.sales (
  id integer PRIMARY KEY,
  sold_on date NOT NULL,
  region text,
  amount numeric(12, 2) NOT NULL
);
INSERT INTO public.sales VALUES
  (1, '2024-01-02', 'north', 10.00),
  (2, '2024-01-02', 'south', 2.50),
  (3, '2024-01-03', 'north', 7.25),
  (4, '2024-02-01', NULL, 4.00);
