import { expect } from 'vitest';
import { openPeopleSalon, retireSampleStylists } from './people-salon.ts';

/**
 * It is Saturday 21 November 2026, noon, in Lisbon. Only Quinn does Colour, and is booked on Friday from 15:00 to 16:00; Ravi
 * does the rest, too. The salon is closed at Christmas.
 */
export async function openVisitSalon() {
  const salon = await openPeopleSalon();
  await salon.client.salon.update({ currency: 'EUR' });
  await retireSampleStylists(salon);
  for (const [name, duration] of [
    ['Cut and style', 60],
    ['Colour', 90],
    ['Blow-dry', 45],
  ] as const)
    await salon.client.services.create({ name, duration });
  for (const id of [salon.quinn, salon.ravi]) {
    const services =
      id === salon.quinn ? ['Cut and style', 'Colour', 'Blow-dry'] : ['Cut and style', 'Blow-dry'];
    await salon.client.stylists.update(id, { services, working_hours: 'mon-sat 09:00-18:00' });
  }
  await salon.client.blockedTimes.create({
    ...{
      stylist_id: null,
      start_time: '2026-12-24T00:00:00Z',
      end_time: '2026-12-27T00:00:00Z',
      reason: 'closed',
    },
  });
  await salon.book('joao', { start_time: '2026-11-27T15:00:00Z', duration: 60, service: 'Colour' });

  return { ...salon, readBooked };

  /** What a job booked: start, client, service, length and stylist, by start. Undoes it. */
  async function readBooked(stdout: string): Promise<string[]> {
    const { job, done } = JSON.parse(stdout);
    const shown = await salon.salon(['jobs', 'results', job, '--json']);
    const rows = JSON.parse(shown.stdout) as { id: string; result: string }[];
    expect(rows.filter(({ result }) => result === 'created')).toHaveLength(done);
    const names = { [salon.quinn]: 'Quinn', [salon.ravi]: 'Ravi' };
    const people = Object.fromEntries(Object.entries(salon.ids).map(([name, id]) => [id, name]));
    const lines = rows.map(async ({ id }) => {
      const { start_time, client_id, service, stylist_id, duration } =
        await salon.client.appointments.get(id);
      return `${start_time.slice(0, 16)} ${people[client_id] ?? 'new'} ${service} ${duration} ${names[stylist_id]}`;
    });
    await salon.salon(['jobs', 'undo', job, '--yes']);
    return (await Promise.all(lines)).sort();
  }
}
