import type { ChalkInstance } from 'chalk';
import { type AppointmentStatus, appointmentStatuses } from '../../../contract/appointment.ts';
import { cleanText } from '../../messages/clean-text.ts';

type Paint = (text: string) => string;

/** How an appointment of one status looks: a sign that is read without colour, and colours for its block. */
export interface StatusLook {
  readonly sign: string;
  readonly bar: Paint;
  readonly fill: Paint;
}

interface Look {
  readonly sign: string;
  readonly color: 'yellow' | 'green' | 'cyan' | 'blue' | 'gray' | 'red';
  /** Background out of the 256 colours, light enough for black text; none where the time is free again. */
  readonly tint: number | undefined;
}

const looks: Readonly<Record<AppointmentStatus, Look>> = {
  pending: { sign: 'P', color: 'yellow', tint: 229 },
  confirmed: { sign: 'C', color: 'green', tint: 194 },
  arrived: { sign: 'A', color: 'cyan', tint: 195 },
  in_service: { sign: 'S', color: 'blue', tint: 153 },
  completed: { sign: '✓', color: 'gray', tint: 250 },
  cancelled: { sign: '✗', color: 'red', tint: undefined },
  no_show: { sign: 'N', color: 'red', tint: 224 },
};
const unknown: Look = { sign: '?', color: 'gray', tint: 252 };
const black = 16;
const grey = 238;

/** The sign of a status; `?` for one that only a foreign server knows. */
export function signOf(status: string): string {
  return lookOf(status).sign;
}

export function createStatusLooks(
  chalk: ChalkInstance,
  { hasManyColors }: { readonly hasManyColors: boolean },
): (status: string) => StatusLook {
  return (status) => {
    const { sign, color, tint } = lookOf(status);
    const isOver = status === 'cancelled' || status === 'no_show' || status === 'completed';
    if (!hasManyColors || tint === undefined)
      return { sign, bar: chalk[color], fill: isOver ? chalk.dim : (text) => text };
    const filled = chalk.bgAnsi256(tint);
    return { sign, bar: filled[color], fill: filled.ansi256(isOver ? grey : black) };
  };
}

/** `P pending  C confirmed`: the signs that are to be seen, in the order in which an appointment goes through them. */
export function listStatuses(statuses: Iterable<string>): readonly string[] {
  const seen = new Set(statuses);
  const known = appointmentStatuses.filter((status) => seen.has(status));
  return [...known, ...[...seen].filter((status) => !isKnown(status)).sort()];
}

/** A status as people say it: `in service`, `no-show`. */
export function statusWord(status: string): string {
  return status === 'no_show' ? 'no-show' : cleanText(status).replaceAll('_', ' ');
}

function lookOf(status: string): Look {
  return isKnown(status) ? looks[status] : unknown;
}

function isKnown(status: string): status is AppointmentStatus {
  return Object.hasOwn(looks, status);
}
