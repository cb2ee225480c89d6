/** The media type of a whole list in one response: a record a line. */
export const linesMediaType = 'application/x-ndjson';

/** The preference (RFC 7240) for `ListMark` lines between the records. */
export const cursorsPreference = 'cursors';

/** How many records of a whole list in one response count as one request. */
export const streamedRowsPerRequest = 1000;

/** A line that is no record: where to go on after the records so far, or the end of the list. It has no `id`. */
export type ListMark =
  | { readonly cursor: string }
  /** `rows`: how many records the response has. */
  | { readonly end: true; readonly rows: number };
