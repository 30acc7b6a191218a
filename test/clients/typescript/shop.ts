/** Made by `siskin types` for `@siskin/client`: 64-bit integers, decimals and times are texts. */
export interface Shop {
  readonly models: {
    readonly customers: {
      readonly id: number;
      readonly name: string | null;
      readonly segment: string | null;
      readonly country_code: string | null;
      readonly nation_name: string | null;
    };
    readonly nations: {
      readonly id: number;
      readonly name: string | null;
    };
    readonly orders: {
      readonly id: number;
      readonly customer_id: number | null;
      readonly status: string | null;
      readonly ordered_on: string | null;
      readonly total: string | null;
      readonly is_large: boolean | null;
    };
  };
  readonly cubes: {
    /** Sales by status and date. */
    readonly sales: {
      readonly measures: "revenue";
      readonly dimensions: "status";
      readonly timeDimensions: "ordered_on";
    };
  };
}
