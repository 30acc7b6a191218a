/** The order of the builder's query, by columns of its answer. */
import type { Order } from "./cube-query.ts";

export interface OrderRowsProps {
  readonly columns: readonly string[];
  readonly orders: readonly Order[];
  readonly write: (orders: readonly Order[]) => void;
}

export function OrderRows({ columns, orders, write }: OrderRowsProps) {
  const free = columns.filter((name) => !orders.some(({ member }) => member === name));
  const [next] = free;
  const replace = (place: number, order: Order): void => write(orders.with(place, order));
  return (
    <fieldset>
      <legend>Order</legend>
      <div class="rows">
        {orders.map(({ member, direction }, place) => (
          <div class="row" key={member}>
            <select
              aria-label={`Column ${place + 1} of the order`}
              value={member}
              onChange={({ currentTarget: { value } }) => replace(place, { member: value, direction })}
            >
              {[member, ...free].map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
            <select
              aria-label={`Direction of ${member}`}
              value={direction}
              onChange={({ currentTarget: { value } }) =>
                replace(place, { member, direction: value === "desc" ? "desc" : "asc" })
              }
            >
              <option value="asc">smallest first</option>
              <option value="desc">largest first</option>
            </select>
            <button
              type="button"
              class="link"
              aria-label={`Remove the order by ${member}`}
              onClick={() => write(orders.toSpliced(place, 1))}
            >
              Remove
            </button>
          </div>
        ))}
        {next !== undefined && (
          <button type="button" class="add" onClick={() => write([...orders, { member: next, direction: "desc" }])}>
            Add an order
          </button>
        )}
      </div>
    </fieldset>
  );
}
