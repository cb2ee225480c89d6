import { closest } from '../../contract/closest.ts';
import { SalonError } from '../../contract/errors.ts';
import { foldText, toWords } from '../../contract/search-text.ts';
import type { CommandContext } from '../session/command-context.ts';
import { salonFacts } from './salon-facts.ts';

/** A service as this salon books it. */
export interface UsualService {
  readonly service: string;
  /** The most frequent duration; the longer of two that are as frequent. */
  readonly usualMinutes: number;
  readonly count: number;
}

/** The services booked in the past six weeks, most frequent first. */
export async function readUsualServices(context: CommandContext): Promise<readonly UsualService[]> {
  const visits = await salonFacts(context).pastVisits();
  const named = visits.filter(({ service }) => service !== '');
  const byService = Map.groupBy(named, ({ service }) => foldText(service));
  return [...byService.values()]
    .map((booked) => ({
      service: mostFrequent(booked.map(({ service }) => service)) ?? '',
      usualMinutes: mostFrequent(booked.map(({ minutes }) => minutes)) ?? 0,
      count: booked.length,
    }))
    .sort((a, b) => b.count - a.count || (a.service < b.service ? -1 : 1));
}

/**
 * Finds the service that somebody means: by its whole name, or by words in it, without accents and case. Throws `usage`
 * if several match, `not_found` if none does.
 */
export function findService<Service extends { readonly service: string }>(
  text: string,
  services: readonly Service[],
): Service {
  const exact = services.find(({ service }) => foldText(service) === foldText(text));
  if (exact !== undefined) return exact;
  if (toWords(text).length === 0) throw new SalonError('usage', 'The name of the service is empty.');
  const [only, ...others] = findByWords(text, services);
  if (only !== undefined && others.length === 0) return only;
  const names = services.map(({ service }) => service);
  if (only !== undefined) {
    const matching = [only, ...others].map(({ service }) => service);
    throw new SalonError('usage', `${matching.length} services match "${text}".`, {
      hint: `Choose one: ${matching.join(', ')}`,
    });
  }
  const near = closest(text, names);
  throw new SalonError('not_found', `No service matches "${text}".`, {
    hint:
      near === undefined
        ? 'Leave out --service and pass --duration to look for any time.'
        : `Did you mean ${near}?`,
    members: { resource: 'service', id: text },
  });
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

function mostFrequent<Value extends string | number>(values: readonly Value[]): Value | undefined {
  const counts = [...Map.groupBy(values, (value) => value)].map(([value, same]) => ({
    value,
    count: same.length,
  }));
  return counts.sort((a, b) => b.count - a.count || (a.value > b.value ? -1 : 1))[0]?.value;
}
