import { readFileSync, writeFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventTypes } from '../../../src/contract/events.ts';
import { createWebhookSecret } from '../../../src/webhooks/signature.ts';
import { createMachine, type Machine, type RunOptions } from '../../support/io.ts';
import { openWebhookReceiver } from '../../support/webhook-receiver.ts';

const secret = createWebhookSecret(() => Buffer.alloc(32, 'salon'));

let machine: Machine;
beforeEach(() => {
  machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
  writeFileSync(`${machine.home}/secret`, `${secret}\n`);
});
afterEach(() => machine[Symbol.dispose]());

function trigger(flags: string, world: RunOptions = {}) {
  return machine.salon(['webhooks', 'trigger', ...flags.split(' ')], world);
}

describe('salon webhooks trigger', () => {
  it.each(eventTypes)('sends %s with a signature that an independent library accepts', async (type) => {
    await using receiver = await openWebhookReceiver();
    const ran = await trigger(`${type} --to ${receiver.url} --secret-file secret --json`);
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    const [sent] = receiver.received;
    const headers = sent?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(sent?.body ?? '', headers)).toMatchObject({ type });
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: 204, type, id: headers['webhook-id'] });
  });

  it('sets fields of the record', async () => {
    const ran = await trigger('payment.refunded --set amount:=12000 --set currency=JPY');
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(ran.stdout).data.object).toMatchObject({ amount: 12_000, currency: 'JPY' });
  });

  it('writes the sample to --output', async () => {
    const ran = await trigger('client.created --set first_name=Mia -o sample.json');
    expect(ran).toMatchObject({ exitCode: 0, stdout: '' });
    const sample = JSON.parse(readFileSync(`${machine.home}/sample.json`, 'utf8'));
    expect(sample.data.object).toMatchObject({ first_name: 'Mia' });
  });

  it('creates and prints a random secret if none is given', async () => {
    await using receiver = await openWebhookReceiver();
    const ran = await trigger(`client.created --to ${receiver.url}`);
    const [, madeUp = ''] = /Signed with a random secret: (whsec_\S+)/.exec(ran.stderr) ?? [];
    const [sent] = receiver.received;
    expect(() =>
      new Webhook(madeUp).verify(sent?.body ?? '', sent?.headers as Record<string, string>),
    ).not.toThrow();
  });

  it('reads the secret from the environment', async () => {
    await using receiver = await openWebhookReceiver();
    const ran = await trigger(`client.created --to ${receiver.url}`, {
      env: { SALON_WEBHOOK_SECRET: secret },
    });
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it.each([400, 500, 302])('exits 1 if the receiver responds with %i', async (status) => {
    await using receiver = await openWebhookReceiver(() => status);
    const ran = await trigger(`client.created --to ${receiver.url} --secret-file secret --json`);
    expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`responded with ${status}`) });
    expect(JSON.parse(ran.stdout)).toMatchObject({ status });
  });

  it('exits 5 if nothing listens', async () => {
    const receiver = await openWebhookReceiver();
    await receiver[Symbol.asyncDispose]();
    const ran = await trigger(`client.created --to ${receiver.url} --secret-file secret`);
    expect(ran).toMatchObject({
      exitCode: 5,
      stdout: '',
      stderr: expect.stringContaining('the connection was refused'),
    });
  });

  it('stops at the receiver’s time limit', async () => {
    await using receiver = await openWebhookReceiver(() => new Promise(() => {}));
    const ran = await trigger(`client.created --to ${receiver.url} --secret-file secret --timeout 50ms`);
    expect(ran).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('within 0.05 s') });
  });

  it.each([
    ['booking.canceled', 'Did you mean booking.cancelled?'],
    ['xyz', 'Event types: booking.created,'],
    ['client.created --to localhost:3000', '--to needs an http or https URL'],
    ['client.created --to ftp://localhost', '--to needs an http or https URL'],
    ['client.created --to http://ana:pw@localhost', 'without a user name'],
    ['client.created --set amount', '--set needs field=value'],
    ['client.created -c id', '--columns needs --to'],
    ['client.created --to http://localhost:1 --secret-file nowhere', 'Cannot read --secret-file nowhere'],
  ])('exits 2 and sends nothing: %s', async (flags, message) => {
    expect(await trigger(flags)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });
});
