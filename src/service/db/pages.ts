import type { CollectionName } from './record-rows.ts';
import type { Condition } from './rows.ts';

/** One account's list of one kind of record. */
export interface CollectionKey {
  readonly accountId: string;
  readonly collection: CollectionName;
}

/** Columns a list can be sorted by. `seq` is creation order and breaks ties in every other order. */
export type SortColumn = 'seq' | 'created_ms' | 'updated_ms' | 'start_ms' | 'last_name_key';

export interface Order {
  readonly column: SortColumn;
  readonly descending: boolean;
}

/** A row's position in a sorted list: the value it is sorted by, and its position in creation order. */
export interface CursorPosition {
  readonly value: number | string;
  readonly seq: number;
}

export interface ListPageRequest extends CollectionKey {
  /** All of them must hold for a row; none for the whole list. */
  readonly conditions: readonly Condition[];
  readonly order: Order;
  readonly from: { readonly offset: number } | { readonly after: CursorPosition };
  readonly limit: number;
  /** `lines`: a record a line, instead of an array. */
  readonly format?: 'array' | 'lines';
}

export interface CollectionPage {
  /** The records as a JSON array, or as lines; in UTF-8. */
  readonly dataJson: Buffer;
  /** How many records are on the page. */
  readonly count: number;
  /** How many records match, over all pages. */
  readonly total: number;
  /** The collection's version at the moment of the read. */
  readonly version: number;
  /** The last row's position when more rows follow it, otherwise null. */
  readonly last: CursorPosition | null;
}
