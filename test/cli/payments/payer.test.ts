import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRows } from '../../../src/client/pagination/paginate.ts';
import { openPeopleSalon } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;

beforeEach(async () => {
  salon = await openPeopleSalon();
  await salon.client.salon.update({ currency: 'EUR' });
});
afterEach(() => salon[Symbol.asyncDispose]());

type Who = Parameters<typeof salon.book>[0];

/** Today is Saturday 21 November. */
const book = (who: Who, date: string, service = 'Cut') =>
  salon.book(who, { service, start_time: `2026-${date}T10:00:00Z`, price: 4500 });

async function complete(who: Who, date: string): Promise<string> {
  const id = await book(who, date);
  await salon.client.appointments.update(id, { status: 'completed' });
  return id;
}

const pay = (appointment_id: string) =>
  salon.client.payments.create({ appointment_id, amount: 4500, currency: 'EUR', method: 'card' });

const record = (...argv: string[]) =>
  salon.salon(['payments', 'record', ...argv, '--method', 'card', '--json']);

const payments = () => readRows(salon.client.payments.list());

describe('a gift', () => {
  it('is paid by one client for the appointment of another, in a script', async () => {
    const visit = await book('ana', '11-27');
    const ran = await record('--client', 'João Silva', '--appointment', 'Ana Costa');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(", for Ana Costa's Cut, Fri 27 Nov 10:00");
    expect(await payments()).toMatchObject([
      { client_id: salon.ids.joao, appointment_id: visit, amount: 4500, currency: 'EUR' },
    ]);
    expect(await salon.client.appointments.get(visit)).toMatchObject({ paid_amount: 4500 });
  });

  it('is recorded step by step', async () => {
    const visit = await book('ana', '11-27');
    const ran = await salon.talk('payments record', ['silva', '1', '1', 'costa', '1', '1', '', '4']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain("1: Somebody else's appointment");
    expect(ran.stderr).toContain('Which appointment of Ana Costa?');
    expect(ran.stderr).toContain("Amount (e.g. 45.00), for Ana Costa's Cut, Fri 27 Nov 10:00");
    expect(ran.stderr).toContain("Recorded João Silva's payment of 45.00 EUR");
    expect(await payments()).toMatchObject([
      { client_id: salon.ids.joao, appointment_id: visit, amount: 4500 },
    ]);
  });
});

describe('the appointment that is paid', () => {
  it.each([
    ['the coming one of who has no other', ['11-27'], [], '11-27'],
    ['the coming one if the recent one is paid', ['11-27'], ['11-20'], '11-27'],
    ['the recent one if it is not paid, whatever is to come', ['11-20', '11-27'], [], '11-20'],
    ['one of the same day', ['11-21', '12-04'], [], '11-21'],
  ])('is %s', async (_what, unpaid, paid, expected) => {
    const ids: Record<string, string> = {};
    for (const date of unpaid) ids[date] = await book('ana', date);
    for (const date of paid) await pay(await complete('ana', date));
    const ran = await record('--appointment', 'Ana Costa');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ appointment_id: ids[expected], amount: 4500 });
  });

  it('is chosen among several to come', async () => {
    for (const date of ['11-27', '12-04']) await book('ana', date);
    const ran = await record('--appointment', 'Ana Costa');
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toMatch(/2 recent or upcoming.*Fri 27 Nov 10:00 Cut.*Fri 4 Dec/s);
  });

  it('is the coming one of a client who owes nothing, unless there are several', async () => {
    const first = await book('ana', '11-27');
    const ran = await record('--client', 'Ana Costa');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ appointment_id: first, amount: 4500 });
    for (const date of ['12-04', '12-11']) await book('ana', date);
    const again = await record('--client', 'Ana Costa');
    expect(again).toMatchObject({ exitCode: 2, stdout: '' });
    expect(again.stderr).toContain('2 appointments of this client are to come.');
  });

  it('is said in the question, and offered before those that are paid', async () => {
    await pay(await complete('ana', '11-20'));
    await book('ana', '11-27', 'Balayage');
    const ran = await salon.talk('payments record', ['costa', '1', '1', '', '2']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('1: Balayage, Fri 27 Nov 10:00\n2: Cut, Fri 20 Nov 10:00, paid\n');
    expect(ran.stderr).toContain("Amount (e.g. 45.00), for Ana Costa's Balayage, Fri 27 Nov 10:00");
  });
});

describe('among six of one name', () => {
  let owing: string;

  beforeEach(async () => {
    const add = async (index: number) =>
      (
        await salon.client.clients.create({
          first_name: 'Eva',
          last_name: 'Lind',
          phone: `+4670174060${index}`,
        })
      ).id ?? '';
    for (const index of [1, 2, 3]) await add(index);
    owing = await add(4);
    for (const index of [5, 6]) await add(index);
    const id = await book('ana', '11-19');
    await salon.client.appointments.update(id, { client_id: owing, status: 'completed' });
  });

  it.each(['payments record --amount 5 --method cash', 'payments list'])(
    'the one who owes is offered first: %s',
    async (words) => {
      const argv = [...words.split(' '), '--client', 'Eva Lind', '--plain'];
      const ran = await salon.salon(argv, { columns: 100, stdin: '0\n' });
      expect(ran.stderr).toContain('1: Eva Lind, +46701740604, owes 45.00 EUR\n2: Eva Lind, +46701740601');
    },
  );

  it('the one who owes is marked in a script, which has to choose', async () => {
    const ran = await record('--client', 'Eva Lind');
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain(`Eva Lind, +46701740604, owes 45.00 EUR, ${owing}`);
  });

  it('the one with an appointment to pay is taken, and said', async () => {
    const argv = ['payments', 'record', '--appointment', 'Eva Lind', '--method', 'card', '--plain'];
    const ran = await salon.salon(argv, { columns: 100, stdin: '\n' });
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('One Eva Lind of 6 fits: +46701740604, Thu 19 Nov 10:00 Cut.');
    expect(await payments()).toMatchObject([{ client_id: owing, amount: 4500 }]);
  });

  it('the one who owes is offered first where somebody is searched for', async () => {
    const ran = await salon.talk('payments record', ['lind', '0']);
    expect(ran.stderr).toContain('1: Eva Lind, +46701740604, owes 45.00 EUR\n');
  });
});
