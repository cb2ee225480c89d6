import type { Observe } from '../events.ts';
import { contractDialect, type Dialect, isKnownPrefix } from './dialect.ts';

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
