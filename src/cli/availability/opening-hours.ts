import { parseWeekHours, renderWeekHours, type WeekHours } from '../../contract/week-hours.ts';
import type { CommandContext } from '../session/command-context.ts';
import { learnHours } from './learn-hours.ts';
import { type BookableStylist, learningDays, salonFacts } from './salon-facts.ts';

/** When a stylist works, and who says so; `assumed` where nobody does. */
export interface StylistHours {
  readonly week: WeekHours;
  readonly source: 'stylist' | 'profile' | 'learnt' | 'assumed';
}

const usualHours = 'mon-sat 09:00-18:00';

/**
 * Reads the hours of stylists, by ID: their own, else the profile's, else those that past appointments show. Says on
 * standard error which are learnt or assumed.
 */
export async function readOpeningHours(
  context: CommandContext,
  stylists: readonly Pick<BookableStylist, 'id' | 'hours'>[],
): Promise<ReadonlyMap<string, StylistHours>> {
  const { settings, profileName } = await context.session();
  const salon = settings.openingHours && parseWeekHours(settings.openingHours.value);
  const isLearning = salon === undefined && stylists.some(({ hours }) => hours === undefined);
  const learnt = isLearning
    ? learnHours(await salonFacts(context).pastVisits(), settings.timeZone.value)
    : undefined;
  if (isLearning) {
    const weeks = learningDays / 7;
    const text = learnt === undefined ? usualHours : renderWeekHours(learnt.salon);
    const origin =
      learnt === undefined
        ? `No opening hours are set, and there are no appointments of the past ${weeks} weeks; assuming`
        : `Opening hours, learnt from the past ${weeks} weeks:`;
    salonFacts(context).sayOnce(
      `${origin} ${text}. To set them: salon profiles set ${profileName ?? '<profile>'} opening_hours "${text}"`,
    );
  }
  const toHours = ({ id, hours }: Pick<BookableStylist, 'id' | 'hours'>): StylistHours => {
    if (hours !== undefined) return { week: hours, source: 'stylist' };
    if (salon !== undefined) return { week: salon, source: 'profile' };
    if (learnt === undefined) return { week: parseWeekHours(usualHours) ?? [], source: 'assumed' };
    return { week: learnt.stylists.get(id) ?? learnt.salon, source: 'learnt' };
  };
  return new Map(stylists.map((stylist) => [stylist.id, toHours(stylist)]));
}
