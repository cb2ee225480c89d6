import { isDiskFull, systemCodeOf, toTempFailure } from '../../bulk/jobs/file-access.ts';
import {
  maskError,
  SalonError,
  type SalonErrorCode,
  type Violation,
  withContext,
} from '../../contract/errors.ts';
import { cleanText } from '../../text/clean-text.ts';
import { renderJson } from '../../text/json.ts';
import { maskSecrets } from '../../text/mask-secrets.ts';
import { countOf, renderCount } from '../../text/numbers.ts';
import type { Interrupt } from '../io.ts';
import { renderShortTime, type ShortTimeStyle } from './short-times.ts';

export const cancelledMessage = 'Cancelled. Nothing was changed.';

export function createCancelError(cause?: unknown): SalonError {
  return new SalonError('interrupted', cancelledMessage, { cause });
}

/** The cause of a cancellation by Esc: a dialogue goes back to the question before, where there is one. */
export const wentBack = new Error('Went back.');

export function isBack(thrown: unknown): boolean {
  if (!(thrown instanceof SalonError) || thrown.message !== cancelledMessage) return false;
  return thrown.cause === wentBack || isBack(thrown.cause);
}

/** Converts anything thrown. */
export function toSalonError(thrown: unknown, interrupt: Interrupt | undefined): SalonError {
  if (thrown instanceof SalonError && thrown.code !== 'interrupted') return thrown;
  if (interrupt !== undefined) {
    const { message = 'Interrupted.', hint } = thrown instanceof SalonError ? thrown : {};
    return new SalonError('interrupted', message, { hint, members: { signal: interrupt }, cause: thrown });
  }
  if (thrown instanceof SalonError) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const code = systemCodeOf(thrown) ?? '';
  const temporary = toTempFailure(thrown);
  if (temporary !== undefined) return temporary;
  if (isDiskFull(thrown) || code === 'EIO') {
    return new SalonError('output_failed', `Could not write the output: ${reason}`, {
      hint: 'Free some disk space, or write to another disk.',
      cause: thrown,
    });
  }
  if (accessCodes.includes(code) && 'path' in Object(thrown)) {
    return new SalonError('usage', `Cannot use a file or folder: ${reason}.`, {
      hint: 'Check its permissions. SALON_CONFIG_DIR and SALON_DATA_DIR choose other folders.',
      cause: thrown,
    });
  }
  return new SalonError('bug', `This is a bug in salon: ${reason}`, {
    hint: 'Run it again with --debug and report the output.',
    cause: thrown,
  });
}

/** Renders the error for standard error, ending in a line break: for programs, or for people, with the stack of a bug. */
export function renderError(thrown: SalonError, style: Readonly<Record<'json' | 'debug', boolean>>): string {
  const error = maskError(thrown, maskSecrets);
  const origin = thrown.cause instanceof Error ? thrown.cause : thrown;
  const stack = style.debug && error.code === 'bug' ? `${maskSecrets(String(origin.stack))}\n` : '';
  return stack + (style.json ? `${renderJson(toJson(error))}\n` : renderForPeople(error));
}

/** Every error has all of these members in JSON mode. */
function toJson(error: SalonError): object {
  // For programs that call the client: it holds the keys of a thousand rows.
  const { resume_at, ...members } = error.members;
  return {
    code: error.code,
    message: error.message,
    hint: error.hint ?? null,
    status: error.status ?? null,
    request_id: error.requestId ?? null,
    retryable: error.retryable,
    retry_after_ms: error.retryAfterMs ?? null,
    ...(error.violations.length > 0 ? { errors: error.violations } : {}),
    ...members,
  };
}

function renderForPeople(error: SalonError): string {
  const { shown, more } = takeShown(error.violations);
  const [message, ...violations] = toErrorLines({ message: error.message, violations: shown });
  const lines = [message === cancelledMessage ? message : `error: ${message}`, ...violations, ...more];
  if (error.requestId) lines.push(`  request id: ${error.requestId}`);
  if (error.hint) lines.push(`  ${error.hint}`);
  return `${lines.flatMap((line) => line.split('\n').map(cleanText)).join('\n')}\n`;
}

/** Of more than ten violations, three of each kind are shown, such as a wrong column with one in every row. */
const [manyViolations, maxAlike] = [10, 3];

function takeShown(violations: readonly Violation[]) {
  if (violations.length <= manyViolations) return { shown: violations, more: [] };
  const kinds = Map.groupBy(violations, (one) => `${columnOf(one) ?? ''} ${one.code}`);
  const first = new Set([...kinds.values()].flatMap((alike) => alike.slice(0, maxAlike)));
  const shown = violations.filter((one) => first.has(one));
  const more = [...kinds.values()].flatMap((alike) => {
    const column = alike[0] === undefined ? undefined : columnOf(alike[0]);
    const count = alike.length - maxAlike;
    return count <= 0
      ? []
      : [`  ${renderCount(count)} more like that${column === undefined ? '' : ` in ${column}`}`];
  });
  return { shown, more: [...more, '  --json lists them.'] };
}

/** The column of a sheet: `email` of `clients.csv:3:email`. */
function columnOf({ parameter = '' }: Violation): string | undefined {
  return /:\d+:(.+)$/.exec(parameter)?.[1];
}

