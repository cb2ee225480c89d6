import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/service/db/database.ts';
import { createMachine, type Machine } from '../../support/io.ts';
import { openMailServer } from '../../support/mail-server.ts';
import { addMember } from '../../support/members.ts';
import { createTestEnvironment } from '../../support/salon.ts';

let machine: Machine;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine[Symbol.dispose]());

const database = '--database sqlite:salon.db';

async function read(line: string, env: Record<string, string> = {}) {
  const ran = await machine.salon([...line.split(' '), '--json'], { env });
  expect(ran.exitCode, ran.stderr).toBe(0);
  return JSON.parse(ran.stdout);
}

async function createOwned() {
  return read(`server accounts create --name Aurora --owner you@example.com ${database}`);
}

/** Adds a member without the link that only they would open. */
async function add(accountId: string, email: string): Promise<void> {
  await using opened = await openDatabase(`sqlite:${join(machine.home, 'salon.db')}`);
  await addMember(opened, createTestEnvironment(), { accountId, email, role: 'owner' });
}

describe('a new account with an owner', () => {
  it('prints the link of the owner', async () => {
    expect(await createOwned()).toMatchObject({
      name: 'Aurora',
      owner: 'you@example.com',
      link: expect.stringMatching(/^http:\/\/localhost:8080\/invitation\/[A-Za-z0-9_-]{43}$/),
      link_expires_at: expect.any(String),
    });
    expect(await read(`server users list ${database}`)).toMatchObject([
      { email: 'you@example.com', role: 'owner', status: 'invited', name: null },
    ]);
  });

  it('shows when the link expires as a local time', async () => {
    const argv = [
      'service',
      'account',
      'create',
      '--name',
      'Aurora',
      '--owner',
      'you@example.com',
      '-f',
      'table',
    ];
    const ran = await machine.salon([...argv, '--database', 'sqlite:salon.db']);
    expect(ran.stdout).toMatch(/^Link expires +\d{4}-\d\d-\d\d \d\d:\d\d \(/m);
  });

  it('is not created for a mistyped address', async () => {
    const ran = await machine.salon(
      `server accounts create --name A --owner you.example.com ${database}`.split(' '),
    );
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect((await machine.salon(`server users list ${database}`.split(' '))).stderr).toContain(
      'no account yet',
    );
  });
});

describe('salon server users', () => {
  it.each([
    ['invite mia@salon.example --role stylist', 2, 'Choose which stylist'],
    ['invite mia@salon.example --role stylist --stylist Mia', 2, 'no stylist "Mia"'],
    ['invite mia@salon.example --role boss', 2, 'boss'],
    ['invite mia@salon.example --role viewer --public-url salon.example', 2, 'not an http or https origin'],
    ['invite mia@salon.example --role viewer --account acc_none', 6, 'acc_none'],
    ['reset nobody@salon.example', 6, 'No person with the email address nobody@salon.example'],
    ['deactivate nobody@salon.example --yes', 6, 'No person'],
    ['deactivate you@example.com', 8, 'End the access of you@example.com'],
    ['erase nobody@salon.example --yes', 6, 'No person with the email address nobody@salon.example'],
    ['erase you@example.com', 8, 'Erase you@example.com from all accounts? This cannot be undone.'],
  ])('refuses: %s', async (line, exitCode, message) => {
    await createOwned();
    const ran = await machine.salon(`server users ${line} ${database}`.split(' '));
    expect(ran).toMatchObject({ exitCode, stdout: '' });
    expect(ran.stderr).toContain(message);
  });

  it('ends the access of the last owner, too', async () => {
    const { id } = await createOwned();
    await add(id, 'ana@salon.example');
    expect(await read(`server users deactivate ANA@salon.example --yes ${database}`)).toMatchObject({
      email: 'ana@salon.example',
      deactivated: true,
      sessions: 0,
    });
    const reset = await machine.salon(`server users reset ana@salon.example ${database}`.split(' '));
    expect(reset.exitCode).toBe(6);
  });

  it('erases a person from all accounts, unless they are the only owner of one', async () => {
    const { id } = await createOwned();
    await add(id, 'ana@salon.example');
    const only = await machine.salon(`server users erase ana@salon.example --yes ${database}`.split(' '));
    expect(only).toMatchObject({ exitCode: 7, stdout: '' });
    expect(only.stderr).toContain('is the only owner of an account. Make someone else an owner first.');
    await add(id, 'bo@salon.example');
    expect(await read(`server users erase ANA@salon.example --yes ${database}`)).toMatchObject({
      ...{ email: 'ana@salon.example', erased: true },
    });
    const people = await read(`server users list ${database}`);
    expect(people.map(({ email }: { email: string }) => email)).not.toContain('ana@salon.example');
    const verified = await machine.salon(`server audit verify ${database}`.split(' '));
    expect(verified).toMatchObject({ exitCode: 0 });
  });

  it('requires a second factor of everybody in an account', async () => {
    const { id } = await createOwned();
    for (const [rule, isRequired] of [
      ['required', true],
      ['optional', false],
    ] as const) {
      expect(await read(`server accounts second-factor ${rule} ${database}`)).toEqual({
        ...{ account_id: id, second_factor_required: isRequired },
      });
    }
    const wrong = await machine.salon(`server accounts second-factor maybe ${database}`.split(' '));
    expect(wrong).toMatchObject({ exitCode: 2 });
  });

  it('asks for the account of a person who has two', async () => {
    const first = await createOwned();
    const second = await createOwned();
    for (const { id } of [first, second]) await add(id, 'ana@salon.example');
    const line = `server users deactivate ana@salon.example --yes ${database}`;
    const ran = await machine.salon(line.split(' '));
    expect(ran).toMatchObject({ exitCode: 2 });
    expect(ran.stderr).toContain(second.id);
    expect(await read(`${line} --account ${second.id}`)).toMatchObject({ account_ids: [second.id] });
    expect(await read(`server users reset ana@salon.example ${database}`)).toMatchObject({
      link: expect.stringContaining('http://localhost:8080/reset/'),
    });
  });

  it('ends the access of a person to all accounts', async () => {
    const ids = [(await createOwned()).id, (await createOwned()).id];
    for (const id of ids) await add(id, 'ana@salon.example');
    const line = `server users deactivate ana@salon.example --everywhere --yes ${database}`;
    expect(await read(line)).toMatchObject({ account_ids: expect.arrayContaining(ids) });
    expect((await machine.salon(line.split(' '))).exitCode).toBe(6);
  });

  it('mails links where a mail server is configured, and prints them', async () => {
    await createOwned();
    await using server = await openMailServer();
    const env = { SALON_SMTP_URL: server.url, SALON_MAIL_FROM: 'service@salon.example' };
    const invited = await read(`server users invite mia@salon.example --role viewer ${database}`, env);
    expect(invited).toMatchObject({ mailed: true, mail_problem: null });
    expect(server.mails[0]?.text).toContain(invited.link);
  });

  it('prints the link although the mail server refuses it', async () => {
    await createOwned();
    await using server = await openMailServer({ refuses: true });
    const env = { SALON_SMTP_URL: server.url, SALON_MAIL_FROM: 'service@salon.example' };
    const ran = await machine.salon(
      `server users invite mia@salon.example --role viewer ${database}`.split(' '),
      { env },
    );
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('/invitation/') });
    expect(ran.stderr).toContain(
      'The mail was not sent: the mail server answered 550. Send the link yourself.',
    );
  });

  it.each([
    [{ SALON_SMTP_URL: 'mail.example:25', SALON_MAIL_FROM: 'a@b.c' }, 'SALON_SMTP_URL'],
    [{ SALON_SMTP_URL: 'smtp://u:hunter2@mail.example' }, 'SALON_MAIL_FROM'],
  ])('refuses the mail settings %o', async (env, message) => {
    await createOwned();
    const ran = await machine.salon(`server users list ${database}`.split(' '), { env });
    expect(ran).toMatchObject({ exitCode: 2 });
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).not.toContain('hunter2');
  });
});

