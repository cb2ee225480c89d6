import { readFileSync, writeFileSync } from 'node:fs';
import { openCountingGateway } from './counting-gateway.ts';
import { createMachine, type RunOptions, type RunResult } from './io.ts';
import { openSharedService } from './service.ts';

/** A machine that exports what has changed in a salon again and again, in a folder of its own. */
export interface ChangedSalon extends AsyncDisposable {
  readonly account: Awaited<ReturnType<typeof openSharedService>>;
  /** Requests since the start of the last command. */
  readonly requests: () => number;
  /** The requests of a command, counted from 1, that are lost from this one on. */
  losesFrom: number;
  salon(line: string, options?: RunOptions): Promise<RunResult>;
  read(file: string): string;
  /** The rows of a file of JSON lines. */
  readRows(file: string): Record<string, unknown>[];
  write(file: string, text: string): void;
  readState(): Record<string, unknown>;
}

export async function openChangedSalon(
  records: Parameters<typeof openSharedService>[0] = {},
): Promise<ChangedSalon> {
  const account = await openSharedService(records);
  let requests = 0;
  const gateway = await openCountingGateway(account.origin, {
    fateOf: () => {
      requests += 1;
      return requests >= world.losesFrom ? 'lost' : 'passed';
    },
  });
  const env = {
    ...{ SALON_BASE_URL: gateway.origin, SALON_API_KEY: account.keys.owner },
    SALON_DATA_DIR: 'data',
  };
  const machine = createMachine({ env });
  const read = (file: string) => readFileSync(`${machine.home}/${file}`, 'utf8');
  const world: ChangedSalon = {
    account,
    requests: () => requests,
    losesFrom: Number.POSITIVE_INFINITY,
    salon(line, options) {
      requests = 0;
      return machine.salon(line.split(' '), options);
    },
    read,
    readRows: (file) =>
      read(file)
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    write: (file, text) => writeFileSync(`${machine.home}/${file}`, text),
    readState: () => JSON.parse(read('state.json')),
    async [Symbol.asyncDispose]() {
      machine[Symbol.dispose]();
      await gateway[Symbol.asyncDispose]();
    },
  };
  return world;
}
