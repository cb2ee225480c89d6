import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPeopleSalon } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;
/** A terminal for a screen reader, whose lines are easy to answer. */
const terminal = (stdin: string) => ({ columns: 100, stdin, env: { SALON_PLAIN: '1' } });

beforeAll(async () => {
  salon = await openPeopleSalon();
});
afterAll(() => salon[Symbol.asyncDispose]());

const read = (id: string) => salon.client.appointments.get(id);

describe('a write to somebody', () => {
  it.each(['Ana', 'Cost', '5678'])('is refused for %j, which is a part of a name or number', async (part) => {
    await using _booked = await book('ana');
    const ran = await salon.salon(['appointments', 'cancel', ...part.split(' ')]);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('Ana Costa, +351912345678, ana@costa.example');
    expect(ran.requests).not.toContain('POST appointments');
  });

  it('needs a reference that only one person has', async () => {
    const ran = await salon.salon(['appointments', 'cancel', 'Bob', 'Twin']);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('2 clients match "Bob Twin".');
  });

  it('names the person, the service and the time', async () => {
    await using booked = await book('ana');
    const ran = await salon.salon(['appointments', 'cancel', 'Ana', 'Costa']);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toBe("Cancelled Ana Costa's Balayage, Fri 27 Nov 15:00.\n");
    expect(ran.requests).toEqual([
      ...['GET clients', 'GET appointments', 'POST appointments', 'GET waitlist'],
    ]);
    expect(await read(booked.id)).toMatchObject({ status: 'cancelled' });
  });

  it('takes an ID without a request more than that for who waits', async () => {
    await using booked = await book('ana');
    const ran = await salon.salon(['appointments', 'cancel', booked.id]);
    expect(ran.requests).toEqual(['POST appointments', 'GET waitlist']);
    expect(ran.stderr).toBe(`Cancelled appointment ${booked.id}.\n`);
  });

  it('lists the appointments of a client with several', async () => {
    await using first = await book('ana');
    await using second = await book('ana', { start_time: '2026-11-30T10:00:00Z', service: 'Cut' });
    const ran = await salon.salon(['appointments', 'cancel', '912345678']);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain(`Fri 27 Nov 15:00 Balayage, ${first.id}`);
    expect(ran.stderr).toContain(`Mon 30 Nov 10:00 Cut, ${second.id}`);
    const chosen = await salon.salon(['appointments', 'cancel', 'Ana Costa'], terminal('2\ny\n'));
    expect(chosen).toMatchObject({ exitCode: 0 });
    expect(await read(second.id)).toMatchObject({ status: 'cancelled' });
  });

  it('takes the one of several with this name who has an appointment, and says so', async () => {
    await using booked = await book('otherBob');
    const ran = await salon.salon(['appointments', 'cancel', 'Bob Twin'], terminal('y\n'));
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('One Bob Twin of 2 fits: +351910000002, Fri 27 Nov 15:00 Balayage.');
    expect(await read(booked.id)).toMatchObject({ status: 'cancelled' });
  });

  it('offers several with one name with what they have, and not at all if none has any', async () => {
    await using _first = await book('bob');
    await using second = await book('otherBob', { start_time: '2026-11-30T10:00:00Z', service: 'Cut' });
    const ran = await salon.salon(['appointments', 'cancel', 'Bob Twin'], terminal('2\ny\n'));
    expect(ran.stderr).toContain('1: Bob Twin, +351910000001, Fri 27 Nov 15:00 Balayage\n');
    expect(ran.stderr).toContain('2: Bob Twin, +351910000002, Mon 30 Nov 10:00 Cut\n');
    expect(await read(second.id)).toMatchObject({ status: 'cancelled' });
    const none = await salon.salon(['payments', 'void', 'Bob Twin'], terminal('1\ny\n'));
    expect(none).toMatchObject({ exitCode: 6, stdout: '' });
    expect(none.stderr).toContain('Bob Twin has no such payment.');
    expect(none.stderr).not.toContain('Which client');
  });

  it('exits 6 for a client without an upcoming appointment', async () => {
    const ran = await salon.salon(['appointments', 'update', 'João Silva', '--status', 'arrived']);
    expect(ran).toMatchObject({ exitCode: 6, stdout: '' });
    expect(ran.stderr).toContain('João Silva has no upcoming appointment.');
  });

  it('changes the stylist by name', async () => {
    await using booked = await book('ana');
    const ran = await salon.salon(['appointments', 'update', 'Ana Costa', '--stylist', 'Ravi Brandt']);
    expect(ran.stderr).toContain("Updated Ana Costa's Balayage, Fri 27 Nov 15:00: stylist ID sty_");
    expect(ran.stderr).toMatch(new RegExp(` → ${salon.ravi}\\.\n$`));
    expect(await read(booked.id)).toMatchObject({ stylist_id: salon.ravi });
  });

  it('adds a client with a preferred stylist', async () => {
    const line = 'clients create --set first_name=Zé --preferred-stylist Quinn --json'.split(' ');
    const ran = await salon.salon(line);
    const record = JSON.parse(ran.stdout);
    expect(record).toMatchObject({ preferred_stylist_id: salon.quinn });
    expect(ran.stderr).toBe(`Added client Zé (${record.id}).\n`);
  });
});

