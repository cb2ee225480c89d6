import { hash } from 'node:crypto';
import { findCurrencyProblem } from '../../contract/currencies.ts';
import type { BodyOf } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { normaliseHours, normalisePhone } from '../../contract/formats.ts';
import type { Salon, SalonSettings } from '../../contract/salon.ts';
import { listClockRules } from '../../time/clock-rules.ts';
import type { Reader } from '../db/engine.ts';
import { readSalon, saveSalonSettings } from '../db/identity/accounts.ts';
import { hasPrice } from '../db/records/records.ts';
import { authorize } from './authorization.ts';
import type { Context, Environment } from './context.ts';
import { recordChangeWithoutEvent } from './events.ts';
import { assertIfMatch, isUnchanged, nextUpdatedAt, notFound, type RecordUpdate } from './records.ts';
import { assertValidBody, findUnstorable, invalidField } from './validation.ts';
import { transact } from './write-record.ts';

const noSettings = {
  time_zone: null,
  currency: null,
  country: null,
  opening_hours: null,
  phone: null,
  address: null,
};

/**
 * `<settings>.<clock>`: the first half names the settings that others keep; the second, the offsets of the zone and the
 * year, because those are told for a time ahead. Processes with another Node differ only in the second, and only if they
 * differ about the zone.
 */
export function toSettingsVersion(
  settings: Partial<SalonSettings>,
  { now, tzVersion, isOfCommand }: Pick<Environment, 'now' | 'tzVersion' | 'isOfCommand'>,
): string {
  const { time_zone, currency, country, opening_hours } = { ...noSettings, ...settings };
  const year = now().getUTCFullYear();
  // Client and service of a command have one clock, and Intl takes 12 ms for the first zone.
  const name = isOfCommand ? () => `${year}-${tzVersion}` : nameClock;
  const clock = time_zone === null ? '' : name(time_zone, year);
  return `${toDigest([time_zone, currency, country, opening_hours])}.${clock}`;
}

/** Every request names them, and they take 0.5 ms. */
const clocks = new Map<string, { readonly year: number; readonly name: string }>();

function nameClock(timeZone: string, year: number): string {
  const known = clocks.get(timeZone);
  if (known?.year === year) return known.name;
  const name = toDigest([year, listClockRules(timeZone, { nowMs: Date.UTC(year) }).offsets]);
  clocks.set(timeZone, { year, name });
  return name;
}

function toDigest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 16);
}

/** The settings of the caller's salon. */
export async function getSalon({ database, environment, caller }: Context): Promise<Salon> {
  authorize(caller, 'getSalon');
  return withClock(await readSettings(database.reader, caller.account.id), environment);
}

function withClock(settings: SalonSettings, { now, tzVersion }: Environment): Salon {
  const { time_zone: zone, updated_at, ...others } = settings;
  const clock = zone === null ? null : listClockRules(zone, { nowMs: now().getTime(), tzVersion });
  return { ...others, time_zone: zone, clock, updated_at };
}

/**
 * Changes the given settings; null clears one. The currency stays once there are prices. Throws `precondition_failed`
 * and `validation_failed`.
 */
export async function updateSalon(
  context: Context,
  { change, ifMatch }: RecordUpdate<BodyOf<'updateSalon'>>,
): Promise<Salon> {
  const { environment, caller } = context;
  const { id } = caller.account;
  const settings = await transact(context, 'updateSalon', async (tx) => {
    const former = await readSettings(tx, id);
    assertIfMatch(former, ifMatch);
    assertValidBody(findUnstorable(change));
    const problem = change.currency == null ? undefined : findCurrencyProblem('/currency', change.currency);
    if (problem !== undefined) throw invalidField('/currency', problem);
    const merged = mergeSettings(former, change, caller.account.name);
    if (isUnchanged(former, merged)) return former;
    if (former.currency !== merged.currency && (await hasPrice(tx, id))) {
      const detail = `/currency cannot change: there are prices in ${former.currency}.`;
      throw invalidField('/currency', detail, 'in_use');
    }
    const object = { ...merged, updated_at: nextUpdatedAt(former, environment.now()) };
    await saveSalonSettings(tx, id, JSON.stringify(object));
    await recordChangeWithoutEvent(tx, context, { action: 'salon.updated', id, former, object });
    return object;
  });
  return withClock(settings, environment);
}

/** The settings of a salon. Throws `not_found`. */
export async function readSettings(reader: Reader, accountId: string): Promise<SalonSettings> {
  const row = await readSalon(reader, accountId);
  if (row === undefined) throw notFound('account', accountId);
  const { name, created_at: updated_at, settings } = row;
  return { name, ...noSettings, updated_at, ...JSON.parse(settings ?? '{}') };
}

function mergeSettings(
  current: SalonSettings,
  change: BodyOf<'updateSalon'>,
  accountName: string,
): SalonSettings {
  const { updated_at, clock, name = current.name, phone, opening_hours: hours, ...others } = change;
  return {
    ...current,
    ...others,
    name: name ?? accountName,
    ...(phone === undefined ? {} : { phone: phone === null ? null : normalisePhone(phone) }),
    ...(hours === undefined ? {} : { opening_hours: hours === null ? null : normaliseHours(hours) }),
  };
}

/** The currency of prices. Throws `salon_settings_missing` while there is none. */
export async function requireCurrency(reader: Reader, accountId: string): Promise<string> {
  const { currency } = await readSettings(reader, accountId);
  if (currency !== null) return currency;
  throw new SalonError('salon_settings_missing', 'The salon has no currency.', {
    hint: 'Set it: salon settings set currency EUR',
    members: { missing: ['currency'] },
  });
}
