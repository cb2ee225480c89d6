import type { Command } from 'commander';
import type { ActionRunner } from '../action-runner.ts';
import { bookingFlags, followingFlag, newClientFlags, visitFlags } from '../flags/booking-flags.ts';
import { changeFlags, confirmationFlags, printFlags, writeFlags } from '../flags/options.ts';

export function registerBook(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    args: {
      '[words...]': {
        help: 'client, "with" stylist, "for" service, day and time, how often; in any order',
        complete: 'stylists after with',
      },
    },
    flags: {
      ...bookingFlags,
      ...newClientFlags,
      ...visitFlags,
      ...writeFlags,
      ...confirmationFlags,
      ...printFlags,
    },
    examples: {
      'salon book': 'Book step by step: client, service, stylist, day, free time',
      'salon book Ana Costa with Mia for Balayage tomorrow 15:00': 'Book in one line',
      'salon book Ana with Mia for Balayage fri 15:00 every 4 weeks until june':
        'Show each date, and book all',
      'salon book "Ana Costa: Balayage with Mia, then in 30m Blow-dry with Theo, sat 10:00"':
        'Book one after the other; with "Ana and Ben for Cut now", at once',
    },
    undo: 'salon appointments cancel, salon jobs undo (of several)',
    handler: async () => (await import('./appointments/book-appointment.ts')).bookAppointment,
  });
}

export function registerMove(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    args: {
      '[words...]': { help: 'client or appointment ID, then day and time', complete: 'stylists after with' },
    },
    flags: {
      stylist: { ...bookingFlags.stylist, help: 'Change the stylist: name, ID or "anyone"' },
      start: { ...bookingFlags.start, help: 'Same as day and time' },
      allowOverlap: { ...bookingFlags.allowOverlap, help: 'Move even if the stylist is busy' },
      allowBlocked: { ...bookingFlags.allowBlocked, help: 'Move even if the stylist is away' },
      ...followingFlag,
      onConflict: {
        ...visitFlags.onConflict,
        help: 'What to do if one of several is not free (default: stop)',
        choices: ['stop', 'skip'],
      },
      ...changeFlags,
      ...confirmationFlags,
      ...printFlags,
    },
    examples: {
      'salon move Ana Costa fri 11:00': 'Move her upcoming appointment; the stylist stays',
      'salon move Ana Costa fri 11:00 with Theo': 'Move it to another stylist, too',
      'salon move Ana Costa +20m': 'Move it by 20 minutes: she is late',
      'salon move Ana Costa fri': 'Choose among the free times on Friday; asks about a repeat',
    },
    undo: 'salon move, salon jobs undo (of several)',
    handler: async () => (await import('./appointments/book-appointment.ts')).moveAppointment,
  });
}

export function registerFree(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    args: {
      '[when...]': { help: 'today (default), tomorrow 15:00, sat morning, Mia fri', complete: 'stylists' },
    },
    flags: {
      from: { flag: '--from <when>', help: 'First day or time, e.g. mon' },
      to: { flag: '--to <when>', help: 'Last day or time (default: a week)' },
      service: { ...bookingFlags.service, help: 'For this service, in its usual time' },
      duration: { ...bookingFlags.duration, help: 'For this long, e.g. 45m (default: 30m)' },
      stylist: {
        ...bookingFlags.stylist,
        type: 'list',
        help: 'Only this stylist: name, email, phone or ID; repeatable',
      },
      every: {
        flag: '--every <time>',
        help: 'Time between possible starts (default: 15m)',
        parse: async (text, flag) => (await import('../flags/moments.ts')).parseMinutes(text, flag),
      },
      ...printFlags,
    },
    examples: {
      'salon free tomorrow 15:00 --duration 45m': 'Show who is free at three',
      'salon free Mia next week': 'Show when Mia is free next week',
      'salon free --from mon --to fri --service Balayage': 'Find time for a service, by stylist',
      'salon free "Ana Costa: Balayage with Mia, then Blow-dry, sat"': 'Find time for all of it',
    },
    handler: async () => (await import('../booking/find-free.ts')).findFree,
  });
}
