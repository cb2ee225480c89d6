import type { SalonClient } from '../../client/client.ts';
import type { PagedList } from '../../client/pagination/paginate.ts';
import type { ClientConditions } from '../../client/selection/client-conditions.ts';
import {
  type ClientSelection,
  type SelectionFacts,
  type SelectionOptions,
  selectClients,
} from '../../client/selection/select-clients.ts';
import type { Client as ClientRecord } from '../../contract/client.ts';
import { countOf, renderCount } from '../../text/numbers.ts';
import type { ClientConditionFlags } from '../flags/client-conditions.ts';
import { readClientConditions } from '../flags/read-client-conditions.ts';
import type { Messages } from '../messages/messages.ts';
import { type Progress, startProgress } from '../messages/status-line.ts';
import type { CommandContext } from '../session/command-context.ts';

/** The clients that the flags of a command select. The time zone is read only for a time. Throws `usage`. */
export async function readClientFilter({ flags, io, timeZone }: CommandContext<ClientConditionFlags>) {
  const isTimed = Object.keys(flags).some((name) => /^(?:birth|seen|notSeen|updated|firstVisit)/.test(name));
  return readClientConditions(flags, { now: io.now(), timeZone: isTimed ? await timeZone() : 'UTC' });
}

/** Selects clients, with progress while appointments are read and notes on the selection at its end. */
export function listSelectedClients(
  client: SalonClient,
  conditions: ClientConditions,
  { context, ...options }: SelectionOptions & { readonly context: CommandContext },
): PagedList<ClientRecord> {
  const { io, status, messages } = context;
  let progress: Progress | undefined;
  const stop = () => progress?.stop();
  const selection = selectClients(client, conditions, {
    ...options,
    onVisits(read, total) {
      progress ??= startProgress(io, { noun: 'appointments', status, writeLine: messages.verbose });
      progress.update(read, total);
      if (read === total) stop();
    },
  });
  return { ...selection, [Symbol.asyncIterator]: () => withNotes(selection, messages, stop) };
}

async function* withNotes(selection: ClientSelection, messages: Messages, stop: () => void) {
  try {
    for await (const page of selection) {
      stop();
      yield page;
    }
  } finally {
    stop();
  }
  reportFacts(selection.facts(), messages);
}

/** Says what the rows of a selection do not show. */
function reportFacts(
  { matches, hasMore, unmarked, booked, unreadable, unknownTags }: SelectionFacts,
  messages: Messages,
): void {
  if (hasMore) messages.info(`The first ${renderCount(matches)} clients; more match.`);
  if (unmarked > 0) {
    const are = unmarked === 1 ? 'has' : 'have';
    messages.warn(
      `${countOf(unmarked, 'clients')} ${are} a past appointment still marked pending or confirmed. That is no visit.`,
    );
  }
  if (booked > 0) {
    const are = booked === 1 ? 'is' : 'are';
    messages.info(
      `${countOf(booked, 'other clients')} ${are} left out: booked already. Show them with --upcoming.`,
    );
  }
  for (const [field, count] of unreadable) {
    messages.warn(`The ${field} of ${renderCount(count)} clients cannot be read; they are left out.`);
  }
  for (const { tag, similar } of unknownTags) {
    const question = similar === undefined ? '' : ` Did you mean ${similar}?`;
    messages.info(`No client has the tag ${tag}.${question}`);
  }
}
