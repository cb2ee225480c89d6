import { prefixes } from '../../contract/endpoints.ts';

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

export const contractDialect: Dialect = {
  prefix: prefixes[0],
  pageParameter: 'page',
  perPageParameter: 'per_page',
  rowsKey: 'data',
  totalKey: 'total',
  filterNames: {},
  idempotencyKeys: false,
};

/** The prefixes worth trying: the present one, and the contract's other one unless a foreign prefix was set. */
export function candidatePrefixes(dialect: Dialect): readonly string[] {
  if (!isKnownPrefix(dialect.prefix)) return [dialect.prefix];
  return [dialect.prefix, ...prefixes.filter((prefix) => prefix !== dialect.prefix)];
}

/** Whether a prefix is one of the contract's. */
export function isKnownPrefix(prefix: string): boolean {
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