describe('a status at a terminal', () => {
  const update = (words: string, stdin: string) =>
    salon.salon(['appointments', 'update', 'Ana Costa', ...words.split(' ')], terminal(stdin));

  it.each([
    [
      'completed',
      "Mark Ana Costa's Balayage, Fri 27 Nov 15:00 as completed? It starts in 6 days. This cannot be undone.",
    ],
    ['cancelled', "Cancel Ana Costa's Balayage, Fri 27 Nov 15:00? This cannot be undone."],
    ['in_service', "Mark Ana Costa's Balayage, Fri 27 Nov 15:00 as in service? It starts in 6 days."],
  ])('%s is confirmed, and a no changes nothing', async (status, question) => {
    await using booked = await book('ana');
    const ran = await update(`--status ${status}`, 'n\n');
    expect(ran).toMatchObject({ exitCode: 8, stdout: '' });
    expect(ran.stderr).toContain(question);
    expect(await read(booked.id)).toMatchObject({ status: 'confirmed' });
  });

  it('is not confirmed if it can be undone and the day has come', async () => {
    await using booked = await book('ana', { start_time: '2026-11-21T17:00:00Z' });
    const ran = await update('--status arrived', '');
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(await read(booked.id)).toMatchObject({ status: 'arrived' });
  });

  it('is sent without a question with --yes, and by a script', async () => {
    await using first = await book('ana');
    expect(await update('--status cancelled --yes', '')).toMatchObject({ exitCode: 0 });
    expect(await read(first.id)).toMatchObject({ status: 'cancelled' });
    await using second = await book('ana');
    const ran = await salon.salon(['appointments', 'update', second.id, '--status', 'cancelled']);
    expect(ran).toMatchObject({ exitCode: 0 });
  });

  it('of a later day is refused by the service, unless --allow-early is given', async () => {
    await using booked = await book('ana');
    const refused = await update('--status arrived', 'y\n');
    expect(refused).toMatchObject({ exitCode: 7, stdout: '' });
    expect(refused.stderr).toContain('--allow-early');
    expect(await update('--status arrived --yes --allow-early', '')).toMatchObject({ exitCode: 0 });
    expect(await read(booked.id)).toMatchObject({ status: 'arrived' });
  });

  it('asks before a cancellation', async () => {
    await using booked = await book('ana');
    const ran = await salon.salon(['appointments', 'cancel', booked.id], terminal('n\n'));
    expect(ran).toMatchObject({ exitCode: 8, stdout: '' });
    expect(ran.stderr).toContain("Cancel Ana Costa's Balayage, Fri 27 Nov 15:00? This cannot be undone.");
  });
});

describe('a payment', () => {
  it('is recorded step by step: who paid, for what, how much', async () => {
    await using booked = await book('ana', { start_time: '2026-11-20T15:00:00Z' });
    const ran = await salon.salon(
      ['payments', 'record'],
      terminal('costa\n1\n1\n\u001b\n1\neur\n4.505\n45\n2\n'),
    );
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('Who paid?');
    expect(ran.stderr).toContain(
      "1: Balayage, Fri 20 Nov 15:00\n2: Somebody else's appointment\n3: Something else (no appointment)",
    );
    expect(ran.stderr).toContain("Recorded Ana Costa's payment of 45.00 EUR");
    const [payment] = (await firstPage(salon.client.payments.list({ appointment_id: booked.id }))) ?? [];
    expect(payment).toMatchObject({
      amount: 4500,
      currency: 'EUR',
      method: 'card',
      client_id: salon.ids.ana,
    });
    const refund = await salon.salon(['payments', 'refund', 'Ana', 'Costa'], terminal('y\n'));
    expect(refund.stderr).toContain(
      "Refund 45.00 EUR, the full remaining amount of Ana Costa's payment of 45.00 EUR",
    );
    expect(refund.exitCode).toBe(0);
  });
});

async function book(...args: Parameters<typeof salon.book>) {
  const id = await salon.book(...args);
  return {
    id,
    async [Symbol.asyncDispose]() {
      await salon.client.appointments.cancel(id).catch(() => {});
    },
  };
}

async function firstPage<Row>(pages: AsyncIterable<{ readonly rows: readonly Row[] }>) {
  for await (const { rows } of pages) return rows;
  return undefined;
}
