import { retell, SalonError, type Violation } from '../contract/errors.ts';
import { closest } from '../contract/closest.ts';

/** Waits for a write and, where the service refused a field it does not know, adds which one may have been meant. */
export async function explainUnknownFields<Result>(
  write: Promise<Result>,
  known: readonly string[],
): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof SalonError) || !error.violations.some(isUnknownField)) throw error;
    throw withSuggestions(error, known);
  }
}

function withSuggestions(error: SalonError, known: readonly string[]): SalonError {
  const violations = error.violations.map((violation) => {
    const meant = isUnknownField(violation) && closest(violation.pointer?.slice(1) ?? '', known);
    return meant ? { ...violation, detail: `${violation.detail} Did you mean ${meant}?` } : violation;
  });
  return retell(error, { violations, hint: `The fields are: ${known.join(', ')}.` });
}

function isUnknownField(violation: Violation): boolean {
  return violation.code === 'unknown_field';
}
