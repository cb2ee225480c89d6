import { SalonError } from '../../../contract/errors.ts';
import { isSameService } from '../../../contract/salon-service.ts';
import { minuteMs, type TimeSpan, toUtcText } from '../../../time/time.ts';
import { salonFacts } from '../../availability/salon-facts.ts';
import { findListedService } from '../../availability/usual-services.ts';
import { anyone, type BookingDraft } from '../../booking/draft.ts';
import { readDraft } from '../../booking/read-draft.ts';
import { parseFreePeriod } from '../../booking/words.ts';
import type { EntryFlags } from '../../flags/booking-flags.ts';
import { readFields, toDefinedFields } from '../../flags/fields.ts';
import type { WriteFlags } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import { readClock } from '../../output/format.ts';
import { describeEntry, readWaiting } from '../../people/resolve-entry.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { createRecord } from '../write-record.ts';

/** Adds a client to the waiting list, from words as `book` reads them. Warns of one who waits already. */
export async function addEntry(
  context: CommandContext<EntryFlags & WriteFlags>,
  words: readonly string[],
): Promise<CommandResult> {
  const { flags, io, messages } = context;
  const set = await readFields(flags, io);
  if (flags.data !== undefined) return createRecord(context, 'waitlist', set);
  const given = toDefinedFields({
    client_id: flags.client,
    stylist_id: flags.stylist,
    service: flags.service,
  });
  const draft = await readDraft({ words, given, newClient: undefined, phone: undefined }, context);
  const { client, service, stylist } = draft;
  const span = await readSpan(draft, context);
  if (client === undefined || service === undefined || span === undefined) {
    const missing = Object.entries({ client, service, time: span }).filter(
      ([, value]) => value === undefined,
    );
    throw new SalonError('usage', `Missing: ${missing.map(([name]) => name).join(', ')}.`, {
      hint: 'For example: salon waitlist add Ana Costa for Balayage sat morning',
    });
  }
  if (span.endMs <= io.now().getTime()) {
    throw new SalonError('usage', 'That time has passed.', { hint: 'Choose a time to come.' });
  }
  for (const other of await readWaiting({ client_id: client.id, span }, context)) {
    if (!isSameService(other.service, service)) continue;
    const same = await describeEntry({ ...other }, context, client);
    messages.warn(`On the waiting list already: ${same} (${other.id}).`);
  }
  // A stylist's key can only add its own.
  const isAnyone = stylist === undefined || stylist === anyone;
  const entry = {
    ...{ client_id: client.id, service },
    stylist_id: isAnyone ? ((await salonFacts(context).ownStylist()) ?? null) : stylist.id,
    ...{ from: toUtcText(span.startMs), to: toUtcText(span.endMs) },
    ...toDefinedFields({ note: flags.note }),
    ...set,
  };
  const describe = (record: object) => describeEntry({ ...record }, context, client);
  return createRecord(context, 'waitlist', entry, { done: 'On the waiting list:', describe });
}

/** When the client would come; from a moment on, for as long as the service takes. */
async function readSpan(
  { start, span, service = '' }: BookingDraft,
  context: CommandContext<EntryFlags>,
): Promise<TimeSpan | undefined> {
  const { from, to } = context.flags;
  if (from !== undefined || to !== undefined) {
    if ((start ?? span) === undefined) return parseFreePeriod([], { from, to }, await readClock(context));
    throw new SalonError('usage', 'The time is given twice: in words, and with --from or --to.');
  }
  if (start === undefined) return span;
  const { usualMinutes = 30 } = (await findListedService(service, context)) ?? {};
  const startMs = Date.parse(start);
  return { startMs, endMs: startMs + usualMinutes * minuteMs };
}
