/** What a record says in a text or a number; empty for whatever else a foreign server puts there. */
export function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
