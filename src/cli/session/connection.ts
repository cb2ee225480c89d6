import type { SalonClient } from '../../client/client.ts';
import type { BeforeWrite } from '../../client/http/api-requester.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';
import type { Messages } from '../messages/messages.ts';
import { reportEvent, showWaiting } from '../messages/report-event.ts';
import type { StatusLine } from '../messages/status-line.ts';
import { version } from '../version.ts';
import { isEmbedded, openEmbedded } from './embedded.ts';
import { paceFolder } from './folders.ts';
import type { ProfileStore } from './profiles.ts';
import { readProxyRoute } from './proxy-route.ts';
import { requireBaseUrl, type Session } from './session.ts';
import type { Credential } from './settings.ts';
import { spareMemory } from './spare-memory.ts';

/** A client for one invocation, and what has to be closed after it. */
export interface Connection extends AsyncDisposable {
  readonly client: SalonClient;
}

export interface ConnectionSources {
  readonly session: Session;
  readonly io: Io;
  readonly messages: Messages;
  /** Where a person sees what is waited for; left out, nowhere. */
  readonly status?: StatusLine;
  /** Asked before each request that writes; left out, the connection is one to read with. */
  readonly beforeWrite?: BeforeWrite;
  /** Whether it goes on sending after an interrupt, for a command that has something to put away then. */
  readonly outlivesInterrupt?: boolean;
  /** Where what is learned of a server is remembered; left out, it is not. */
  readonly profiles?: () => Promise<ProfileStore>;
}

/** Connects to the session's salon, opening it first when it is embedded. */
export async function openConnection({
  session,
  io,
  messages,
  status,
  beforeWrite = refuseWrite,
  outlivesInterrupt = false,
  profiles,
}: ConnectionSources): Promise<Connection> {
  const asked = requireBaseUrl(session);
  const { key, origin } = requireCredential(session);
  await using stack = new AsyncDisposableStack();
  const service = isEmbedded(asked) ? stack.use(await openEmbedded(asked, io)) : undefined;
  if (service && origin !== undefined && origin !== asked) throw foreignKey(origin, asked);
  const [{ createClient }, { systemClock }] = await loadClient();
  stack.use(spareMemory());
  const boundTo = service?.origin ?? origin;
  const { settings, profile } = session;
  const learned: Record<string, unknown> = {};
  const client = createClient({
    baseUrl: service?.origin ?? asked,
    credential: { kind: 'bearer', token: key, ...(boundTo === undefined ? {} : { origin: boundTo }) },
    dialect: profile?.dialect ?? {},
    timeoutMs: settings.timeoutMs.value,
    retries: settings.retries.value,
    maxWaitMs: settings.maxWaitMs.value,
    concurrency: settings.concurrency.value,
    requestsPerHour: settings.ratePerHour?.value,
    ledger: service ? undefined : await openLedger({ session, io, messages }, asked, systemClock.now),
    beforeWrite,
    clock: systemClock,
    signal: outlivesInterrupt ? undefined : io.signal,
    userAgent: `salon/${version}`,
    proxy: readProxyRoute(io.env),
    observe(event) {
      if (event.type === 'learned') learned[event.part] = event.value;
      reportEvent(event, messages);
      if (status) showWaiting(event, status, systemClock.now);
    },
  });
  stack.use(client);
  if (profiles) stack.defer(() => remember(learned, session, profiles));
  const opened = stack.move();
  return { client, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

function loadClient() {
  return Promise.all([import('../../client/client.ts'), import('../../client/clock.ts')]);
}

/** The ledger that every process on this machine shares for the account. */
async function openLedger({ session, io, messages }: ConnectionSources, baseUrl: string, now: () => number) {
  const { openRateLedger } = await import('./rate-ledger.ts');
  const { settings, profile } = session;
  const isOfProfile = settings.credential?.source === 'profile';
  return openRateLedger({
    folder: paceFolder(io),
    origin: URL.parse(baseUrl)?.origin ?? baseUrl,
    owner: (isOfProfile ? profile?.account?.id : undefined) ?? requireCredential(session).key,
    name: Buffer.from(io.random(8)).toString('hex'),
    perHour: settings.ratePerHour?.value,
    now,
    explain: messages.verbose,
  });
}

function refuseWrite({ method, path }: Parameters<BeforeWrite>[0]): never {
  throw new SalonError('bug', `${method} ${path} was not sent: this connection only reads.`);
}

function requireCredential(session: Session): Credential {
  const setting = session.settings.credential;
  if (setting) return setting.value;
  throw new SalonError('not_signed_in', 'There is no key for this salon.', {
    hint: 'Sign in with "salon auth login", or set SALON_API_KEY.',
  });
}

function foreignKey(stored: string, asked: string): SalonError {
  return new SalonError('not_signed_in', `The stored key is for ${stored} and is not sent to ${asked}.`, {
    hint: `Sign in there with: salon auth login --base-url ${asked}`,
  });
}

/** What a server showed of its dialect saves the next call a request. */
async function remember(
  learned: Readonly<Record<string, unknown>>,
  { profileName, profile, settings }: Session,
  profiles: () => Promise<ProfileStore>,
): Promise<void> {
  if (profileName === undefined || profile === undefined || Object.keys(learned).length === 0) return;
  if (settings.baseUrl?.source !== 'profile') return;
  const store = await profiles();
  store.save(profileName, { ...profile, dialect: { ...profile.dialect, ...learned } });
}
