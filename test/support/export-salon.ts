import { readdirSync, readFileSync } from 'node:fs';
import { type ExportServer, type ExportServerOptions, openExportServer } from './export-server.ts';
import { createMachine, type RunOptions, type RunResult } from './io.ts';
import { body } from './misbehaving-server.ts';

/** A machine, and a server whose list it exports. */
export interface ExportSalon extends AsyncDisposable {
  readonly server: ExportServer;
  readonly home: string;
  salon(line: string, world?: RunOptions): Promise<RunResult>;
  read(file: string): string;
  files(): string[];
  jobs(): Promise<ListedJob[]>;
  newestJob(): Promise<ListedJob>;
  /** Every page from this one on fails. */
  failFrom(page: number): void;
  /** Runs an export that fails after `page`, then repairs the server. Returns the job to resume. */
  exportUpTo(page: number, line: string, world?: RunOptions): Promise<string>;
}

interface ListedJob {
  readonly id: string;
  readonly state: string;
}

export async function openExportSalon(options?: ExportServerOptions): Promise<ExportSalon> {
  const machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_API_KEY: 'k' } });
  const server = await openExportServer(options);
  const { home } = machine;

  function salon(line: string, world: RunOptions = {}): Promise<RunResult> {
    const env = { SALON_BASE_URL: server.origin, ...world.env };
    return machine.salon(line.split(' '), { ...world, env });
  }

  function failFrom(page: number): void {
    server.instead = (asked) => (asked >= page ? body('', { status: 500 }) : undefined);
  }

  async function jobs(): Promise<ListedJob[]> {
    return JSON.parse((await salon('jobs list --json')).stdout);
  }

  return {
    server,
    home,
    jobs,
    salon,
    failFrom,
    read: (file) => readFileSync(`${home}/${file}`, 'utf8'),
    files: () => readdirSync(home).sort(),
    async newestJob() {
      const [job] = await jobs();
      if (job === undefined) throw new Error('There is no job.');
      return job;
    },
    async exportUpTo(page, line, world) {
      failFrom(page + 1);
      const { stderr } = await salon(`${line} --retries 0`, world);
      server.instead = () => undefined;
      const [, id] = /Resume with: salon jobs resume ([\w-]+)/.exec(stderr) ?? [];
      if (id === undefined) throw new Error(`No job to resume: ${stderr}`);
      return id;
    },
    async [Symbol.asyncDispose]() {
      machine[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
