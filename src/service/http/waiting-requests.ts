/** Requests of one account that wait: first come, first served for each API key or sign-in, which take turns. */
export class WaitingRequests {
  readonly #byKey = new Map<string, Set<() => void>>();

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  add(key: string, start: () => void): void {
    const own = this.#byKey.get(key);
    if (own === undefined) this.#byKey.set(key, new Set([start]));
    else own.add(start);
  }

  delete(key: string, start: () => void): void {
    const own = this.#byKey.get(key);
    own?.delete(start);
    if (own?.size === 0) this.#byKey.delete(key);
  }

  /** What starts the next request. Its key goes behind all others. */
  next(): (() => void) | undefined {
    for (const [key, own] of this.#byKey) {
      this.#byKey.delete(key);
      this.#byKey.set(key, own);
      const [first] = own;
      return first;
    }
    return undefined;
  }
}
