/** A count as people read it: `1,234,567`. The language data that Intl would load for it takes 9 MiB and 15 ms. */
export function renderCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 client`, `2 clients`, `1 delivery`. */
export function countOf(count: number, plural: string): string {
  return `${renderCount(count)} ${count === 1 ? plural.replace(/ies$/, 'y').replace(/s$/, '') : plural}`;
}
