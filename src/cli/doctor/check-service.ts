import type { SalonClient } from '../../client/client.ts';
import { contractDialect, type Dialect, pagingParts } from '../../client/dialect/dialect.ts';
import { omitUsual } from '../../client/dialect/presets.ts';
import type { ClientEvent } from '../../client/events.ts';
import { parseBaseUrl } from '../../client/http/request-path.ts';
import type { RecognisedCollection } from '../../client/recognise/recognise-server.ts';
import { toSettingName } from '../../settings.ts';
import { tryParseJson } from '../../text/json.ts';
import { renderCount } from '../../text/numbers.ts';
import { findFirstDifference, listClockRules, parseClockRules } from '../../time/clock-rules.ts';
import type { Io } from '../io.ts';
import { type Account, readAccount } from '../session/account.ts';
import type { CommandContext } from '../session/command-context.ts';
import { openSalonConnection } from '../session/connection.ts';
import { isEmbedded } from '../session/embedded.ts';
import { describeDifference, readKnownSalon, renderTz } from '../session/known-salon.ts';
import type { KnownSalon } from '../session/profile.ts';
import type { Settings } from '../session/resolve-settings.ts';
import type { Session } from '../session/session.ts';
import { attempt, type Check, passed, skipped, warned } from './check-result.ts';

/** Larger differences confuse lists by time, and webhook signatures are rejected from five minutes on. */
const maxSkewMs = 30_000;

/** What the server says: where its API is, its clock, and what the key may do. Sends GET requests only. */
export async function* checkService(
  session: Session,
  { io, messages, startAgain }: Pick<CommandContext, 'io' | 'messages' | 'startAgain'>,
): AsyncGenerator<Check> {
  let clock: Check | undefined;
  let problem = 'was not asked';
  const observe = (event: ClientEvent) => {
    if (event.type === 'request') problem = 'did not answer';
    if (event.type !== 'response') return;
    problem = event.status < 400 ? 'answered something else' : 'refused the request';
    clock = compareClocks(event.headers()['date'], io.now()) ?? clock;
  };
  const none = { value: 0, source: 'default' } as const;
  // A check that waits or tries again would hide what it looks for.
  const settings: Settings = { ...session.settings, retries: none, maxWait: none };
  let client: SalonClient | undefined;
  const { value: baseUrl = '' } = session.settings.baseUrl ?? {};
  const root = isEmbedded(baseUrl) ? '' : parseBaseUrl(baseUrl).root;
  await using stack = new AsyncDisposableStack();
  const service = await attempt('service', async () => {
    const checked = { ...session, settings };
    ({ client } = stack.use(
      await openSalonConnection({ session: checked, io, messages, observe, onChanged: startAgain(session) }),
    ));
    for await (const _page of client.clients.list({}, { limit: 1 })) break;
    return describeServer(client, root);
  });
  const isKeyProblem = service.status === 'problem' && [4, 10].includes(service.exitCode ?? 0);
  yield isKeyProblem && client !== undefined ? describeServer(client, root) : service;
  const failure = service.status === 'problem' ? problem : undefined;
  const lists = failure || client === undefined ? undefined : await checkLists(client, root);
  if (lists !== undefined) yield lists;
  yield clock ?? skipped('clock', `Not checked: the server ${failure ?? 'sends no date'}`);
  if (client === undefined || isKeyProblem || failure)
    yield skipped('zone', `Not checked: the server ${failure}`);
  else {
    const opened = client;
    yield await attempt('zone', async () => compareClockRules(await readKnownSalon(opened), io));
  }
  if (isKeyProblem) yield { ...service, check: 'key' };
  else if (service.status === 'problem') yield skipped('key', `Not checked: the server ${failure}`);
  else yield await attempt('key', async () => describeAccount(client && (await readAccount(client))));
  const limits = client && describeLimits(client, session.settings.timeZone);
  yield limits ?? skipped('limits', `Not checked: the server ${failure ?? 'reports no rate limit'}`);
}

/** Parts of a dialect that are no difference to our service, or shown in the address. */
const unremarkable: readonly (keyof Dialect)[] = ['prefix', 'idempotencyKeys'];

function describeServer(client: SalonClient, root: string): Check {
  const dialect = { ...contractDialect, ...client.knownDialect() };
  const differences = omitUsual(dialect, contractDialect);
  const differing = (Object.keys(differences) as (keyof Dialect)[]).filter(
    (part) => !unremarkable.includes(part),
  );
  const names = differing.map(toSettingName).join(', ');
  const shown = names === '' ? '' : `; not as documented: ${names}`;
  const details = { prefix: dialect.prefix, differs_in: differing };
  return passed('service', `Answers at ${client.origin}${root}${dialect.prefix}${shown}`, details);
}

/**
 * Whether the lists of a server of another kind are still paged and filtered as its dialect declares: finds out again, and stores
 * nothing. Undefined for the documented API.
 */
async function checkLists(client: SalonClient, root: string): Promise<Check | undefined> {
  if (!client.isForeign) return undefined;
  return attempt('lists', async () => {
    const { recogniseServer } = await import('../../client/recognise/recognise-server.ts');
    const found = await recogniseServer(client, { root, known: client.dialect() });
    const collections = found?.collections ?? [];
    const differing = collections.flatMap((one) => {
      const declared = client.dialect(one.plural);
      return [...findOtherPaging(one, declared), ...findOtherFilters(one, declared)];
    });
    const filters = collections
      .map(({ plural, filters }) => [plural, filters?.served ?? []] as const)
      .filter(([, served]) => served.length > 0);
    const shown = filters.map(([plural, served]) => `${plural} by ${served.join(', ')}`).join('; ');
    const details = { differing, filters: Object.fromEntries(filters) };
    if (differing.length === 0) {
      const filtered = shown === '' ? '' : `, and it filters ${shown}`;
      return passed('lists', `Its lists are paged as the dialect says${filtered}`, details);
    }
    const message = `Its lists differ from the dialect: ${differing.join('; ')}`;
    return warned('lists', message, {
      hint: 'If that is right: salon profiles detect',
      details,
    });
  });
}

