import type { Command } from 'commander';
import { joinLists } from './options.ts';

/** Flags that select appointments. */
export interface AppointmentConditionFlags {
  readonly whereClient?: string;
  readonly whereStylist?: string;
  readonly whereStatus?: string;
  readonly whereService?: string;
  readonly whereDate?: string;
  readonly whereFrom?: string;
  readonly whereTo?: string;
}

/** Attributes of the flags, and how they are typed. */
export const appointmentConditionFlags: Readonly<Record<keyof AppointmentConditionFlags, string>> = {
  whereClient: '--where-client',
  whereStylist: '--where-stylist',
  whereStatus: '--where-status',
  whereService: '--where-service',
  whereDate: '--where-date',
  whereFrom: '--where-from',
  whereTo: '--where-to',
};

export function addAppointmentConditions(command: Command): Command {
  return command
    .option('--where-stylist <stylist>', 'All appointments of this stylist')
    .option('--where-client <client>', 'All appointments of this client')
    .option('--where-date <day>', 'All appointments on this day, e.g. tomorrow')
    .option('--where-from <when>', 'All appointments starting at or after')
    .option('--where-to <when>', 'All starting before; a date includes the day')
    .option('--where-service <name>', 'All appointments for this service')
    .option('--where-status <a,b>', 'With this status (default: open ones)', joinLists)
    .option('--all', 'Every open appointment');
}
