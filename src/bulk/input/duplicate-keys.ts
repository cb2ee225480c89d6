import { openSeenKeys } from '../../client/pagination/seen-keys.ts';

/** Finds keys that come twice among any number of them, in bounded memory. */
export interface DuplicateKeys extends Disposable {
  note(key: string): void;
  /** Keys that may have come twice: those that have are all in it, up to `mostSuspects` of them. */
  suspects(): ReadonlySet<string>;
}

const mostSuspects = 10_000;
const batchSize = 500;

/** Keys are told apart by 64 bits, so a suspect has to be looked at again before anything is said of it. */
export function openDuplicateKeys(_folder: string): DuplicateKeys {
  const sightings = openSeenKeys();
  const suspects = new Set<string>();
  let batch: string[] = [];
  return {
    note(key) {
      batch.push(key);
      if (batch.length === batchSize) look();
    },
    suspects() {
      look();
      return suspects;
    },
    [Symbol.dispose]: () => sightings[Symbol.dispose](),
  };

  function look(): void {
    const keys = batch;
    batch = [];
    sightings.add(keys).forEach((isNew, index) => {
      const key = keys[index];
      if (!isNew && key !== undefined && suspects.size < mostSuspects) suspects.add(key);
    });
  }
}
