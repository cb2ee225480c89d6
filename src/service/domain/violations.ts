import { SalonError, type Violation } from '../../contract/errors.ts';
import { isStorable } from '../../contract/formats.ts';

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
