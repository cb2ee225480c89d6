import { SalonError } from '../../contract/errors.ts';
import { saveLastUsed } from '../db/identity/api-keys.ts';
import { recordRefusedCaller } from '../domain/audit-access.ts';
import type { Caller, Context, Environment, RequestSource } from '../domain/context.ts';
import { type KnownCredential, readCredential } from './read-credential.ts';

/** A use of a credential. */
interface Use {
  readonly source: RequestSource;
  readonly onRefused: ((caller: Caller) => void) | undefined;
}

/** Credentials kept at most. */
const maxKept = 1000;

/** Keeps valid credentials until any process writes to the database, so that a revoked one is refused at once. */
export function openCredentials(
  context: Pick<Context, 'database' | 'environment'>,
  options: KeyUseOptions = {},
) {
  const { database, environment } = context;
  const uses = openLastUsedTracker(context, options);
  const recordRefusal = createRefusalRecorder(context);
  const kept = new Map<string, KnownCredential>();
  let version: number | undefined;

  function findKept(text: string): KnownCredential | undefined {
    const current = database.readDataVersion();
    if (current !== version || kept.size >= maxKept) {
      kept.clear();
      version = current;
    }
    const known = kept.get(text);
    return known === undefined || isExpired(known.caller, environment.now) ? undefined : known;
  }

  async function find(text: string): Promise<KnownCredential> {
    const current = database.readDataVersion();
    const credential = await readCredential(context, text);
    // A commit during the read may have changed the credential.
    if (database.readDataVersion() === current && credential.refusal === undefined)
      kept.set(text, credential);
    return credential;
  }

  function admit({ caller, allows, refusal }: KnownCredential, { source, onRefused }: Use) {
    const reason = refusal ?? findAddressRefusal(allows, source.address);
    if (reason !== undefined) return refuse(reason, caller, { source, onRefused });
    if (caller.credential.kind === 'api_key') uses.note(caller.credential.id);
    return caller;
  }

  async function refuse(reason: SalonError, caller: Caller, { source, onRefused }: Use): Promise<never> {
    onRefused?.(caller);
    await recordRefusal(caller, source, reason.code);
    throw reason;
  }

  return {
    /**
     * The caller with an API key or access token, at once where nothing needs to be read. Throws `invalid_token` and
     * `address_not_allowed`; where the credential is known, `onRefused` gets its caller first.
     */
    read(
      text: string,
      source: RequestSource,
      onRefused?: (caller: Caller) => void,
    ): Caller | Promise<Caller> {
      const known = findKept(text);
      const use = { source, onRefused };
      return known === undefined ? find(text).then((found) => admit(found, use)) : admit(known, use);
    },
    /** Saves when keys were last used. */
    close: uses.close,
  };
}

/** Reads the credentials of requests. */
export type Credentials = ReturnType<typeof openCredentials>;

function findAddressRefusal(
  allows: KnownCredential['allows'],
  address: string | null,
): SalonError | undefined {
  if (allows === undefined || (address !== null && allows(address))) return undefined;
  const from = address ?? 'an unknown address';
  return new SalonError('address_not_allowed', `This API key may not be used from ${from}.`);
}

function isExpired({ credential }: Caller, now: Environment['now']): boolean {
  const expiresAt = 'expiresAt' in credential ? credential.expiresAt : null;
  return expiresAt !== null && expiresAt <= now();
}

/** Refusals remembered at most. */
const maxRemembered = 1000;
const repeatMs = 3_600_000;

/** Records refused credentials. A program that keeps trying with one costs no query for each request. */
function createRefusalRecorder({ database, environment }: Pick<Context, 'database' | 'environment'>) {
  const recorded = new Map<string, number>();
  return async (caller: Caller, source: RequestSource, code: string): Promise<void> => {
    const { credential } = caller;
    const name = JSON.stringify(['id' in credential && credential.id, code, source.address]);
    const nowMs = environment.now().getTime();
    const lastMs = recorded.get(name);
    if (lastMs !== undefined && nowMs >= lastMs && nowMs - lastMs < repeatMs) return;
    await recordRefusedCaller({ database, environment, source, caller }, { operation: 'authenticate', code });
    if (recorded.size >= maxRemembered) recorded.clear();
    recorded.set(name, nowMs);
  };
}

interface KeyUseOptions {
  /** One write for all keys and all requests of this time; 10 s. */
  readonly saveDelayMs?: number;
}

/** Saves from time to time when API keys were used. A process that crashes loses the uses of the last seconds. */
function openLastUsedTracker(
  { database, environment }: Pick<Context, 'database' | 'environment'>,
  { saveDelayMs = 10_000 }: KeyUseOptions,
) {
  let uses = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function save(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const noted = uses;
    uses = new Map();
    if (noted.size > 0) await database.transaction('rows', (tx) => saveLastUsed(tx, noted));
  }

  return {
    note(id: string) {
      uses.set(id, environment.now().getTime());
      // A busy or full database must not end the service; the next use is saved again.
      timer ??= setTimeout(() => save().catch(() => {}), saveDelayMs).unref();
    },
    /** Saves what is not saved yet. */
    close: save,
  };
}
