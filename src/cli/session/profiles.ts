import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Conf, { type Schema } from 'conf';
import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';
import { configFolder } from './folders.ts';

/** One account on one service, as saved in the profile file. */
export interface Profile {
  readonly base_url: string;
  /** The API key, and the only origin it is sent to. */
  readonly credential?: { readonly key: string; readonly origin: string };
  /** The key's account, read at sign-in. */
  readonly account?: {
    readonly id: string;
    readonly name: string;
    readonly plan: string;
    readonly role: string;
  };
  /** Whether every write must be confirmed with the name of the account. */
  readonly protected?: boolean;
  /** Whether writes are refused. */
  readonly read_only?: boolean;
  /** Whether output is for a screen reader. */
  readonly plain?: boolean;
  readonly time_zone?: string;
  readonly format?: string;
  readonly timeout?: string;
  readonly retries?: number;
  readonly max_wait?: string;
  readonly rate?: string;
  readonly concurrency?: number;
  /** PEM files, with their full paths. */
  readonly ca_file?: string;
  readonly client_cert?: string;
  readonly client_key?: string;
  /** Sent with every request. Their values are secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How this server differs from the contract: configured or detected. */
  readonly dialect?: Readonly<Record<string, unknown>>;
}

/** The profile file. Every change is written at once, atomically. */
export interface ProfileStore {
  readonly path: string;
  all(): Readonly<Record<string, Profile>>;
  find(name: string): Profile | undefined;
  save(name: string, profile: Profile): void;
  remove(name: string): void;
  currentName(): string | undefined;
  use(name: string): void;
}

interface Stored {
  current?: string;
  profiles?: Record<string, Profile>;
}

const text = { type: 'string', minLength: 1 } as const;
const schema: Schema<Stored> = {
  current: text,
  profiles: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      required: ['base_url'],
      additionalProperties: false,
      properties: {
        base_url: text,
        credential: { type: 'object', required: ['key', 'origin'], properties: { key: text, origin: text } },
        account: {
          type: 'object',
          required: ['id', 'name', 'plan', 'role'],
          properties: { id: text, name: { type: 'string' }, plan: text, role: text },
        },
        protected: { type: 'boolean' },
        read_only: { type: 'boolean' },
        plain: { type: 'boolean' },
        time_zone: text,
        format: text,
        timeout: text,
        retries: { type: 'integer', minimum: 0 },
        max_wait: text,
        rate: text,
        concurrency: { type: 'integer', minimum: 1 },
        ca_file: text,
        client_cert: text,
        client_key: text,
        headers: { type: 'object', additionalProperties: { type: 'string' } },
        dialect: { type: 'object' },
      },
    },
  },
};

const profileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Opens the profile file; creates it at the first change. Throws `usage` when other users can read it or it cannot be
 * parsed.
 */
export function openProfileStore(io: Pick<Io, 'env' | 'homeFolder' | 'platform' | 'cwd'>): ProfileStore {
  const folder = configFolder(io);
  const path = join(folder, 'config.json');
  assertPrivate(path, io.platform);
  let conf = existsSync(path) ? attempt(path, () => openConf(folder)) : undefined;
  const change = (act: (conf: Conf<Stored>) => void) =>
    attempt(path, () => {
      conf ??= openConf(folder);
      act(conf);
    });
  const all = () => conf?.get('profiles') ?? {};
  return {
    path,
    all,
    find: (name) => (Object.hasOwn(all(), name) ? all()[name] : undefined),
    save(name, profile) {
      assertProfileName(name);
      change((open) => open.set('profiles', { ...all(), [name]: profile }));
    },
    remove(name) {
      const { [name]: _removed, ...others } = all();
      change((open) => open.set('profiles', others));
      if (conf?.get('current') === name) change((open) => open.delete('current'));
    },
    currentName: () => conf?.get('current'),
    use: (name) => change((open) => open.set('current', name)),
  };
}

function openConf(folder: string): Conf<Stored> {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  else if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return new Conf<Stored>({
    cwd: folder,
    configName: 'config',
    schema,
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
  });
}

/** A key that other users could have read is not used. */
function assertPrivate(path: string, platform: NodeJS.Platform): void {
  if (platform === 'win32' || !existsSync(path)) return;
  const mode = attempt(path, () => statSync(path).mode) & 0o777;
  if ((mode & 0o077) === 0) return;
  throw new SalonError(
    'usage',
    `${path} contains API keys and other users can read it (mode ${mode.toString(8)}).`,
    {
      hint: `Run: chmod 600 ${path}`,
    },
  );
}

function assertProfileName(name: string): void {
  if (profileName.test(name)) return;
  throw new SalonError('usage', `"${name}" is not a valid profile name.`, {
    hint: 'Use up to 64 letters, digits, dots, dashes and underscores.',
  });
}

function attempt<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    if (cause instanceof SalonError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SalonError('usage', `Cannot use the profiles in ${path}: ${reason}`, {
      hint: 'Fix the file, or move it away and sign in again.',
      cause,
    });
  }
}
