import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Conf, { type Schema } from 'conf';
import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';
import { configFolder } from './folders.ts';

/** What is remembered of one account on one service. */
export interface Profile {
  readonly base_url: string;
  /** The key, and the origin it was given for: it is sent nowhere else. */
  readonly credential?: { readonly key: string; readonly origin: string };
  /** Who the key belongs to, as the service said at sign-in. */
  readonly account?: {
    readonly id: string;
    readonly name: string;
    readonly plan: string;
    readonly role: string;
  };
  /** Whether every write wants the account named. */
  readonly protected?: boolean;
  /** Whether nothing that writes is sent. */
  readonly read_only?: boolean;
  /** Whether a screen reader reads what people are shown. */
  readonly plain?: boolean;
  readonly time_zone?: string;
  readonly format?: string;
  readonly timeout?: string;
  readonly retries?: number;
  readonly max_wait?: string;
  readonly rate?: string;
  readonly concurrency?: number;
  /** How this server differs from the contract: given by hand, or learned from its answers. */
  readonly dialect?: Readonly<Record<string, unknown>>;
}

/** The profiles of one person on one machine. Every change is written at once, whole or not at all. */
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
        dialect: { type: 'object' },
      },
    },
  },
};

const profileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Opens the profile file, which only its owner may read. Nothing is created before the first change.
 * Throws `usage` when the file cannot be trusted or understood.
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
      const { [name]: _removed, ...kept } = all();
      change((open) => open.set('profiles', kept));
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

/** A key that others on the machine could have read is not used until its owner has looked at it. */
function assertPrivate(path: string, platform: NodeJS.Platform): void {
  if (platform === 'win32' || !existsSync(path)) return;
  const mode = attempt(path, () => statSync(path).mode) & 0o777;
  if ((mode & 0o077) === 0) return;
  throw new SalonError(
    'usage',
    `${path} can be read by others (mode ${mode.toString(8)}), and it holds keys.`,
    {
      hint: `Close it with: chmod 600 ${path}`,
    },
  );
}

function assertProfileName(name: string): void {
  if (profileName.test(name)) return;
  throw new SalonError('usage', `"${name}" cannot name a profile.`, {
    hint: 'Use letters, digits, dots, dashes and underscores, 64 at most.',
  });
}

function attempt<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    if (cause instanceof SalonError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SalonError('usage', `The profiles in ${path} cannot be used: ${reason}`, {
      hint: 'Correct the file, or move it away and sign in again.',
      cause,
    });
  }
}
