import type { Dialect } from './dialect/dialect.ts';

/** What a client tells while it works. Secrets are left out already. */
export type ClientEvent =
  | {
      readonly type: 'request';
      /** Counts the requests of a client; its answer carries the same. */
      readonly number: number;
      readonly method: string;
      readonly url: string;
      readonly headers: () => Readonly<Record<string, string>>;
      readonly bodyBytes: number;
    }
  | {
      readonly type: 'answer';
      readonly number: number;
      readonly method: string;
      readonly url: string;
      readonly status: number;
      readonly headers: () => Readonly<Record<string, string>>;
      readonly bodyBytes: number;
      readonly tookMs: number;
    }
  | {
      readonly type: 'retry';
      readonly method: string;
      readonly url: string;
      /** How many tries there were so far. */
      readonly tries: number;
      readonly waitMs: number;
      readonly reason: string;
    }
  | {
      /** Nothing is sent for a while, for a limit's sake. */
      readonly type: 'waiting';
      readonly waitMs: number;
      readonly untilMs: number;
    }
  /** Nothing new is sent any more, and so many requests under way are let finish. */
  | { readonly type: 'finishing'; readonly requests: number }
  | { readonly type: 'learned'; readonly part: keyof Dialect; readonly value: Dialect[keyof Dialect] }
  | { readonly type: 'warning'; readonly message: string };

export type Observe = (event: ClientEvent) => void;
