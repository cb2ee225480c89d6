import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type BulkEdits, createBulkEdits, type PlannedEdit } from '../../bulk/bulk-edits.ts';
import { toVerbName } from '../../bulk/input/edit-fields.ts';
import type { Plan } from '../../bulk/plan/plan-file.ts';
import { createClient, type SalonClient } from '../../client/client.ts';
import { type Clock, systemClock } from '../../client/deadline.ts';
import type { Fields } from '../../client/json-object.ts';
import type { Administration } from '../../service/administration.ts';
import type { EditFlags } from '../flags/edit-flags.ts';
import type { FailureName } from '../flags/values.ts';
import type { Io } from '../io.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import { describeOutcomes, toEditExitCode } from './edit-result.ts';
import { createFailurePicker, openFailureProxy } from './simulation-proxy.ts';

/** A plan about to be applied by a command. */
export interface PlanReview {
  readonly edits: BulkEdits;
  readonly planned: PlannedEdit;
  readonly context: CommandContext<EditFlags>;
}

/** The same plan meets the same failures. */
const seed = 1;

/** Applies a plan to a local copy of the records it is about. The salon itself is only read. */
export async function simulatePlan({ edits, planned, context }: PlanReview): Promise<CommandResult> {
  const { io, flags } = context;
  const { plan } = planned;
  const { edit, account } = plan.head;
  const { settings } = await context.session();
  const failures = flags.faults ?? [];
  const folder = dirname(plan.path);
  const records = toRecords(plan, await context.client());
  await using salon = await openSimulatedSalon({ io, records, failures, seed, folder });
  const concurrency = settings.concurrency.value;
  await using client = createClient({
    ...salon.clientOptions,
    retries: settings.retries.value,
    concurrency,
    signal: io.signal,
  });
  const simulation = createBulkEdits({
    client,
    folder: join(folder, 'simulation'),
    concurrency,
    signal: io.signal,
    now: io.now,
    random: io.random,
    readAccount: async () => account,
  });
  const copy = join(folder, '.simulated-plan');
  await edits.savePlan(planned, copy);
  const applied = await simulation.apply(await simulation.loadPlan(copy));
  const { tally, stop } = applied;
  if (stop !== undefined) throw stop;
  const { requests, faults: met } = salon.counts();
  const record = {
    rehearsal: true,
    list: edit.noun,
    verb: toVerbName(edit),
    ...tally,
    requests,
    faults: met,
  };
  const message = `Simulation, nothing was sent: ${describeOutcomes(tally, plan.head)}.${describeFailures(met, failures)}`;
  return { show: 'record', record, message, exitCode: toEditExitCode(applied) };
}

/** The records the copy needs: those of the plan, and those that its appointments refer to or may overlap. */
function toRecords(plan: Plan, client: SalonClient) {
  const { noun, verb } = plan.head.edit;
  if (noun === 'clients') return verb === 'create' ? {} : { clients: readBefore(plan) };
  return { clients: readBookedClients(plan), appointments: readAppointments(plan, client) };
}

async function* readBefore(plan: Plan): AsyncGenerator<Fields> {
  for await (const { before } of plan.rows()) if (before !== undefined) yield before;
}

/** Placeholders for the clients of appointments; their stylists exist because a client prefers them. */
async function* readBookedClients(plan: Plan): AsyncGenerator<Fields> {
  const clients = new Set<unknown>();
  const stylists = new Set<unknown>();
  for await (const { change, before } of plan.rows()) {
    const { client_id: id, stylist_id: preferred_stylist_id }: Fields = { ...before, ...change };
    if (id === undefined) continue;
    if (!clients.has(id)) yield { id, preferred_stylist_id };
    else if (!stylists.has(preferred_stylist_id)) {
      yield { id: `simulated-${stylists.size}`, preferred_stylist_id };
    }
    clients.add(id);
    stylists.add(preferred_stylist_id);
  }
}

