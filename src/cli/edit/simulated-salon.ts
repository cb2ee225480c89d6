import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientOptions } from '../../client/client.ts';
import { type Clock, systemClock } from '../../client/clock.ts';
import type { Administration } from '../../service/administration.ts';
import type { Io } from '../io.ts';
import { type FaultCounts, openFaultProxy } from './fault-proxy.ts';
import { createFaultDraw, type FaultName } from './simulated-failures.ts';

export interface SimulationOptions {
  readonly io: Pick<Io, 'now' | 'random' | 'stderr'>;
  /** What the copy holds: records as they were read from the salon. */
  readonly records: Parameters<Administration['loadRecords']>[0];
  /** What goes wrong now and then; nothing where it is empty. */
  readonly faults: readonly FaultName[];
  /** How often, of all requests; 0.05. */
  readonly share?: number;
  /** The same seed lets the same requests fail. */
  readonly seed: number;
  /** Where the copy lies meanwhile, readable by its owner alone; the system's folder for temporary files. */
  readonly folder?: string;
}

/** A service of its own that holds a copy of records, behind a gateway that lets requests fail. Closing it leaves nothing. */
export interface SimulatedSalon extends AsyncDisposable {
  /** What a client has to be made with that works on the copy. Waiting costs it little: its clock runs fast. */
  readonly clientOptions: Pick<ClientOptions, 'baseUrl' | 'credential' | 'clock' | 'timeoutMs' | 'maxWaitMs'>;
  counts(): FaultCounts;
}

const usualShare = 0.05;
/** Long enough for a service on the same machine, short enough to wait for in vain many times. */
const shortTimeoutMs = 1_000;
const usualTimeoutMs = 30_000;
const clockFactor = 100;
/** So many that no pace is kept: the hour of the salon is not the copy's. */
const hourlyLimit = 1_000_000_000;

export async function openSimulatedSalon(options: SimulationOptions): Promise<SimulatedSalon> {
  const { io, records, faults, share = usualShare, seed, folder: parent = tmpdir() } = options;
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(parent, 'salon-rehearsal-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const database = `sqlite:${join(folder, 'copy.db')}`;
  const token = await prepareCopy(database, { io, records });
  const service = stack.use(await openCopy(database, io));
  const drawFault = createFaultDraw({ faults, share, seed });
  const gateway = stack.use(await openFaultProxy(service.origin, drawFault));
  const opened = stack.move();
  return {
    clientOptions: {
      baseUrl: gateway.origin,
      credential: { kind: 'bearer', token },
      clock: createFastClock(systemClock, clockFactor),
      timeoutMs: faults.includes('timeout') ? shortTimeoutMs : usualTimeoutMs,
      maxWaitMs: Number.POSITIVE_INFINITY,
    },
    counts: gateway.counts,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Makes the account with its records, and answers the key of its owner. */
async function prepareCopy(
  database: string,
  { io, records }: Pick<SimulationOptions, 'io' | 'records'>,
): Promise<string> {
  const { openAdministration } = await import('../../service/administration.ts');
  await using administration = await openAdministration(database, io);
  await administration.createAccount({ name: 'Rehearsal', plan: 'enterprise', hourlyLimit });
  await administration.loadRecords(records);
  const { key } = await administration.createApiKey({ role: 'owner', name: 'rehearsal' });
  return key;
}

async function openCopy(database: string, io: SimulationOptions['io']) {
  const [{ openService }, { parseServiceConfig }] = await Promise.all([
    import('../../service/service.ts'),
    import('../../service/config.ts'),
  ]);
  const config = parseServiceConfig({ database, port: '0', logLevel: 'silent' });
  return openService(config, { now: io.now, random: io.random, log: io.stderr });
}

/** A clock on which every wait is over so many times sooner. */
function createFastClock(clock: Clock, factor: number): Clock {
  const startMs = clock.now();
  return {
    now: () => startMs + (clock.now() - startMs) * factor,
    sleep: (ms, signal) => clock.sleep(ms / factor, signal),
  };
}
