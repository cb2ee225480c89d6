/** One record to print: its members as they came. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Records in, text out, page by page. The whole is `begin()`, any number of `rows()`, `end()`, in this order;
 * what each answers is written before the next is asked for.
 */
export interface Printer {
  begin(): string;
  rows(rows: readonly Row[]): string;
  end(): string;
}
