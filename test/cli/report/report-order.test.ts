import { expect, it } from 'vitest';
import { openPeopleSalon } from '../../support/people-salon.ts';

it('a report lists services of the same amount by name, with letters where people look for them', async () => {
  await using salon = await openPeopleSalon();
  const services = ['Zopf', 'Łódź Cut', 'Luxury Cut', 'Ölkur', 'Œuf', 'Mask'];
  for (const service of services) {
    const appointment_id = await salon.book('ana', {
      service,
      start_time: '2026-11-20T15:00:00Z',
      allow_overlap: true,
    });
    await salon.client.payments.create({ appointment_id, amount: 5000, currency: 'EUR', method: 'card' });
  }
  const ran = await salon.salon(['report', 'revenue', 'today', '--by', 'service', '--json']);
  expect(JSON.parse(ran.stdout).map(({ service }: { service: string }) => service)).toEqual([
    ...['Łódź Cut', 'Luxury Cut', 'Mask', 'Œuf', 'Ölkur', 'Zopf'],
  ]);
});
