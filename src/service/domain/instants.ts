import { parseDay, parseInstant } from '../../contract/time.ts';

export const dayMs = 86_400_000;

/**
 * Where a filter's range begins or ends, in Unix milliseconds. A bare day is counted whole, in UTC: it begins
 * at its first moment and ends at the next day's.
 */
export function parseEdge(text: string, edge: 'begin' | 'end'): number | undefined {
  const begins = parseDay(text);
  if (begins !== undefined) {
    return edge === 'begin' ? begins : begins + dayMs;
  }
  return parseInstant(text)?.ms;
}
