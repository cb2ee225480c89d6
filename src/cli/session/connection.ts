import { createClient } from '../../client/client.ts';
import { systemClock } from '../../client/deadline.ts';
import type { Dialect } from '../../client/dialect/dialect.ts';
import type { Observe } from '../../client/events.ts';
import type { BeforeWrite } from '../../client/http/api-requester.ts';
import type { KnownSettings } from '../../client/http/settings-version.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import { settingTable } from '../flags/settings.ts';
import { findDataFolder } from '../folders.ts';
import type { Io } from '../io.ts';
import { showCurl } from '../messages/curl-command.ts';
import { explainRefusal } from '../messages/errors.ts';
import { reportEvent } from '../messages/messages.ts';
import { createWaitReport, type StatusLine } from '../messages/status-line.ts';
import { isEmbedded, openEmbedded, openInsideConnection } from './embedded.ts';
import { readNetwork, type SessionContext, toRequestHeaders } from './network.ts';
import type { SavedGrant } from './profile.ts';
import { isApiKey, type OriginBoundKey } from './resolve-settings.ts';
import {
  changeDetectedDialect,
  openRateLedger,
  type RateLedgerOptions,
  readDetectedDialect,
} from './server-state.ts';
import { requireBaseUrl, requireCredential, type Session, toOwner, toServiceOrigin } from './session.ts';

interface SalonConnectionOptions extends SessionContext {
  /** Shows long waits. */
  readonly status?: StatusLine;
  /** Called before each request that writes. Without it the connection is read-only. */
  readonly beforeWrite?: BeforeWrite;
  /** Shows requests as curl commands, and ends with `NotSent` before the first change. */
  readonly showsCurl?: boolean;
  /** Called once it turns out that the salon has other settings than the profile knows: nothing more is sent then. */
  readonly onChanged?: KnownSettings['onChanged'] | undefined;
  /** Whether nobody watches the command: reads wait for a service that is unavailable, as they do with --max-wait. */
  readonly isUnattended?: () => boolean;
  /** Called with every event of the client. */
  readonly observe?: Observe;
}

