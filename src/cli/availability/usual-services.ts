import { SalonError } from '../../contract/errors.ts';
import { isSameService, type SalonService } from '../../contract/salon-service.ts';
import { closest } from '../../text/closest.ts';
import { compareNames, foldText, toWords } from '../../text/search-text.ts';
import { chooseAmong } from '../people/client-records.ts';
import { isOwnId } from '../people/references.ts';
import type { CommandContext } from '../session/command-context.ts';
import { type BusyVisit, findServices, requireServices, salonFacts } from './salon-facts.ts';

/** A service that this salon books: from its list of services, or else from past bookings. */
export interface UsualService {
  readonly service: string;
  /** The most frequent duration; the longer of two that are as frequent. */
  readonly usualMinutes: number;
  readonly count: number;
  /** In minor units; null or left out if it is not known. */
  readonly price?: number | null;
}

/** The active services of the salon's list, and those booked in the past six weeks; most frequent first. */
export async function readUsualServices(context: CommandContext): Promise<readonly UsualService[]> {
  const learnt = learnUsual(await salonFacts(context).pastVisits());
  const listed = (await findServices(context))?.filter(({ active }) => active) ?? [];
  const offered = listed.map((service) => ({
    ...toUsual(service),
    count: learnt.find((one) => isSameService(one.service, service.name))?.count ?? 0,
  }));
  const others = learnt.filter((one) => !listed.some(({ name }) => isSameService(name, one.service)));
  return [...offered, ...others].sort((a, b) => b.count - a.count || compareNames(a.service, b.service));
}

/** The active service of the salon's list with this name: other services need not be read for it. */
export async function findListedService(
  name: string,
  context: CommandContext,
): Promise<UsualService | undefined> {
  const listed = await findServices(context);
  const found = listed?.find((one) => one.active && isSameService(one.name, name));
  return found && toUsual(found);
}

function toUsual({ name, duration, price }: SalonService): UsualService {
  return { service: name, usualMinutes: duration, price, count: 0 };
}

/** The services of appointments with their most frequent duration, most frequent first. */
export function learnUsual(
  visits: readonly Pick<BusyVisit, 'service' | 'minutes'>[],
): readonly UsualService[] {
  const named = visits.filter(({ service }) => service !== '');
  const byService = Map.groupBy(named, ({ service }) => foldText(service));
  return [...byService.values()]
    .map((booked) => ({
      service: mostFrequent(booked.map(({ service }) => service)) ?? '',
      usualMinutes: mostFrequent(booked.map(({ minutes }) => minutes)) ?? 0,
      count: booked.length,
    }))
    .sort((a, b) => b.count - a.count || compareNames(a.service, b.service));
}

/**
 * Finds the service that somebody means: by its whole name, or by words in it, without accents and case. Throws `usage`
 * if several match; if none does, `not_found` with the most similar one or the hint.
 */
export function findService<Service extends { readonly service: string }>(
  text: string,
  services: readonly Service[],
  hint = 'Leave out --service and pass --duration to look for any time.',
): Service {
  const exact = services.find(({ service }) => foldText(service) === foldText(text));
  if (exact !== undefined) return exact;
  if (toWords(text).length === 0) throw new SalonError('usage', 'The name of the service is empty.');
  const matching = findByWords(text, services);
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  if (only !== undefined) {
    throw new SalonError('usage', `${matching.length} services match "${text}".`, {
      hint: `Choose one: ${matching.map(({ service }) => service).join(', ')}`,
    });
  }
  const near = closest(
    text,
    services.map(({ service }) => service),
  );
  throw new SalonError('not_found', `No service matches "${text}".`, {
    hint: near === undefined ? hint : `Did you mean ${near}?`,
    members: { resource: 'service', id: text },
  });
}

/**
 * Finds a service of the salon's list by its ID or name; asks at a terminal if words fit several. Throws as
 * `findService`.
 */
export async function resolveService(
  reference: string,
  context: CommandContext,
  { isWrite = false }: { readonly isWrite?: boolean } = {},
): Promise<SalonService> {
  const { services: collection } = await context.client();
  const text = reference.trim();
  if (text === '') throw new SalonError('usage', 'No service given.', { hint: 'Use its name or ID.' });
  if (isOwnId(text, 'service')) return collection.get(text);
  const services = await requireServices(context);
  const exact = services.find(({ id, name }) => id === text || isSameService(name, text));
  if (exact !== undefined) return exact;
  const named = services.map((record) => ({ service: record.name, record }));
  const found = findByWords(text, named);
  if (found.length > 0 && context.prompts.isInteractive && (isWrite || found.length > 1)) {
    const choices = found.map(({ service, record }) => ({ value: record, label: service }));
    return chooseAmong(`Which service is "${text}"?`, choices, context);
  }
  if (found.length > 0 && isWrite) {
    throw new SalonError('usage', `No service is exactly "${text}".`, {
      hint: `Choose one: ${found.map(({ service }) => service).join(', ')}`,
    });
  }
  return findService(text, named, 'See: salon services list').record;
}

/** The services whose names contain words that begin with all words of a text. */
export function findByWords<Service extends { readonly service: string }>(
  text: string,
  services: readonly Service[],
): readonly Service[] {
  return services.filter(({ service }) =>
    toWords(text).every((word) => toWords(service).some((other) => other.startsWith(word))),
  );
}

export function mostFrequent<Value extends string | number>(values: readonly Value[]): Value | undefined {
  const counts = [...Map.groupBy(values, (value) => value)].map(([value, same]) => ({
    value,
    count: same.length,
  }));
  return counts.sort((a, b) => b.count - a.count || (a.value > b.value ? -1 : 1))[0]?.value;
}
