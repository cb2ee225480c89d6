import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createClient, type SalonClient } from '../../src/index.ts';
import { createMachine, type RunOptions, type RunResult } from './io.ts';
import {
  openSharedService,
  openTestService,
  type SharedService,
  type TestServiceOptions,
} from './service.ts';

export type Client = Readonly<Record<string, unknown>> & { readonly id: string };

/** A salon, and a machine that edits sheets and sends them to it. */
export interface EditWorld extends AsyncDisposable {
  readonly service: SharedService;
  readonly client: SalonClient;
  salon(argv: readonly string[], world?: RunOptions): Promise<RunResult>;
  /** Runs a command with JSON output. */
  read<Answer>(argv: readonly string[], world?: RunOptions): Promise<Answer>;
  clients(): Promise<readonly Client[]>;
  pathOf(name: string): string;
  write(name: string, content: string | Uint8Array): void;
  /** A CSV of these rows, with the columns of the first. */
  writeSheet(name: string, rows: readonly object[]): void;
  readText(path: string): string;
  jobs(): readonly string[];
}

/** On a service of its own if it needs other than sample records. */
export async function openEditWorld({
  clients: clientCount = 20,
  appointments = 0,
  ...own
}: TestServiceOptions = {}): Promise<EditWorld> {
  const records = { clients: clientCount, appointments };
  await using stack = new AsyncDisposableStack();
  const service =
    Object.keys(own).length === 0
      ? await openSharedService(records)
      : stack.use(await openTestService({ ...records, ...own }));
  const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner, SALON_DATA_DIR: 'data' };
  const machine = createMachine({ env });
  const client = createClient({
    baseUrl: service.origin,
    credential: { kind: 'bearer', token: service.keys.owner },
  });
  const pathOf = (name: string) => resolve(machine.home, name);
  const write = (name: string, content: string | Uint8Array) => writeFileSync(pathOf(name), content);
  const opened = stack.move();
  const world: EditWorld = {
    service,
    client,
    salon: machine.salon,
    async read(argv, given) {
      const ran = await machine.salon([...argv, '--json'], given);
      if (ran.stdout === '') throw new Error(`${argv.join(' ')} answered nothing: ${ran.stderr}`);
      return JSON.parse(ran.stdout);
    },
    async clients() {
      const all: Client[] = [];
      for await (const { rows } of client.clients.list()) all.push(...(rows as unknown as Client[]));
      return all;
    },
    pathOf,
    write,
    writeSheet(name, rows) {
      const columns = Object.keys(rows[0] ?? {});
      const lines = rows.map((row) =>
        columns.map((column) => toCell(row[column as keyof typeof row])).join(','),
      );
      write(name, [columns.join(','), ...lines, ''].join('\n'));
    },
    readText: (path) => readFileSync(pathOf(path), 'utf8'),
    jobs() {
      const folder = join(machine.home, 'data/jobs');
      return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await opened.disposeAsync();
      machine[Symbol.dispose]();
    },
  };
  return world;
}

function toCell(value: unknown): string {
  return `"${String(value ?? '').replaceAll('"', '""')}"`;
}