/** Connects to the session's salon. Opens it first if it is embedded. */
export async function openSalonConnection({
  session,
  io,
  messages,
  status,
  beforeWrite = refuseWrite,
  ignoresInterrupt = false,
  showsCurl = false,
  onChanged,
  isUnattended = () => false,
  observe,
}: SalonConnectionOptions) {
  const baseUrl = requireBaseUrl(session);
  const saved = requireCredential(session);
  const { origin } = saved;
  await using stack = new AsyncDisposableStack();
  const service = isEmbedded(baseUrl)
    ? stack.use(await openEmbedded(baseUrl, io, { isInside: !showsCurl }))
    : undefined;
  if (origin !== undefined && origin !== toServiceOrigin(session))
    throw createForeignKeyError(saved, session);
  const { settings } = session;
  const clock = io.clock ?? systemClock;
  const { variable } = settings.credential ?? {};
  const server = {
    folder: service ? undefined : findDataFolder(io),
    baseUrl,
    configured: await readSessionDialect(session, io),
  };
  const { caFile, clientCert, clientKey } = settings;
  const curlFiles = { '--cacert': caFile?.value, '--cert': clientCert?.value, '--key': clientKey?.value };
  if (showsCurl && service) messages.show(embeddedNote);
  const { authorization } = settings.headers;
  if (authorization !== undefined)
    messages.warn(`The Authorization header from the ${authorization.source} replaces the API key.`);
  const detected: Record<string, unknown> = {};
  const dialect = { ...(session.dialect ? {} : await readDetectedDialect(server)), ...server.configured };
  const reportWait = status && createWaitReport({ status, messages, now: clock.now });
  const client = createClient({
    baseUrl: service?.origin ?? baseUrl,
    connection: service && openInsideConnection(service.connect),
    credential: isApiKey(saved)
      ? { kind: 'bearer', token: saved.key, origin: service?.origin ?? origin, foundIn: variable }
      : (await import('./grant.ts')).createAccessToken({ grant: saved, session, io, messages }),
    dialect,
    // Read only where a server sends times without a zone.
    get timeZone() {
      return settings.timeZone.value;
    },
    retries: settings.retries.source === 'default' ? undefined : settings.retries.value,
    maxWaitMs: settings.maxWait.value,
    get waitsForService() {
      return settings.maxWait.source !== 'default' || isUnattended();
    },
    concurrency: settings.concurrency.value,
    requestsPerHour: settings.rate?.value,
    ledger: service
      ? undefined
      : openLedger({ session, io, messages }, { baseUrl, now: clock.now, declared: dialect.rate }),
    knownSettings: onChanged && { version: toKnownVersion(session), onChanged },
    beforeWrite,
    explain(error) {
      const { timeZone } = settings;
      const isReadable = timeZone.unusable === undefined;
      const style = isReadable && { timeZone: timeZone.value, now: io.now() };
      return nameKeyVariable(style ? explainRefusal(error, style) : error, variable);
    },
    clock,
    ...(await readNetwork({ session, io, ignoresInterrupt })),
    headers: toRequestHeaders(session),
    timings: messages.watchesRequests,
    observe(event) {
      if (showsCurl && event.type === 'request') showCurl(event, curlFiles, messages.show);
      if (event.type === 'learned') detected[event.part] = event.value;
      reportEvent(event, messages);
      observe?.(event);
      reportWait?.(event);
    },
  });
  stack.use(client);
  // So that the next command need not detect it again.
  stack.defer(async () => {
    if (Object.keys(detected).length > 0)
      await changeDetectedDialect(server, (before) => ({ ...before, ...detected }));
  });
  const resources = stack.move();
  return { client, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** Undefined for a key of the environment, whose salon each command asks. */
function toKnownVersion({ settings, profile }: Session): string | undefined {
  return settings.credential?.source === 'profile' ? (profile?.salon?.version ?? 'none') : undefined;
}

const embeddedNote = '# This address works while this command runs. To keep a salon open: salon server start';

/** The configured part of the server's dialect; empty for an embedded salon, which follows the contract. */
async function readSessionDialect(
  { profile, settings, dialect, env }: Session,
  io: Io,
): Promise<Partial<Dialect>> {
  if (dialect !== undefined) return dialect;
  const isConfigured =
    profile?.dialect !== undefined ||
    Object.keys(env).some((name) => name.startsWith(settingTable.dialect.variable));
  if (!isConfigured || isEmbedded(settings.baseUrl?.value ?? '')) return {};
  const { readConfiguredDialect } = await import('./change-setting.ts');
  return (await readConfiguredDialect(io, env, profile?.dialect)).members;
}

/** Opens the rate ledger that all processes on this machine share for the account. */
function openLedger(
  { session, io, messages }: SessionContext,
  { baseUrl, ...counting }: Pick<RateLedgerOptions, 'now' | 'declared'> & { readonly baseUrl: string },
) {
  const folder = findDataFolder(io);
  if (folder === undefined) {
    messages.warn(
      'The rate limit is not shared with other processes: HOME is not set, nor is SALON_DATA_DIR.',
    );
    return undefined;
  }
  const { settings } = session;
  return openRateLedger({
    folder,
    origin: URL.parse(baseUrl)?.origin ?? baseUrl,
    owner: toOwner(session),
    name: Buffer.from(io.random(8)).toString('hex'),
    perHour: settings.rate?.value,
    ...counting,
    warn: messages.warn,
  });
}

function refuseWrite({ method, path }: Parameters<BeforeWrite>[0]): never {
  throw new SalonError('bug', `${method} ${path} was not sent: this connection is read-only.`);
}

/** A refused key may be another one than that of the profile. */
function nameKeyVariable(error: SalonError, variable: string | undefined): SalonError {
  if (error.status !== 401 || variable === undefined) return error;
  return withContext(error, {
    hint: `The key comes from ${variable}, which wins over a stored sign-in. Correct it, or unset it.`,
  });
}

function createForeignKeyError(saved: OriginBoundKey | SavedGrant, { settings }: Session): SalonError {
  const { value: baseUrl = '', variable } = settings.baseUrl ?? {};
  const what = `The saved ${isApiKey(saved) ? 'API key' : 'sign-in'} belongs to ${saved.origin}, not to ${baseUrl}`;
  return new SalonError('not_signed_in', `${what}${variable ? `, which ${variable} names` : ''}.`, {
    hint: `${variable ? `Unset ${variable}, or sign in` : 'Sign in'} there: salon auth login --base-url ${baseUrl}`,
  });
}
