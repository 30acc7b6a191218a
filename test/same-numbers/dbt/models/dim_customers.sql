{% if target.type == 'duckdb' %}select * from read_csv('customers.csv'){% else %}select * from stored_customers{% endif %}
