import type { Command } from 'commander';
import type { ActionRunner } from '../action-runner.ts';
import {
  addChangeOptions,
  addConfirmationOptions,
  addPrintOptions,
  addWriteOptions,
  collect,
} from '../flags/options.ts';
import { addBookingOptions, addNewClientOptions } from './appointments/booking-flags.ts';

export function registerBook(command: Command, runner: ActionRunner): void {
  command.argument('[words...]', 'client, "with" stylist, "for" service, day and time; in any order');
  addWriteOptions(addNewClientOptions(addBookingOptions(command)));
  addConfirmationOptions(command);
  addPrintOptions(command);
  runner.addLazy(command, async () => (await import('./appointments/book-appointment.ts')).bookAppointment, {
    'salon book': 'Book step by step: client, service, stylist, day, free time',
    'salon book Ana Costa with Mia for Balayage tomorrow 15:00': 'Book in one line',
    'salon book Ana --service Balayage --stylist anyone fri': 'Choose among the free times on Friday',
  });
}

export function registerMove(command: Command, runner: ActionRunner): void {
  command
    .argument('[words...]', 'client or appointment ID, then day and time')
    .option('--stylist <who>', 'Change the stylist: name, ID or "anyone"')
    .option('--start <when>', 'Same as day and time')
    .option('--allow-overlap', 'Move even if the stylist is busy')
    .option('--allow-blocked', 'Move even if the stylist is away');
  addChangeOptions(command);
  addConfirmationOptions(command);
  addPrintOptions(command);
  runner.addLazy(command, async () => (await import('./appointments/book-appointment.ts')).moveAppointment, {
    'salon move Ana Costa fri 11:00': 'Move her upcoming appointment; the stylist stays',
    'salon move Ana Costa fri 11:00 with Theo': 'Move it to another stylist, too',
    'salon move Ana Costa +20m': 'Move it by 20 minutes: she is late',
    'salon move Ana Costa fri': 'Choose among the free times on Friday',
  });
}

export function registerFree(command: Command, runner: ActionRunner): void {
  command
    .argument('[when...]', 'today (default), tomorrow 15:00, sat morning, Mia fri')
    .option('--from <when>', 'First day or time, e.g. mon')
    .option('--to <when>', 'Last day or time (default: a week)')
    .option('--service <name>', 'For this service, in its usual time')
    .option('--duration <time>', 'For this long, e.g. 45m (default: 30m)')
    .option('--stylist <who>', 'Only this stylist: name, email, phone or ID; repeatable', collect)
    .option('--every <time>', 'Time between possible starts (default: 15m)');
  addPrintOptions(command);
  runner.addLazy(command, async () => (await import('../booking/find-free.ts')).findFree, {
    'salon free tomorrow 15:00 --duration 45m': 'Show who is free at three',
    'salon free Mia next week': 'Show when Mia is free next week',
    'salon free --from mon --to fri --service Balayage': 'Find time for a service, by stylist',
  });
}
