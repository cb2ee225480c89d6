import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientOptions } from '../../client/client.ts';
import { type Clock, systemClock } from '../../client/deadline.ts';
import type { Administration } from '../../service/administration.ts';
import type { Io } from '../io.ts';
import { createFailurePicker, type FailureName } from './simulated-failures.ts';
import { type FailureCounts, openFailureProxy } from './simulation-proxy.ts';

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

/** A local service with a copy of records, behind a proxy that makes requests fail. Removed on disposal. */
export interface SimulatedSalon extends AsyncDisposable {
  /** Options for a client of the copy. Its clock runs fast, so that waiting costs little. */
  readonly clientOptions: Pick<ClientOptions, 'baseUrl' | 'credential' | 'clock' | 'timeoutMs' | 'maxWaitMs'>;
  counts(): FailureCounts;
}

const defaultShare = 0.05;
/** Enough for a service on the same machine, and short when it times out often. */
const shortTimeoutMs = 1_000;
const defaultTimeoutMs = 30_000;
const clockFactor = 100;
/** In effect unlimited. */
const hourlyLimit = 1_000_000_000;

export async function openSimulatedSalon(options: SimulationOptions): Promise<SimulatedSalon> {
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
  return {
    clientOptions: {
      baseUrl: proxy.origin,
      credential: { kind: 'bearer', token },
      clock: createFastClock(systemClock, clockFactor),
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
  const { key } = await administration.createApiKey({ role: 'owner', name: 'simulation' });
  return key;
}

async function openCopy(database: string, io: SimulationOptions['io']) {
  const [{ openService }, { parseServiceConfig }] = await Promise.all([
    import('../../service/service.ts'),
    import('../../service/config.ts'),
  ]);
  const config = parseServiceConfig({
    database,
    port: '0',
    logLevel: 'silent',
    allowLoopbackWebhooks: true,
  });
  return openService(config, { now: io.now, random: io.random, log: io.stderr });
}

/** A clock on which waits are shorter by a factor. */
function createFastClock(clock: Clock, factor: number): Clock {
  const startMs = clock.now();
  return {
    now: () => startMs + (clock.now() - startMs) * factor,
    sleep: (ms, signal) => clock.sleep(ms / factor, signal),
  };
}
