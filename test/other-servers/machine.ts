import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMachine, type Machine, type RunResult } from '../support/io.ts';
import type { OtherServer, OtherServerOptions, ServerKind } from '../support/servers/other-server.ts';

/** A machine with a profile for a stub of another server. */
export interface ConnectedMachine extends AsyncDisposable {
  readonly server: OtherServer;
  readonly home: string;
  salon(...argv: string[]): Promise<RunResult>;
}

/** How the runs connect to a kind of server: a dialect as a profile holds it. */
export interface Connection {
  readonly kind: ServerKind;
  readonly dialect: Readonly<Record<string, unknown>>;
}

export async function connect(
  { kind, dialect }: Connection,
  options: OtherServerOptions = {},
): Promise<ConnectedMachine> {
  const server = await kind.open(options);
  const machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
  writeProfile(machine, server.baseUrl, dialect);
  return {
    server,
    home: machine.home,
    salon: (...argv) => machine.salon(argv),
    async [Symbol.asyncDispose]() {
      machine[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

export function writeProfile(
  { home }: Pick<Machine, 'home'>,
  baseUrl: string,
  dialect: Readonly<Record<string, unknown>>,
): void {
  const folder = join(home, 'config');
  mkdirSync(folder, { mode: 0o700 });
  const credential = { key: 'sk_other_servers', origin: new URL(baseUrl).origin };
  // Nothing is repeated and nothing waits: the stubs never fail for a while.
  const profile = { base_url: baseUrl, credential, retries: 0, dialect };
  const text = JSON.stringify({ current: 'other', profiles: { other: profile } });
  writeFileSync(join(folder, 'config.json'), text, { mode: 0o600 });
}
