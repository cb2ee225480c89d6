import type { Command } from 'commander';
import { joinLists } from './options.ts';

/** Flags by attribute; false for `--no-…`. */
type Flags = object;

/** How flags are typed, by attribute. */
type FlagNames = Readonly<Record<string, string>>;

/** The first condition that is given. */
export function findCondition(flags: Flags, names: FlagNames): string | undefined {
  const found = Object.keys(names).find((attribute) => valuesOf(flags, attribute).length > 0);
  return found === undefined ? undefined : names[found];
}

/** The conditions as they are typed, such as `--tag vip --no-email`. */
export function renderConditions(flags: Flags, names: FlagNames): string {
  const parts = Object.entries(names).flatMap(([attribute, name]) =>
    valuesOf(flags, attribute).map((value) => {
      if (typeof value === 'boolean') return name;
      const text = String(value);
      return `${name} ${/^[\w@.,+:-]+$/.test(text) ? text : JSON.stringify(text)}`;
    }),
  );
  return parts.join(' ');
}

function valuesOf(flags: Flags, attribute: string): readonly unknown[] {
  const value = (flags as Readonly<Record<string, unknown>>)[attribute];
  return value === undefined ? [] : [value].flat();
}

/** Attributes of the flags that select appointments, and how they are typed. */
export const appointmentConditionFlags = {
  whereClient: '--where-client',
  whereStylist: '--where-stylist',
  whereStatus: '--where-status',
  whereService: '--where-service',
  whereDate: '--where-date',
  whereFrom: '--where-from',
  whereTo: '--where-to',
  whereOverlapping: '--where-overlapping',
};

/** Flags that select appointments. */
export type AppointmentConditionFlags = Partial<
  Readonly<Record<Exclude<keyof typeof appointmentConditionFlags, 'whereOverlapping'>, string>>
> & { readonly whereOverlapping?: boolean };

export function addAppointmentConditions(command: Command): Command {
  return command
    .optionsGroup('Conditions:')
    .option('--where-stylist <stylist>', 'With this stylist')
    .option('--where-client <client>', 'Of this client')
    .option('--where-date <day>', 'On this day, e.g. tomorrow')
    .option('--where-from <when>', 'Starting at or after')
    .option('--where-to <when>', 'Starting before; a date includes the whole day')
    .option('--where-overlapping', 'Taking any of that time: also begun before, if not over by then')
    .option('--where-service <name>', 'For this service')
    .option('--where-status <a,b>', 'With this status; default: not over yet', joinLists)
    .option('--all', 'Every appointment that is not over')
    .optionsGroup('');
}
