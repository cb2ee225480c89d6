import { SalonError, type Violation } from '../../contract/errors.ts';
import { isStorable, normaliseEmail, normalisePhone } from '../../contract/formats.ts';
import { parseDay, parseInstant } from '../../contract/time.ts';

/** The refusal of a body: each rule it breaks is named by a JSON pointer. */
export function invalidBody(violations: readonly Violation[]): SalonError {
  return new SalonError('validation_failed', renderSummary(violations), { violations });
}

/** The refusal of a query: each rule it breaks is named by a parameter. */
export function invalidQuery(violations: readonly Violation[]): SalonError {
  return new SalonError('invalid_parameter', renderSummary(violations), { violations });
}

/** A violation for every text of a body that cannot be stored; lists of texts are looked into. */
export function findUnstorable(body: object): Violation[] {
  const violations: Violation[] = [];
  for (const [name, value] of Object.entries(body)) {
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
    texts.forEach((text, index) => {
      if (typeof text === 'string' && !isStorable(text)) {
        const pointer = Array.isArray(value) ? `/${name}/${index}` : `/${name}`;
        violations.push({
          pointer,
          code: 'invalid_format',
          detail: `${pointer} holds characters that are not text.`,
        });
      }
    });
  }
  return violations;
}

function renderSummary([first, ...others]: readonly Violation[]): string {
  const more = others.length === 0 ? '' : ` There are ${others.length} more.`;
  return `${first?.detail ?? 'A rule is broken.'}${more}`;
}

export const dayMs = 86_400_000;

/**
 * Where a filter's range begins or ends, in Unix milliseconds. A bare day is counted whole, in UTC: it begins
 * at its first moment and ends at the next day's.
 */
export function parseRangeBound(text: string, edge: 'begin' | 'end'): number | undefined {
  const begins = parseDay(text);
  if (begins !== undefined) {
    return edge === 'begin' ? begins : begins + dayMs;
  }
  return parseInstant(text)?.ms;
}

/** How a person is reached. */
export interface Contact {
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
}

/** What a change says of it, in the form in which it is stored; what is left out stays out. */
export function toStoredContact({ email, phone }: Contact): { email?: string | null; phone?: string | null } {
  return {
    ...(email === undefined ? {} : { email: email === null ? null : normaliseEmail(email) }),
    ...(phone === undefined ? {} : { phone: phone === null ? null : normalisePhone(phone) }),
  };
}