describe('without --database', () => {
  it('commands of the service use the embedded salon of the profile', async () => {
    const env = { SALON_BASE_URL: 'embedded:shop', SALON_DATA_DIR: '.' };
    await machine.salon('server accounts create --name Shop --database sqlite:shop.db'.split(' '));
    expect(await read('server users invite ana@salon.example --role owner', env)).toHaveProperty('link');
    expect(await read('server users list', env)).toHaveLength(1);
    const started = await machine.salon('server start --port 0'.split(' '), {
      env,
      signal: AbortSignal.abort('SIGTERM'),
    });
    expect(started).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\n$/),
    });
  });

  it.each([
    ['nothing', {}],
    ['a server elsewhere', { SALON_BASE_URL: 'https://salon.example', SALON_API_KEY: 'k' }],
    ['a salon that does not exist', { SALON_BASE_URL: 'embedded:none', SALON_DATA_DIR: '.' }],
  ])('they create nothing when connected to %s', async (_, env: Record<string, string>) => {
    for (const line of ['server start --port 0', 'server accounts create --name A', 'server users list']) {
      const ran = await machine.salon(line.split(' '), { env });
      expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
      expect(ran.stderr).toContain('No database given');
    }
    expect(existsSync(join(machine.home, 'none.db'))).toBe(false);
  });
});
