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

/** How the runs connect to a kind of server: a dialect as a profile holds it, or the flags of a sign-in. */
export interface Connection {
  readonly kind: ServerKind;
  /** Options of every server that the runs start. */
  readonly server?: OtherServerOptions;
  readonly via:
    | { readonly dialect: Readonly<Record<string, unknown>> }
    | { readonly login: readonly string[] };
}

/** Throws a refused sign-in as its result. */
export async function connect(
  { kind, via, server: always }: Connection,
  options: OtherServerOptions = {},
): Promise<ConnectedMachine> {
  const server = await kind.open({ ...options, ...always });
  const machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
  if ('dialect' in via) writeProfile(machine, server.baseUrl, via.dialect);
  else await signIn(machine, server.baseUrl, via.login);
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

async function signIn(machine: Machine, baseUrl: string, flags: readonly string[]): Promise<void> {
  const argv = ['auth', 'login', '--base-url', baseUrl, '--set', 'retries=0', ...flags];
  const ran = await machine.salon(argv, { stdin: 'sk_other_servers' });
  if (ran.exitCode !== 0) throw new RefusedSignIn(ran);
}

/** A sign-in that failed, so that nothing else can be done. */
export class RefusedSignIn extends Error {
  readonly ran: RunResult;

  constructor(ran: RunResult) {
    super(ran.stderr);
    this.ran = ran;
  }
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
