import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMachine, type Machine, type RunResult } from '../support/io.ts';
import type { Row } from '../support/servers/client-store.ts';
import type { FieldsInUse, OtherServer, OtherServerOptions } from '../support/servers/other-server.ts';

/** What the runs need of a server: a stub, or real software. */
export interface OperatedServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Flags of its sign-in, besides those of the connection. */
  readonly login?: readonly string[];
  /** Its records, clients by default, in the order of the list without a sort. */
  all(noun?: string): readonly Row[] | Promise<readonly Row[]>;
}

export interface OperatedKind<Server extends OperatedServer = OperatedServer> {
  readonly name: string;
  readonly fields: FieldsInUse;
  readonly toOwn?: (printed: Row) => Row;
  open(options?: OtherServerOptions): Promise<Server>;
}

/** A machine with a profile for another server. */
export interface ConnectedMachine<Server extends OperatedServer = OtherServer> extends AsyncDisposable {
  readonly server: Server;
  /** A printed record under the server's names. */
  toOwn(printed: Row): Row;
  readonly home: string;
  all(noun?: string): Promise<readonly Row[]>;
  salon(...argv: string[]): Promise<RunResult>;
}

/** How the runs connect to a kind of server: a dialect as a profile holds it, or the flags of a sign-in. */
export interface Connection<Server extends OperatedServer = OtherServer> {
  readonly kind: OperatedKind<Server>;
  /** Options of every server that the runs start. */
  readonly server?: OtherServerOptions;
  readonly via:
    | { readonly dialect: Readonly<Record<string, unknown>> }
    | { readonly login: readonly string[] };
}

/** A connection to a stub or to real software, and a machine for it. */
export type AnyConnection = Connection<OperatedServer>;
export type AnyMachine = ConnectedMachine<OperatedServer>;

/** Throws a refused sign-in as its result. */
export async function connect<Server extends OperatedServer = OtherServer>(
  { kind, via, server: always }: Connection<Server>,
  options: OtherServerOptions = {},
): Promise<ConnectedMachine<Server>> {
  const server = await kind.open({ ...options, ...always });
  const machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
  if ('dialect' in via) writeProfile(machine, server.baseUrl, via.dialect);
  else await signIn(machine, server.baseUrl, [...via.login, ...(server.login ?? [])]);
  return {
    server,
    toOwn: kind.toOwn ?? ((printed) => printed),
    home: machine.home,
    all: async (noun) => server.all(noun),
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
