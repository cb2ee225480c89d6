import { join } from 'node:path';
import { readEditProgress } from '../../bulk/apply/edit-progress.ts';
import { runEdit } from '../../bulk/apply/run-edit.ts';
import { openJournal } from '../../bulk/jobs/journal.ts';
import type { EditEntry } from '../../bulk/jobs/journal-entries.ts';
import type { Plan } from '../../bulk/plan/plan-file.ts';
import type { PlanFolder } from '../../bulk/plan/plan-folder.ts';
import { createClient, type SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/http/decode.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { EditFlags } from './edit-options.ts';
import { toEndCode } from './edit-result.ts';
import { describeTally } from './show-plan.ts';
import { parseFaults } from './simulated-failures.ts';
import { openRehearsal } from './simulated-salon.ts';

export interface Rehearsing {
  readonly plan: Plan;
  readonly draft: PlanFolder;
  /** The salon itself: it is read, and never written to. */
  readonly client: SalonClient;
  readonly context: CommandContext<EditFlags>;
}

/** The same faults for the same plan. */
const seed = 1;

/** Carries a plan out on a copy of the records that it is about, and says what would have happened. */
export async function rehearsePlan({ plan, draft, client, context }: Rehearsing): Promise<CommandResult> {
  const { io, flags } = context;
  const { edit } = plan.head;
  const { settings } = await context.session();
  const faults = flags.faults === undefined ? [] : parseFaults(flags.faults);
  await using rehearsal = await openRehearsal({
    io,
    records: toRecords(plan, client),
    faults,
    seed,
    folder: draft.folder,
  });
  await using actor = createClient({
    ...rehearsal.clientOptions,
    retries: settings.retries.value,
    concurrency: settings.concurrency.value,
    signal: io.signal,
  });
  const journalPath = join(draft.folder, 'rehearsal');
  await using journal = await openJournal<EditEntry>(journalPath, 0);
  const end = await runEdit({
    jobId: draft.id,
    plan,
    journalPath,
    journal,
    progress: await readEditProgress(journalPath),
    client: actor,
    folder: draft.folder,
    width: settings.concurrency.value,
    maxErrors: null,
    now: io.now,
    signal: io.signal,
    report: async () => {},
  });
  if (end.stop !== undefined) throw end.stop;
  const { requests, faults: met } = rehearsal.counts();
  const record = { rehearsal: true, list: edit.noun, verb: edit.verb, ...end.tally, requests, faults: met };
  const said = `In a rehearsal, with nothing sent: ${describeTally(end.tally, edit)}.${describeFaults(met, faults)}`;
  return { show: 'record', record, said, exitCode: toEndCode(end, plan) };
}

/** What the copy has to hold: the records of the plan, or those that its new ones refer to. */
function toRecords(plan: Plan, client: SalonClient) {
  const { noun, verb } = plan.head.edit;
  if (noun === 'clients') return verb === 'create' ? {} : { clients: readBefore(plan) };
  return { clients: readBooked(plan), appointments: readAppointments(plan, client) };
}

async function* readBefore(plan: Plan): AsyncGenerator<Fields> {
  for await (const { before } of plan.rows()) if (before !== undefined) yield before;
}

/** Stand-ins for the clients that new appointments are for, each with the stylist, so that both are there. */
async function* readBooked(plan: Plan): AsyncGenerator<Fields> {
  const seen = new Set<string>();
  for await (const { change } of plan.rows()) {
    const { client_id: id, stylist_id: preferred_stylist_id } = change ?? {};
    const pair = `${id} ${preferred_stylist_id}`;
    if (id === undefined || seen.has(pair)) continue;
    seen.add(pair);
    yield { id, preferred_stylist_id };
  }
}

/** The appointments that new ones may collide with. */
async function* readAppointments(plan: Plan, client: SalonClient): AsyncGenerator<Fields> {
  let earliest: string | undefined;
  for await (const { change } of plan.rows()) {
    const start = String(change?.['start_time'] ?? '');
    if (start !== '' && (earliest === undefined || start < earliest)) earliest = start;
  }
  if (earliest === undefined) return;
  const day = new Date(Date.parse(earliest) - 86_400_000).toISOString();
  for await (const { rows } of client.appointments.list({ start_time_from: day }))
    yield* rows as readonly Fields[];
}

function describeFaults(met: Readonly<Record<string, number>>, asked: readonly string[]): string {
  if (asked.length === 0) return '';
  const named = Object.entries(met).filter(([, times]) => times > 0);
  if (named.length === 0) return ' Too few requests for any of the faults to come up.';
  return ` On the way: ${named.map(([name, times]) => `${name} ${times === 1 ? 'once' : `${times} times`}`).join(', ')}.`;
}