/** The file system refused an operation, and no other code has translated that. */
const accessCodes = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG'];

/** The message and the broken rules for people: each rule once, with the names of fields instead of JSON pointers. */
export function toErrorLines({ message, violations }: Pick<SalonError, 'message' | 'violations'>): string[] {
  const [first, ...others] = violations;
  if (first === undefined) return [message];
  const summary = nameField(message, first);
  const rule = nameField(first.detail, first);
  if (!rule.startsWith(summary)) return [summary, ...violations.map(renderViolation)];
  // Another server's rule may not name the field itself.
  const field = toFieldName(first);
  const isNamed = field === undefined || rule.toLowerCase().includes(field.toLowerCase());
  return [isNamed ? rule : `${field}: ${rule}`, ...others.map(renderViolation)];
}

function renderViolation(violation: Violation): string {
  const field = toFieldName(violation);
  const detail = nameField(violation.detail, violation);
  if (field === undefined) return `  ${detail}`;
  return detail.startsWith(`${field} `) ? `  ${detail}` : `  ${field}: ${detail}`;
}

/** Replaces a JSON pointer at the start of a sentence with the name of the field. */
function nameField(sentence: string, violation: Violation): string {
  const { pointer } = violation;
  return pointer && sentence.startsWith(`${pointer} `)
    ? `${toFieldName(violation)}${sentence.slice(pointer.length)}`
    : sentence;
}

function toFieldName({ parameter, pointer }: Violation): string | undefined {
  return parameter ?? (pointer ? pointer.replace(/^\//, '').replaceAll('/', '.') : undefined);
}

/**
 * A refusal of the service in the salon's words: `Mia is booked Fri 27 Nov 10:00–11:00 (Ana Costa). Free from 11:00.`
 * Other errors, and those of servers that do not say who and when, are returned unchanged.
 */
export function explainRefusal(error: SalonError, style: ShortTimeStyle): SalonError {
  const message = explanations[error.code]?.(error, style);
  return message === undefined ? error : withContext(error, { message });
}

const explanations: Readonly<
  Partial<Record<SalonErrorCode, (error: SalonError, style: ShortTimeStyle) => string | undefined>>
> = {
  appointment_conflict: describeConflict,
  client_has_upcoming_appointments: describeUpcoming,
  appointment_not_started: ({ message }, style) =>
    message.replace(instant, (iso) => renderShortTime(iso, style)),
};

const instant = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

function describeConflict({ members }: SalonError, style: ShortTimeStyle): string | undefined {
  const { stylist_name: stylist, conflicts, conflicting_appointment_ids: ids, free_from: free } = members;
  const known = toRecords(conflicts).filter(
    ({ start_time, duration }) =>
      isTime(start_time) && Number.isSafeInteger(duration) && Number(duration) > 0,
  );
  const [first] = known;
  if (first === undefined) return undefined;
  const day = toDay(String(first['start_time']), style);
  // The day is said once, unless a later appointment is on another one.
  const say = (iso: string) => {
    const time = renderShortTime(iso, style);
    return time.startsWith(`${day} `) ? time.slice(day.length + 1) : time;
  };
  const spans = known.map(({ start_time, duration, client_name: client, booking }) => {
    const endMs = Date.parse(String(start_time)) + Number(duration) * 60_000;
    const number = typeof booking === 'number' ? `booking ${booking}` : '';
    const who = [number, client].filter((name) => typeof name === 'string' && name !== '').join(': ');
    return `${say(String(start_time))}–${say(new Date(endMs).toISOString())}${who && ` (${who})`}`;
  });
  const count = Array.isArray(ids) ? ids.length : known.length;
  const others = count > known.length ? ` and ${countOf(count - known.length, 'more appointments')}` : '';
  const name = typeof stylist === 'string' && stylist !== '' ? stylist : 'The stylist';
  const isFree = isTime(free) && toDay(free, style) === day;
  return `${name} is booked ${day} ${spans.join(', ')}${others}.${isFree ? ` Free from ${say(free)}.` : ''}`;
}

function describeUpcoming({ members }: SalonError, style: ShortTimeStyle): string | undefined {
  const { client_name: client, appointments, appointment_ids: ids } = members;
  const known = toRecords(appointments).filter(({ start_time }) => isTime(start_time));
  if (known.length === 0) return undefined;
  const listed = known.map(({ start_time, service, stylist_name: stylist }) => {
    const what = typeof service === 'string' ? ` ${service}` : '';
    return `${renderShortTime(String(start_time), style)}${what}${typeof stylist === 'string' ? ` (${stylist})` : ''}`;
  });
  const count = Array.isArray(ids) ? ids.length : known.length;
  const others = count > known.length ? ` and ${countOf(count - known.length, 'more appointments')}` : '';
  const name = typeof client === 'string' && client !== '' ? client : 'The client';
  return `${name} has ${countOf(count, 'upcoming appointments')}: ${listed.join(', ')}${others}.`;
}

/** `Fri 27 Nov`, without the time. */
function toDay(iso: string, style: ShortTimeStyle): string {
  return renderShortTime(iso, style).replace(/ \S+$/, '');
}

function toRecords(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