/** Appointments of the plan, and those that they or new ones may overlap. */
async function* readAppointments(plan: Plan, client: SalonClient): AsyncGenerator<Fields> {
  let earliest: string | undefined;
  for await (const { change, before } of plan.rows()) {
    for (const record of [change, before]) {
      const start = String(record?.['start_time'] ?? '');
      if (start !== '' && (earliest === undefined || start < earliest)) earliest = start;
    }
  }
  if (earliest === undefined) return;
  const dayBefore = new Date(Date.parse(earliest) - 86_400_000).toISOString();
  for await (const { rows } of client.appointments.list({ start_time_from: dayBefore }))
    yield* rows as readonly Fields[];
}

function describeFailures(met: Readonly<Record<string, number>>, wanted: readonly string[]): string {
  if (wanted.length === 0) return '';
  const named = Object.entries(met).filter(([, times]) => times > 0);
  if (named.length === 0) return ' Too few requests for any failure to occur.';
  return ` Failures: ${named.map(([name, times]) => `${name} ${times === 1 ? 'once' : `${times} times`}`).join(', ')}.`;
}

export interface SimulationOptions {
  readonly io: Pick<Io, 'now' | 'random' | 'stderr'>;
  /** Records of the real salon to copy. */
  readonly records: Parameters<Administration['loadRecords']>[0];
  /** Failures that occur. */
  readonly failures: readonly FailureName[];
  /** Share of failing requests; 0.05. */
  readonly share?: number;
  /** With the same seed the same requests fail. */
  readonly seed: number;
  /** Folder for the copy, which only its owner can read; the system's temporary folder by default. */
  readonly folder?: string;
}

const defaultShare = 0.05;
/** Enough for a service on the same machine, and short when it times out often. */
const shortTimeoutMs = 1_000;
const defaultTimeoutMs = 30_000;
const clockFactor = 100;
/** In effect unlimited. */
const hourlyLimit = 1_000_000_000;

/** A local service with a copy of records, behind a proxy that makes requests fail. Removed on disposal. */
export async function openSimulatedSalon(options: SimulationOptions) {
  const { io, records, failures, share = defaultShare, seed, folder: parent = tmpdir() } = options;
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(parent, 'salon-simulation-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const database = `sqlite:${join(folder, 'copy.db')}`;
  const token = await prepareCopy(database, { io, records });
  const service = stack.use(await openCopy(database, io));
  const pickFailure = createFailurePicker({ names: failures, share, seed });
  const proxy = stack.use(await openFailureProxy(service.origin, pickFailure));
  const kept = stack.move();
  const startMs = systemClock.now();
  // Runs fast, so that waiting costs little.
  const clock: Clock = {
    now: () => startMs + (systemClock.now() - startMs) * clockFactor,
    sleep: (ms, signal) => systemClock.sleep(ms / clockFactor, signal),
  };
  return {
    /** Options for a client of the copy. */
    clientOptions: {
      baseUrl: proxy.origin,
      credential: { kind: 'bearer' as const, token },
      clock,
      timeoutMs: failures.includes('timeout') ? shortTimeoutMs : defaultTimeoutMs,
      maxWaitMs: Number.POSITIVE_INFINITY,
    },
    counts: proxy.counts,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Creates the account with its records. Returns an API key of its owner. */
async function prepareCopy(
  database: string,
  { io, records }: Pick<SimulationOptions, 'io' | 'records'>,
): Promise<string> {
  const { openAdministration } = await import('../../service/administration.ts');
  await using administration = await openAdministration(database, io);
  await administration.createAccount({ name: 'Simulation', plan: 'enterprise', hourlyLimit });
  await administration.loadRecords(records);
  const operator = await administration.inAccount();
  const { key } = await administration.createApiKey(operator, { role: 'owner', name: 'simulation' });
  return key;
}

async function openCopy(database: string, io: SimulationOptions['io']) {
  const [{ openService }, { parseServiceConfig }] = await Promise.all([
    import('../../service/service.ts'),
    import('../../service/config.ts'),
  ]);
  const config = parseServiceConfig({ database, port: '0', logLevel: 'silent', allowLoopbackWebhooks: true });
  return openService(config, { now: io.now, random: io.random, log: io.stderr, isOfCommand: true });
}
