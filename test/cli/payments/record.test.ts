import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunOptions } from '../../support/io.ts';
import { openPeopleSalon } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;
/** Ana owes 30.00, Bob nothing, João has two visits to pay, Ana María no visit. */
let owing: string;
let paid: string;

beforeAll(async () => {
  salon = await openPeopleSalon();
  await salon.client.salon.update({ currency: 'EUR' });
  owing = await complete('ana', 16);
  await pay(owing, 1500);
  paid = await complete('bob', 17);
  await pay(paid, 4500);
  await complete('joao', 18);
  await complete('joao', 19);
});
afterAll(() => salon[Symbol.asyncDispose]());

async function complete(who: Parameters<typeof salon.book>[0], day: number): Promise<string> {
  const id = await salon.book(who, { service: 'Cut', start_time: `2026-11-${day}T10:00:00Z`, price: 4500 });
  await salon.client.appointments.update(id, { status: 'completed' });
  return id;
}

const pay = (appointment_id: string, amount: number) =>
  salon.client.payments.create({ appointment_id, amount, currency: 'EUR', method: 'card' });

const record = (argv: readonly string[], options?: RunOptions) =>
  salon.salon(['payments', 'record', ...argv], options);

/** As `record`, without sending the payment. */
const tryIt = (argv: readonly string[]) => record([...argv, '--method', 'card', '--dry-run', '--json']);

describe('salon payments record', () => {
  it.each([
    ['of an appointment', () => ['--appointment', owing]],
    ['of the only appointment of a client that is due', () => ['--client', 'Ana Costa']],
  ])('means what is left to pay, in the currency of the salon: %s', async (_what, argv) => {
    const ran = await tryIt(argv());
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ amount: 3000, currency: 'EUR', appointment_id: owing });
  });

  it('asks whether a name without a flag is a client or an appointment', async () => {
    const ran = await record(['Ana', 'Costa', '--method', 'card']);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('--client "Ana Costa", or --appointment "Ana Costa"');
  });

  it.each([
    ['Ana Costa 23 card', ' --amount 23 --method card'],
    ['Ana Costa 23,50', ' --amount 23,50'],
    ['Ana Costa 23 € cash', ' --amount 23 --method cash'],
    ['Ana Costa 23 eur', ' --amount 23'],
    ['Ana Costa GIFT_CARD', ' --method gift_card'],
    ['Ana Costa', ''],
  ])('takes no amount or method for a part of the name: %s', async (words, flags) => {
    const { stderr } = await record(words.split(' '));
    expect(stderr).toBe(
      `error: "Ana Costa" may be a client or an appointment.\n  Say which: salon payments record --client "Ana Costa"${flags}, or --appointment "Ana Costa"${flags} for a visit\n`,
    );
  });

  it('proposes what is left at a terminal, where Enter accepts it', async () => {
    const argv = ['--appointment', owing, '--method', 'cash', '--dry-run', '--plain', '--json'];
    const ran = await record(argv, { columns: 100, stdin: '\n' });
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('30.00');
    expect(JSON.parse(ran.stdout)).toMatchObject({ amount: 3000, currency: 'EUR' });
  });

  it('proposes nothing in another currency than the salon’s', async () => {
    const ran = await tryIt(['--appointment', owing, '--currency', 'USD']);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('--amount');
  });

  it('refuses to guess an amount for a visit that is paid', async () => {
    const ran = await tryIt(['--appointment', paid]);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain(`Paid already (45.00 EUR): appointment ${paid}.`);
    expect(ran.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  });

  it.each([
    ['method', ['--method', 'crad']],
    ['status', ['--method', 'card', '--status', 'payed']],
    ['amount', ['--method', 'card', '--amount', '4x']],
  ])('refuses what is no %s before it asks anything', async (_what, argv) => {
    const ran = await record(['--client', 'Ana Costa', ...argv], { columns: 100, stdin: '' });
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', requests: [] });
  });

  it('shows a paid price in the currency of the salon, not of the payment', async () => {
    const ran = await tryIt(['--appointment', paid, '--amount', '5', '--currency', 'USD']);
    expect(ran.stderr).toContain('Paid already (45.00 EUR)');
  });

  it('warns of a visit that is paid, where an amount is given', async () => {
    const ran = await tryIt(['--appointment', paid, '--amount', '5']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(`Paid already (45.00 EUR): appointment ${paid}.`);
    expect(JSON.parse(ran.stdout)).toMatchObject({ amount: 500 });
  });

  it('names client and time of a visit that is paid when it asks, and records nothing at a no', async () => {
    const argv = ['--appointment', paid, '--amount', '5', '--method', 'cash', '--plain'];
    const ran = await record(argv, { columns: 100, stdin: 'n\n' });
    expect(ran).toMatchObject({ exitCode: 8, stdout: '' });
    expect(ran.stderr).toContain(
      "Paid already (45.00 EUR): Bob Twin's Cut, Tue 17 Nov 10:00. Record another payment?",
    );
    expect(ran.requests).not.toContain('POST payments');
  });

  it.each([
    [
      'another amount than is due',
      () => ['--appointment', owing, '--amount', '10'],
      '30.00 EUR is due of appointment',
    ],
    [
      'another currency than that of prices',
      () => ['--client', salon.ids.anaMaria, '--amount', '5', '--currency', 'usd'],
      'Prices are in EUR, but the payment is in USD.',
    ],
  ])('warns a script of %s, once, and records it', async (_what, argv, warning) => {
    const ran = await tryIt(argv());
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(`warning: ${warning}`);
    expect(ran.stderr.match(/warning/g)).toHaveLength(1);
    const asked = await record([...argv(), '--method', 'cash', '--plain'], { columns: 100, stdin: 'n\n' });
    expect(asked).toMatchObject({ exitCode: 8, stdout: '' });
    expect(asked.requests).not.toContain('POST payments');
  });

  it.each([
    ['what is due', () => ['--appointment', owing, '--amount', '30', '--currency', 'eur']],
    ['a payment without an appointment', () => ['--client', salon.ids.anaMaria, '--amount', '5']],
  ])('says nothing of %s', async (_what, argv) => {
    expect((await tryIt(argv())).stderr).not.toContain('warning');
  });

  it('needs no right to read the settings where the currency is given', async () => {
    const env = { SALON_API_KEY: await salon.addKey(['payments:write']) };
    const argv = ['--client', salon.ids.anaMaria, '--amount', '5', '--method', 'card', '--json'];
    const ran = await record([...argv, '--currency', 'EUR'], { env });
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(await record(argv, { env })).toMatchObject({ exitCode: 10, stdout: '' });
  });

  it('names the visits of a client with several to pay', async () => {
    const ran = await tryIt(['--client', 'João Silva']);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('2 appointments of this client are due.');
    expect(ran.stderr).toMatch(/Wed 18 Nov 10:00 Cut, apt_\w+.*Thu 19 Nov 10:00 Cut, apt_/);
  });

  it('needs an amount of a client who owes nothing', async () => {
    const ran = await tryIt(['--client', 'Ana María Núñez']);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('--amount');
  });

  it.each(['--amount', '--tip'])('refuses more decimals than the currency has: %s', async (flag) => {
    const ran = await tryIt(['--appointment', owing, flag, '4.505']);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain(flag);
  });

  it('shows what was paid beside the price if it was more', async () => {
    const more = await complete('bob', 20);
    await pay(more, 5000);
    const ran = await tryIt(['--appointment', more]);
    expect(ran.stderr).toContain('Paid already (50.00 EUR for a price of 45.00 EUR)');
  });
});
