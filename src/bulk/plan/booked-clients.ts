import type { SalonClient } from '../../client/client.ts';
import { maxLagMs, readClientVisits } from '../../client/selection/client-visits.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import { countOf } from '../../text/numbers.ts';
import { dayMs, toUtcText } from '../../time/time.ts';
import { refuseRow } from './check-plan.ts';
import { type Plan, writePlan } from './plan-file.ts';
import type { PlannedRow } from './plan-format.ts';

/** Where a list needs an end. Hardly anybody books further ahead. */
const farDays = 731;

interface BookedOptions {
  readonly now: Date;
  /** Whether clients are deleted although they have some. */
  readonly force?: boolean;
  readonly onUnread: ((sentence: string) => void) | undefined;
}

/**
 * Reads who has upcoming appointments, before clients are deleted: another server may delete them along. Undefined for a
 * service like ours, which refuses by itself, and where there is no list of them or, with `force`, no whole one.
 */
export async function readBooked(client: SalonClient, { now, force, onUnread }: BookedOptions) {
  if (client.settingsVersion() !== undefined) return undefined;
  const [from = '', asOf = ''] = [now.getTime() - maxLagMs, now.getTime()].map(toUtcText);
  const isRanged = client.dialect('appointments').mostDays !== null;
  const to = isRanged ? toUtcText(now.getTime() + farDays * dayMs) : undefined;
  if (to !== undefined)
    onUnread?.(
      `Upcoming appointments are looked at until ${to.slice(0, 10)}, because the server lists them only between two times.`,
    );
  return readClientVisits(client, { from, to, asOf, consistent: true }).catch((thrown: unknown) => {
    if (!(thrown instanceof SalonError) || thrown.code === 'interrupted') throw thrown;
    const isMissing = [404, 405, 501].includes(thrown.status ?? 0);
    const reason = isMissing ? 'the server has no list of them.' : thrown.message;
    const message = `Whether they have upcoming appointments was not looked at: ${reason}`;
    const hint = 'Try again later, or delete without looking at them: salon clients delete --force';
    if (!isMissing && !force) throw withContext(thrown, { message, hint });
    onUnread?.(message);
    return undefined;
  });
}

/** Refuses rows that delete clients with upcoming appointments; with `force` they get the number of these. */
export async function planBooked(plan: Plan, client: SalonClient, options: BookedOptions): Promise<Plan> {
  const { head } = plan;
  const { force } = head.edit;
  using booked = await readBooked(client, { ...options, force });
  return booked === undefined ? plan : await writePlan(plan.path, head, toRows());

  async function* toRows(): AsyncGenerator<PlannedRow> {
    for await (const row of plan.rows()) {
      const { count: upcoming = 0 } = booked?.find(row.id, 'upcoming') ?? {};
      const reason = `The client has ${countOf(upcoming, 'upcoming appointments')}.`;
      if (row.act !== 'delete' || upcoming === 0) yield row;
      else if (force) yield { ...row, upcoming };
      else yield refuseRow(row, { code: 'client_has_upcoming_appointments', reason });
    }
  }
}
