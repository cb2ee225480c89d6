import { maxBlockedDays } from '../../contract/blocked-time.ts';
import { SalonError, type Violation } from '../../contract/errors.ts';
import { isStorable, normaliseEmail, normalisePhone } from '../../contract/formats.ts';
import { dayMs, parseDay, parseInstant } from '../../time/time.ts';

/** The error for an invalid body; each violation has a JSON pointer. */
export function invalidBody(violations: readonly Violation[]): SalonError {
  return new SalonError('validation_failed', renderSummary(violations), { violations });
}

/** The error for one field of a body or form; the pointer is empty for all of it. */
export function invalidField(pointer: string, detail: string, code = 'invalid_format'): SalonError {
  return invalidBody([{ pointer, code, detail }]);
}

/** The error for an invalid query; each violation names a parameter. */
export function invalidQuery(violations: readonly Violation[]): SalonError {
  return new SalonError('invalid_parameter', renderSummary(violations), { violations });
}

/** The error for one parameter of a query. */
export function invalidParameter(parameter: string, detail: string, code = 'invalid_format'): SalonError {
  return invalidQuery([{ parameter, code, detail }]);
}

/** The error for a record of this status that cannot be changed as asked for. */
export function invalidTransition(
  detail: string,
  status: string,
  allowed: readonly string[] = [],
): SalonError {
  return new SalonError('invalid_status_transition', detail, {
    members: { current_status: status, allowed_statuses: allowed },
  });
}

export function assertValidBody(violations: readonly Violation[]): void {
  if (violations.length > 0) throw invalidBody(violations);
}

export function assertValidQuery(violations: readonly Violation[]): void {
  if (violations.length > 0) throw invalidQuery(violations);
}

/** A violation for every text of a body that cannot be stored, in lists too. */
export function findUnstorable(body: object): Violation[] {
  const violations: Violation[] = [];
  const check = (pointer: string, value: unknown) => {
    if (typeof value !== 'string' || isStorable(value)) return;
    violations.push({ pointer, code: 'invalid_format', detail: `${pointer} contains invalid characters.` });
  };
  for (const [name, value] of Object.entries(body)) {
    if (Array.isArray(value)) value.forEach((item, index) => void check(`/${name}/${index}`, item));
    else check(`/${name}`, value);
  }
  return violations;
}

/** Throws `invalid_parameter` for texts that no record can contain. */
export function assertStorableQuery(query: object): void {
  const unstorable = Object.entries(query).filter(
    ([, value]) => typeof value === 'string' && !isStorable(value),
  );
  assertValidQuery(
    unstorable.map(([parameter]) => ({
      ...{ parameter, code: 'invalid_format', detail: `${parameter} contains invalid characters.` },
    })),
  );
}

/**
 * A bound of a time range in Unix milliseconds: its end where the name ends in `to`. A date covers its whole day in UTC.
 * The name is that of a parameter, or the pointer of a field; what is no time is added to the violations.
 */
export function parseBound(
  name: string,
  text: string | undefined,
  violations: Violation[],
): number | undefined {
  if (text === undefined) return undefined;
  const dayStart = parseDay(text);
  if (dayStart !== undefined) return name.endsWith('to') ? dayStart + dayMs : dayStart;
  const instant = parseInstant(text);
  if (instant !== undefined) return instant.ms;
  const place = name.startsWith('/') ? { pointer: name } : { parameter: name };
  const detail = `${name} must be an RFC 3339 time with a time zone, or a date.`;
  violations.push({ ...place, code: 'invalid_format', detail });
  return undefined;
}

/**
 * The two times of a body between which something lasts, in UTC. A span that is empty, or longer than `maxBlockedDays`, is
 * added to the violations.
 */
export function toUtcSpan<const From extends string, const To extends string>(
  fields: Readonly<Record<From | To, string>>,
  [from, to]: readonly [From, To],
  violations: Violation[],
): Record<From | To, string> {
  const [start, end] = [parseInstant(fields[from]), parseInstant(fields[to])];
  const lengthMs = (end?.ms ?? 0) - (start?.ms ?? 0);
  if (lengthMs <= 0 || lengthMs > maxBlockedDays * dayMs) {
    const most = lengthMs <= 0 ? '' : `at most ${maxBlockedDays} days `;
    const detail = `/${to} must be ${most}after ${from}.`;
    violations.push({ pointer: `/${to}`, code: 'out_of_range', detail });
  }
  const span = { [from]: start?.utc ?? fields[from], [to]: end?.utc ?? fields[to] };
  return span as Record<From | To, string>;
}

/** The given email and phone in stored form. */
export function toStoredContact({
  email,
  phone,
}: {
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
}): { email?: string | null; phone?: string | null } {
  return {
    ...(email === undefined ? {} : { email: email && normaliseEmail(email) }),
    ...(phone === undefined ? {} : { phone: phone && normalisePhone(phone) }),
  };
}

function renderSummary([first, ...others]: readonly Violation[]): string {
  const more = others.length === 0 ? '' : ` And ${others.length} more.`;
  return `${first?.detail ?? 'A rule is broken.'}${more}`;
}
