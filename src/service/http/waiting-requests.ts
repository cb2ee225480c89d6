import { WaitingList } from './waiting-list.ts';

/** Requests of one account that wait: first come, first served for each API key or sign-in, which take turns. */
export class WaitingRequests {
  /** The key served last at the end. */
  readonly #keys: { readonly key: string; readonly starts: WaitingList<() => void> }[] = [];

  get isEmpty(): boolean {
    return this.#keys.length === 0;
  }

  add(key: string, start: () => void): void {
    const known = this.#keys.find((own) => own.key === key);
    const own = known ?? { key, starts: new WaitingList() };
    if (known === undefined) this.#keys.push(own);
    own.starts.add(start);
  }

  remove(key: string, start: () => void): void {
    const at = this.#keys.findIndex((own) => own.key === key);
    const own = this.#keys[at];
    own?.starts.remove(start);
    if (own?.starts.size === 0) this.#keys.splice(at, 1);
  }

  /** What starts the next request. Its key goes behind all others. */
  next(): (() => void) | undefined {
    const own = this.#keys.shift();
    if (own === undefined) return undefined;
    this.#keys.push(own);
    return own.starts.first();
  }
}
