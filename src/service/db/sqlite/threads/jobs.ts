import type { SqlValue } from '../../conditions.ts';

/** What a thread can do. A snapshot is known by a number; reads without one see what is committed when they run. */
export type Job =
  | {
      readonly kind: 'rows';
      readonly text: string;
      readonly values: readonly SqlValue[];
      readonly snapshot?: number;
    }
  | { readonly kind: 'open' | 'close'; readonly snapshot: number }
  /** Closes all connections; the thread then ends. */
  | { readonly kind: 'end' };

/** What comes back for every job. Errors of SQLite lose their result code on the way, so it is sent beside them. */
export type JobResult =
  | { readonly value: unknown }
  | { readonly error: unknown; readonly resultCode: number | undefined };

/** What a thread is started with. */
export interface ThreadOptions {
  readonly file: string;
}
