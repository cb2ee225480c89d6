import { prefixes } from '../contract/endpoints.ts';
import type { Observe } from './events.ts';

/** How a server says what the contract says. Plain data, so that a profile can keep it. */
export interface Dialect {
  /** Path in front of every endpoint, behind the base address. */
  readonly prefix: string;
  /** Query parameter of the page number; null where lists come in one piece. */
  readonly pageParameter: string | null;
  /** Query parameter of the page size; null where the server refuses it. */
  readonly perPageParameter: string | null;
  /** Member of a list answer that holds the rows; null where the answer is the array itself. */
  readonly rowsKey: string | null;
  /** Member that holds the number of records; null where there is none. */
  readonly totalKey: string | null;
  /** The server's names of the contract's filters. */
  readonly filterNames: Readonly<Record<string, string>>;
  /** Whether a POST with the same `Idempotency-Key` is known to be carried out only once. */
  readonly idempotencyKeys: boolean;
}

/** What is assumed until a server shows otherwise. */
export const contractDialect: Dialect = {
  prefix: prefixes[0],
  pageParameter: 'page',
  perPageParameter: 'per_page',
  rowsKey: 'data',
  totalKey: 'total',
  filterNames: {},
  idempotencyKeys: false,
};

/** The dialect of one server as it is known so far. */
export interface DialectMemory {
  current(): Dialect;
  /** Keeps what a server showed and tells the observer, once for every change. A part that was given stays. */
  learn<Part extends keyof Dialect>(part: Part, value: Dialect[Part]): void;
}

export function createDialectMemory(given: Partial<Dialect>, observe: Observe): DialectMemory {
  let current: Dialect = { ...contractDialect, ...given };
  // A prefix that is one of the contract's may have been remembered from an older server, so it stays open.
  const isOpen = (part: keyof Dialect) =>
    given[part] === undefined || (part === 'prefix' && isKnownPrefix(current.prefix));
  return {
    current: () => current,
    learn(part, value) {
      if (current[part] === value || !isOpen(part)) return;
      current = { ...current, [part]: value };
      observe({ type: 'learned', part, value });
    },
  };
}

/** The prefixes worth trying: the present one, and the contract's other one unless a foreign prefix was set. */
export function candidatePrefixes(dialect: Dialect): readonly string[] {
  if (!isKnownPrefix(dialect.prefix)) return [dialect.prefix];
  return [dialect.prefix, ...prefixes.filter((prefix) => prefix !== dialect.prefix)];
}

function isKnownPrefix(prefix: string): boolean {
  return prefixes.some((known) => known === prefix);
}
