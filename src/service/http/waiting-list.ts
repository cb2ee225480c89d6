/** Served entries are removed together, once there are this many and they are half of the list. */
const longHead = 256;

/**
 * What waits, first come first served. A Set that entries come to and leave replaces its table again and again, and
 * each old table keeps the next one in memory until the next full garbage collection.
 */
export class WaitingList<T> {
  readonly #items: (T | undefined)[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  first(): T | undefined {
    return this.#items[this.#head];
  }

  add(item: T): void {
    this.#items.push(item);
  }

  /** Removes an item, usually the first one. */
  remove(item: T): void {
    const at = this.#items.indexOf(item, this.#head);
    if (at === -1) return;
    if (at > this.#head) {
      this.#items.splice(at, 1);
      return;
    }
    this.#items[this.#head] = undefined;
    this.#head += 1;
    const isLong = this.#head >= longHead && 2 * this.#head >= this.#items.length;
    if (!isLong && this.size > 0) return;
    this.#items.splice(0, this.#head);
    this.#head = 0;
  }
}
