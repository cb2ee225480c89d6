import { prefixes } from '../../contract/endpoints.ts';

/** How a server differs from the contract. Plain data that a profile can store. */
export interface Dialect {
  /** Path between the base URL and every endpoint. */
  readonly prefix: string;
  /** Query parameter for the page number; null if lists have no pages. */
  readonly pageParameter: string | null;
  /** Query parameter for the page size; null if the server rejects it. */
  readonly perPageParameter: string | null;
  /** Member of a list response with the rows; null if the response is an array. */
  readonly rowsKey: string | null;
  /** Member with the number of records; null if there is none. */
  readonly totalKey: string | null;
  /** The server's names for the contract's filters. */
  readonly filterNames: Readonly<Record<string, string>>;
  /** Whether the server executes a POST with the same `Idempotency-Key` only once. */
  readonly idempotencyKeys: boolean;
}

const contractDialect: Dialect = {
  prefix: prefixes[0],
  pageParameter: 'page',
  perPageParameter: 'per_page',
  rowsKey: 'data',
  totalKey: 'total',
  filterNames: {},
  idempotencyKeys: false,
};

/** The prefixes to try: the current one, then the contract's other ones unless a foreign prefix is configured. */
export function candidatePrefixes(dialect: Dialect): readonly string[] {
  if (!isKnownPrefix(dialect.prefix)) return [dialect.prefix];
  return [dialect.prefix, ...prefixes.filter((prefix) => prefix !== dialect.prefix)];
}

function isKnownPrefix(prefix: string): boolean {
  return prefixes.some((known) => known === prefix);
}

/** The dialect of one server as detected so far. */
export interface DialectDetector {
  current(): Dialect;
  /** Keeps a detected value and reports it to `onLearn` if it is new. A configured value is never replaced. */
  learn<Part extends keyof Dialect>(part: Part, value: Dialect[Part]): void;
}

type OnLearn = (part: keyof Dialect, value: Dialect[keyof Dialect]) => void;

export function createDialectDetector(configured: Partial<Dialect>, onLearn: OnLearn): DialectDetector {
  let current: Dialect = { ...contractDialect, ...configured };
  // One of the contract's prefixes may have been saved before the server was updated, so it can still change.
  const canChange = (part: keyof Dialect) =>
    configured[part] === undefined || (part === 'prefix' && isKnownPrefix(current.prefix));
  return {
    current: () => current,
    learn(part, value) {
      if (current[part] === value || !canChange(part)) return;
      current = { ...current, [part]: value };
      onLearn(part, value);
    },
  };
}
