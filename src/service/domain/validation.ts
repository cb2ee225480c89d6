import { SalonError, type Violation } from '../../contract/errors.ts';
import { isStorable, normaliseEmail, normalisePhone } from '../../contract/formats.ts';
import { dayMs, parseDay, parseInstant } from '../../contract/time.ts';

export interface Contact {
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
}

/** The error for an invalid body; each violation has a JSON pointer. */
export function invalidBody(violations: readonly Violation[]): SalonError {
  return new SalonError('validation_failed', renderSummary(violations), { violations });
}

/** The error for one value of a form; the pointer is empty for the form as a whole. */
export function invalidField(pointer: string, detail: string): SalonError {
  return invalidBody([{ pointer, code: 'invalid_format', detail }]);
}

/** The error for an invalid query; each violation names a parameter. */
export function invalidQuery(violations: readonly Violation[]): SalonError {
  return new SalonError('invalid_parameter', renderSummary(violations), { violations });
}

export function assertValidBody(violations: readonly Violation[]): void {
  if (violations.length > 0) {
    throw invalidBody(violations);
  }
}

export function assertValidQuery(violations: readonly Violation[]): void {
  if (violations.length > 0) {
    throw invalidQuery(violations);
  }
}

/** A violation for every text of a body that cannot be stored, in lists too. */
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
          detail: `${pointer} contains invalid characters.`,
        });
      }
    });
  }
  return violations;
}

/** Throws `invalid_parameter` for texts that no record can contain. */
export function assertStorableQuery(query: object): void {
  const violations = Object.entries(query)
    .filter(([, value]) => typeof value === 'string' && !isStorable(value))
    .map(([parameter]) => ({
      parameter,
      code: 'invalid_format',
      detail: `${parameter} contains invalid characters.`,
    }));
  assertValidQuery(violations);
}

/** A bound of a time range in Unix milliseconds. A date covers its whole day in UTC. */
export function parseRangeBound(text: string, edge: 'begin' | 'end'): number | undefined {
  const dayStart = parseDay(text);
  if (dayStart !== undefined) {
    return edge === 'begin' ? dayStart : dayStart + dayMs;
  }
  return parseInstant(text)?.ms;
}

/** The given email and phone in stored form. */
export function toStoredContact({ email, phone }: Contact): { email?: string | null; phone?: string | null } {
  return {
    ...(email === undefined ? {} : { email: email === null ? null : normaliseEmail(email) }),
    ...(phone === undefined ? {} : { phone: phone === null ? null : normalisePhone(phone) }),
  };
}

function renderSummary([first, ...others]: readonly Violation[]): string {
  const more = others.length === 0 ? '' : ` And ${others.length} more.`;
  return `${first?.detail ?? 'A rule is broken.'}${more}`;
}
