import type { CollectionKey } from './blocks.ts';
import type { Condition, Values } from './conditions.ts';

/** Columns a list can be ordered by; each has an index that ends with the place. */
export type SortColumn = 'seq' | 'created_ms' | 'updated_ms' | 'start_ms' | 'last_name_key';

export interface Order {
  readonly column: SortColumn;
  readonly descending: boolean;
}

/** A row's place in an ordered list: what it is ordered by, and its place in creation order, which breaks ties. */
export interface CursorPosition {
  readonly value: number | string;
  readonly seq: number;
}

export interface PageRequest extends CollectionKey {
  /** What every row must fulfil; none for the whole list. */
  readonly conditions: readonly Condition[];
  readonly order: Order;
  /** Where the page begins: after so many rows, or behind a spot. */
  readonly from: { readonly offset: number } | { readonly after: CursorPosition };
  readonly limit: number;
}

/** A statement as plain text, and what it compares with by the names they have in it. */
export interface Statement {
  readonly text: string;
  readonly values: Values;
}