/** Filters that the dialect declares; one that it leaves to us needs no more of the server. */
function findOtherFilters(
  { plural, filters }: RecognisedCollection,
  { filterNames, filterStyle }: Dialect,
): readonly string[] {
  return Object.entries(filters?.names ?? {}).flatMap(([filter, parameter]) => {
    const own = filterNames[filter] ?? (filter in filterNames ? null : filterStyle);
    if (own === null || own === 'plain' || own === parameter) return [];
    return [`filter ${filter} of ${plural} is ${parameter ?? 'none'}, not ${own}`];
  });
}

function findOtherPaging({ plural, found }: RecognisedCollection, declared: Dialect): readonly string[] {
  if (found.kind === 'unclear')
    return ['none', 'unknown', 'link'].includes(declared.paging)
      ? []
      : [`nothing shows that ${plural} are paged by ${declared.paging}`];
  if (found.kind !== 'recognised') return [];
  const { list } = found;
  // Links are followed in every style.
  if (list.paging === undefined || list.paging === 'unknown' || list.paging === 'link') return [];
  return pagingParts.flatMap((part) => {
    if (!(part in list) || list[part] === declared[part]) return [];
    return [
      `${toSettingName(part)} of ${plural} is ${list[part] ?? 'none'}, not ${declared[part] ?? 'none'}`,
    ];
  });
}

function describeAccount(account: Account | undefined): Check {
  if (account === undefined) return skipped('key', 'Not checked: this server reports no account and role');
  const { id, name, plan, role } = account;
  const details = { account_id: id, account: name, plan, role };
  return passed('key', `Accepted as ${role} of ${name} (${plan})`, details);
}

function compareClocks(date: string | undefined, now: Date): Check | undefined {
  const serverMs = Date.parse(date ?? '');
  if (Number.isNaN(serverMs)) return undefined;
  // The header has whole seconds.
  const skewMs = now.getTime() - serverMs;
  const details = { skew_ms: skewMs };
  if (Math.abs(skewMs) <= maxSkewMs)
    return passed('clock', 'This machine and the server agree on the time', details);
  const amount = `${renderCount(Math.round(Math.abs(skewMs) / 1000))} s ${skewMs > 0 ? 'ahead of' : 'behind'}`;
  return warned('clock', `The clock of this machine is ${amount} the server`, {
    hint: 'Set the clock, for example with an NTP service. Webhook signatures are rejected from 5 minutes on.',
    details,
  });
}

/** Whether the service and this machine make the same of local times: tz releases change zones several times a year. */
function compareClockRules(salon: KnownSalon | undefined, { now, tzVersion }: Io): Check {
  const { time_zone: timeZone, clock } = salon ?? {};
  if (timeZone === undefined) return skipped('zone', 'Not checked: the server names no time zone');
  if (clock === undefined)
    return skipped('zone', `Not checked: the server does not say its rules of ${timeZone}`);
  const theirs = parseClockRules(tryParseJson(clock));
  const own = listClockRules(timeZone, { nowMs: now().getTime(), tzVersion });
  const details = { time_zone: timeZone, tz: tzVersion ?? null, server_tz: theirs?.tz_version ?? null };
  const hint = 'Use the newest Node on both sides. What is stored is in UTC; see docs/hosting.md.';
  if (theirs === undefined)
    return warned('zone', `The server's clock rules of ${timeZone} cannot be read`, { hint, details });
  const versions = `${renderTz(own)} here, ${renderTz(theirs)} on the server`;
  const without = [own, theirs].findIndex(({ offsets }) => offsets.length === 0);
  if (without >= 0) {
    const side = ['This machine', 'The server'][without];
    return warned('zone', `${side} does not know ${timeZone}: ${versions}`, { hint, details });
  }
  const difference = findFirstDifference(timeZone, { own, theirs });
  if (difference === undefined) return passed('zone', `${timeZone} has the same rules: ${versions}`, details);
  const message = describeDifference(difference, { timeZone, own, theirs });
  return warned('zone', message, { hint, details });
}

function describeLimits(client: SalonClient, zone: Settings['timeZone']): Check | undefined {
  const { limit, remaining, resetAtMs } = client.limits() ?? {};
  if (remaining === undefined) return undefined;
  const reset = resetAtMs === undefined ? undefined : new Date(resetAtMs);
  const details = { limit: limit ?? null, remaining, resets_at: reset?.toISOString() ?? null };
  const timeZone = zone.unusable === undefined ? zone.value : undefined;
  const time =
    timeZone && reset?.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  const all = limit === undefined ? '' : ` of ${renderCount(limit)}`;
  const until = time === undefined ? '' : ` until ${time}`;
  const text = `${renderCount(remaining)}${all} requests left${until}`;
  if (limit === undefined || remaining > limit / 20) return passed('limits', text, details);
  return warned('limits', text, { hint: 'Wait for the reset, or use --rate for long exports.', details });
}
