import { toFlagName } from '../../settings.ts';
import { type FlagTable, type FlagValues, under } from './flag.ts';

/** The first flag of a table that is given, such as `--tag`. */
export function findGiven(flags: object, table: FlagTable): string | undefined {
  const found = Object.entries(table).find(([key]) => valuesOf(flags, key).length > 0);
  return found && toFlagName(found[1]);
}

/** The flags that select, as they are typed, such as `--tag vip --no-email`. */
export function renderSelection(flags: object, table: FlagTable): string {
  const parts = Object.entries(table).flatMap(([key, definition]) =>
    valuesOf(flags, key).map((value) => {
      const name = toFlagName(definition);
      if (typeof value === 'boolean') return name;
      const text = String(value);
      return `${name} ${/^[\w@.,+:-]+$/.test(text) ? text : JSON.stringify(text)}`;
    }),
  );
  return parts.join(' ');
}

function valuesOf(flags: object, key: string): readonly unknown[] {
  const value = (flags as Readonly<Record<string, unknown>>)[key];
  return value === undefined ? [] : [value].flat();
}

/** Flags that select appointments. */
export const appointmentSelectionFlags = under('Selection:', {
  whereStylist: { flag: '--where-stylist <stylist>', help: 'With this stylist', complete: 'stylists' },
  whereClient: { flag: '--where-client <client>', help: 'Of this client' },
  whereDate: { flag: '--where-date <day>', help: 'On this day, e.g. tomorrow' },
  whereFrom: { flag: '--where-from <when>', help: 'Starting at or after' },
  whereTo: { flag: '--where-to <when>', help: 'Starting before; a date includes the whole day' },
  whereOverlapping: {
    flag: '--where-overlapping',
    help: 'Taking any of that time: also begun before, if not over by then',
  },
  whereService: { flag: '--where-service <name>', help: 'For this service' },
  whereStatus: {
    flag: '--where-status <a,b>',
    help: 'With this status; default: not over yet',
    complete: 'statuses',
  },
} as const satisfies FlagTable);

export type AppointmentSelectionFlags = FlagValues<typeof appointmentSelectionFlags>;

/** Every appointment that is not over, instead of a selection. */
export const allAppointmentsFlag = {
  all: { flag: '--all', help: 'Every appointment that is not over', group: 'Selection:' },
} as const satisfies FlagTable;
