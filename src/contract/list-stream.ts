/** The media type of a whole list in one response: a record a line. */
export const linesMediaType = 'application/x-ndjson';

/** The preference (RFC 7240) for `ListMark` lines between the records. */
export const cursorsPreference = 'cursors';

/** How many records of a whole list in one response count as one request. */
export const streamedRowsPerRequest = 1000;

/** A line after as many records as a page may have, with the cursor to continue after; or at the end of the list. It has no `id`. */
export type ListMark =
  | { readonly cursor: string }
  /** `rows`: how many records the response has. */
  | { readonly end: true; readonly rows: number };
