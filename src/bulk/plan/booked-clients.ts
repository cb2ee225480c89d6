import type { SalonClient } from '../../client/client.ts';
import { maxLagMs, readClientVisits, type VisitsOptions } from '../../client/selection/client-visits.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import { countOf } from '../../contract/numbers.ts';
import { refuseRow } from './check-plan.ts';
import { type Plan, writePlan } from './plan-file.ts';
import type { PlannedRow } from './plan-format.ts';

interface BookedOptions extends Pick<VisitsOptions, 'clientId'> {
  readonly now: Date;
  /** Whether a client is deleted although there are some. */
  readonly force?: boolean | undefined;
  /** Called with a sentence if they were not looked at. */
  readonly onUnread?: ((sentence: string) => void) | undefined;
}

/**
 * Reads who has upcoming appointments, before clients are deleted: another server may delete them along. Undefined for a
 * service like ours, which refuses by itself, and where there is no list of them. Throws what the list throws without
 * `force`.
 */
export async function readBooked(client: SalonClient, { now, force, clientId, onUnread }: BookedOptions) {
  if (client.settingsVersion() !== undefined) return undefined;
  const asOf = now.toISOString();
  const from = new Date(now.getTime() - maxLagMs).toISOString();
  try {
    return await readClientVisits(client, { from, asOf, consistent: true, clientId });
  } catch (thrown) {
    if (!(thrown instanceof SalonError) || thrown.code === 'interrupted') throw thrown;
    const isMissing = [404, 405, 501].includes(thrown.status ?? 0);
    if (!isMissing && force !== true) {
      const message = `Cannot tell who has upcoming appointments, so nobody is deleted. ${thrown.message}`;
      throw withContext(thrown, {
        message,
        hint: 'Try again later, or delete without looking at them: salon clients delete --force',
      });
    }
    const reason = isMissing ? 'the server has no list of them.' : `they cannot be read. ${thrown.message}`;
    onUnread?.(`Whether they have upcoming appointments was not looked at: ${reason}`);
    return undefined;
  }
}

/** `Ana Costa has 2 upcoming appointments.` */
export function describeBooked(count: number, name = 'The client'): string {
  return `${name} has ${count === 1 ? 'an upcoming appointment' : countOf(count, 'upcoming appointments')}.`;
}

/**
 * Writes a plan that deletes clients again, with those refused who have upcoming appointments, or with `force` with the
 * number of these.
 */
export async function planBooked(
  plan: Plan,
  { client, ...options }: Omit<BookedOptions, 'force'> & { readonly client: () => Promise<SalonClient> },
): Promise<Plan> {
  const { head, counts } = plan;
  const { noun, force } = head.edit;
  if (noun !== 'clients' || counts.delete === 0) return plan;
  using booked = await readBooked(await client(), { ...options, force });
  return booked === undefined ? plan : await writePlan(plan.path, head, toRows());

  async function* toRows(): AsyncGenerator<PlannedRow> {
    for await (const row of plan.rows()) {
      const upcoming = booked?.find(row.id, 'upcoming')?.count ?? 0;
      const reason = describeBooked(upcoming);
      if (row.act !== 'delete' || upcoming === 0) yield row;
      else if (force) yield { ...row, upcoming };
      else yield refuseRow(row, { code: 'client_has_upcoming_appointments', reason });
    }
  }
}
