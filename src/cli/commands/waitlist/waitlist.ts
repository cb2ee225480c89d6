import type { Command } from 'commander';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { listPages, withWantedNames } from '../../export/list-records.ts';
import { bookingFlags, type EntryFlags, entryFlags } from '../../flags/booking-flags.ts';
import { type FieldValues, readFields, toDefinedFields } from '../../flags/fields.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import {
  changeFlags,
  confirmationFlags,
  confirmFlag,
  filterFlags,
  listFlags,
  printFlags,
  writeFlags,
} from '../../flags/options.ts';
import { nouns } from '../../nouns/nouns.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { defineGet } from '../get-record.ts';
import { changeRecord, endRecord } from '../write-record.ts';

const { reference, find: findEntry } = nouns.waitlist;

const listedFlags = {
  ...filterFlags,
  status: {
    flag: '--status <a,b>',
    help: 'Filter by status (default: waiting,offered)',
    complete: 'statuses',
  },
  from: { flag: '--from <when>', help: 'Who would come after it' },
  to: { flag: '--to <when>', help: 'Who would come before it' },
  ...listFlags,
} as const satisfies FlagTable;

export function registerWaitlist(waitlist: Command, runner: ActionRunner): void {
  runner.define(waitlist.command('list'), {
    description: 'List who waits, by time',
    flags: listedFlags,
    examples: {
      'salon waitlist list': 'List everybody who still waits',
      'salon waitlist list --from sat --to sat': 'List who would come on Saturday',
      'salon waitlist list --status expired -o missed.xlsx': 'Write those who waited in vain',
    },
    handler: async () => listEntries,
  });
  defineGet(waitlist, runner, 'waitlist', {
    'salon waitlist get Ana Costa': 'Show what she waits for',
  });
  runner.define(waitlist.command('add'), {
    description: 'Add a client to the waiting list',
    args: {
      '[words...]': {
        help: 'client, "with" stylist, "for" service, day, days or part of a day',
        complete: 'stylists after with',
      },
    },
    flags: { ...entryFlags, ...writeFlags, ...confirmFlag, ...printFlags },
    examples: {
      'salon waitlist add Ana Costa for Balayage sat': 'She would come any time on Saturday',
      'salon waitlist add Ana Costa with Mia for Cut sat morning --note "call first"':
        'Only with Mia, in the morning',
      'salon waitlist add Ana Costa for Cut --from mon --to fri': 'On any of some days',
    },
    undo: 'salon waitlist delete',
    handler: async () => (await import('./add-entry.ts')).addEntry,
  });
  runner.define(waitlist.command('update'), {
    description: 'Change an entry of the waiting list',
    args: { '<entry...>': reference },
    flags: {
      ...entryFlags,
      status: { flag: '--status <status>', help: 'waiting, offered or booked', complete: 'statuses' },
      ...changeFlags,
      ...confirmFlag,
      ...printFlags,
    },
    examples: {
      'salon waitlist update Ana Costa --status offered': 'Note that she was called',
      'salon waitlist update Ana Costa --to sun': 'Wait until Sunday',
    },
    handler: async () => updateEntry,
  });
  runner.define(waitlist.command('delete'), {
    description: 'Take a client off the waiting list',
    args: { '<entry...>': reference },
    flags: {
      dryRun: { ...writeFlags.dryRun, help: 'Show what would be deleted; delete nothing' },
      ...confirmationFlags,
      ...printFlags,
    },
    examples: { 'salon waitlist delete Ana Costa': 'She no longer waits' },
    handler: async () => deleteEntry,
  });
  runner.define(waitlist.command('match'), {
    description: 'Show who waits for the free times of a day',
    args: { '[day...]': 'day, part of a day or "now" (default: the rest of today)' },
    flags: printFlags,
    examples: {
      'salon waitlist match': 'Show whom to call about the gaps of today',
      'salon waitlist match sat morning': 'Show whom to call about Saturday morning',
    },
    handler: async () => (await import('../../booking/match-waiting.ts')).matchWaiting,
  });
  runner.define(waitlist.command('book'), {
    description: 'Book a client who waits, at one of the free times that fit',
    args: {
      '<words...>': {
        help: 'entry ID or client, then day and time, "with" stylist',
        complete: 'stylists after with',
      },
    },
    flags: {
      stylist: { ...bookingFlags.stylist, help: 'Stylist, or "anyone"' },
      start: { ...bookingFlags.start, help: 'Same as day and time' },
      duration: bookingFlags.duration,
      price: bookingFlags.price,
      notes: bookingFlags.notes,
      allowOverlap: bookingFlags.allowOverlap,
      allowBlocked: bookingFlags.allowBlocked,
      dryRun: writeFlags.dryRun,
      ...confirmationFlags,
      ...printFlags,
    },
    examples: {
      'salon waitlist book Ana Costa': 'Choose among the free times that fit',
      'salon waitlist book Ana Costa sat 10:00': 'Book that time',
    },
    undo: 'salon appointments cancel',
    handler: async () => (await import('./book-entry.ts')).bookEntry,
  });
}

const listEntries: Handler<FlagValues<typeof listedFlags>> = async (context) => {
  const { resolvePeople } = await import('../../people/resolve-filters.ts');
  const { openStatuses } = await import('../../people/resolve-entry.ts');
  const { from, to, status = openStatuses, sort = 'from' } = context.flags;
  const list = await listPages({ ...context, flags: { ...context.flags, sort } }, 'waitlist', {
    ...(await resolvePeople(context)),
    status,
    from: { moment: from, edge: 'start' },
    to: { moment: to, edge: 'end' },
  });
  return { ...list, pages: await withWantedNames(list.pages, list.columns, context) };
};

const updateEntry: Handler<
  EntryFlags & FlagValues<typeof changeFlags> & { readonly status?: string }
> = async (context, words) => {
  const found = await findEntry(words.join(' '), context, { isWrite: true });
  const change = { ...(await toEntryFields(context)), ...(await readFields(context.flags, context.io)) };
  return changeRecord(context, { noun: 'waitlist', id: found.id, change });
};

/** The fields that flags give: people by ID, times as instants. */
async function toEntryFields(
  context: CommandContext<EntryFlags & { readonly status?: string }>,
): Promise<FieldValues> {
  const { stylist, service, note, status, from, to } = context.flags;
  const [{ resolvePeople }, { parseRange }, { readClock }] = await Promise.all([
    import('../../people/resolve-filters.ts'),
    import('../../flags/moments.ts'),
    import('../../output/format.ts'),
  ]);
  const isAnyone = /^any(?:one|body)?$/i.test(stylist?.trim() ?? '');
  const { stylist: _anyone, ...others } = context.flags;
  const people = { ...context, flags: isAnyone ? others : context.flags };
  const moments = await readClock(context);
  return toDefinedFields({
    ...(await resolvePeople(people, { isWrite: true })),
    ...(isAnyone ? { stylist_id: null } : {}),
    ...{ service, note, status },
    ...parseRange({ from, to }, { ...moments, sinceMs: moments.now.getTime() }),
  });
}

const deleteEntry: Handler = async (context, words) => {
  const { id, client } = await findEntry(words.join(' '), context, { isWrite: true });
  const { describeEntry } = await import('../../people/resolve-entry.ts');
  const { record, etag: ifMatch } = await (await context.client()).waitlist.getTagged(id);
  const name = await describeEntry({ ...record }, context, client);
  return endRecord(context, 'delete', {
    ...{ id, name, end: ({ waitlist }) => waitlist.delete(id, { ifMatch }) },
    question: `Take ${name} off the waiting list?`,
  });
};
