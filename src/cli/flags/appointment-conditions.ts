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
    .optionsGroup('Conditions:')
    .option('--where-stylist <stylist>', 'With this stylist')
    .option('--where-client <client>', 'Of this client')
    .option('--where-date <day>', 'On this day, e.g. tomorrow')
    .option('--where-from <when>', 'Starting at or after')
    .option('--where-to <when>', 'Starting before; a date includes the whole day')
    .option('--where-service <name>', 'For this service')
    .option('--where-status <a,b>', 'With this status; default: not over yet', joinLists)
    .option('--all', 'Every appointment that is not over')
    .optionsGroup('');
}
