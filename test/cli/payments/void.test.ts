import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openPeopleSalon } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;

beforeAll(async () => {
  salon = await openPeopleSalon();
});
afterAll(() => salon[Symbol.asyncDispose]());

async function pay(client_id: string): Promise<string> {
  const payment = { client_id, amount: 4500, currency: 'EUR', method: 'card' } as const;
  return (await salon.client.payments.create(payment)).id ?? '';
}

const voidPayment = (...argv: string[]) => salon.salon(['payments', 'void', ...argv]);
const statusOf = async (id: string) => (await salon.client.payments.get(id)).status;

describe('salon payments void', () => {
  it('voids the payment of a client after confirmation, once', async () => {
    const id = await pay(salon.ids.ana);
    const asked = await voidPayment('Ana Costa');
    expect(asked).toMatchObject({ exitCode: 8, stdout: '' });
    const tried = await voidPayment('Ana Costa', '--dry-run');
    expect(tried.stderr).toContain("Would void Ana Costa's payment of 45.00 EUR");
    expect(await statusOf(id)).toBe('completed');
    const ran = await voidPayment('Ana Costa', '--yes');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain("Voided Ana Costa's payment of 45.00 EUR");
    expect(await statusOf(id)).toBe('cancelled');
    const again = await voidPayment(id);
    expect(again.exitCode, again.stderr).toBe(0);
    expect(again.stderr).toContain('is void already. Nothing was changed.');
    expect(again.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
    expect((await voidPayment('Ana Costa', '--yes')).exitCode).toBe(6);
  });

  it('refuses a payment of which money was given back', async () => {
    const id = await pay(salon.ids.joao);
    await salon.client.payments.refund(id, { amount: 500 });
    const ran = await voidPayment(id, '--yes');
    expect(ran).toMatchObject({ exitCode: 7, stdout: '' });
    expect(ran.stderr).toContain('Refund the rest instead.');
    expect(await statusOf(id)).toBe('completed');
  });

  it('is not for receptionists', async () => {
    const id = await pay(salon.ids.anaMaria);
    const env = { SALON_API_KEY: salon.keys.receptionist };
    const ran = await salon.salon(['payments', 'void', id, '--yes'], { env });
    expect(ran).toMatchObject({ exitCode: 10, stdout: '' });
    expect(await statusOf(id)).toBe('completed');
  });

  it('says that a server cannot void payments', async () => {
    const payment = {
      id: 'p1',
      client_id: null,
      amount: 100,
      tip_amount: 0,
      currency: 'EUR',
      method: 'card',
    };
    await using server = await openMisbehavingServer(({ method }) =>
      method === 'GET'
        ? json({ ...payment, status: 'completed' })
        : json({ message: 'Not Found' }, { status: 404 }),
    );
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', SALON_DIALECT_PAGING: 'none' };
    const ran = await salon.salon(['payments', 'void', 'p1', '--yes'], { env });
    expect(ran, ran.stderr).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^error: This server does not support/m);
  });
});
