import { describe, expect, it } from 'vitest';
import {
  insertPasskey,
  readPasskeysOf,
  readUser,
  updateUser,
} from '../../../src/service/db/identity/users.ts';
import type { Mail } from '../../../src/service/identity/mail.ts';
import { signInWithPassword } from '../../../src/service/identity/password-sign-in.ts';
import { createReset, readReset, requestReset, resetPassword } from '../../../src/service/identity/resets.ts';
import { readSession } from '../../../src/service/identity/sessions.ts';
import { addMember, testPassword } from '../../support/members.ts';
import { openTestPeople, someBrowser, type TestPeople } from '../../support/people.ts';

const origin = 'https://salon.example';
const email = 'mia@salon.example';
const password = 'five other words for today';
const old = { email, password: testPassword, browser: someBrowser };

/** A reset of Mia, created by the owner Ana. Returns its token and Mia's ID. */
async function reset(people: TestPeople, { removesSecondFactor = false } = {}) {
  await people.addPerson();
  const userId = await people.addPerson({ email, role: 'viewer' });
  const { link } = await createReset(await people.signIn(), { userId, origin, removesSecondFactor });
  return { userId, token: link?.split('/').at(-1) ?? '' };
}

/** Lets mails arrive in a list. */
function withMailbox(people: TestPeople) {
  const mails: Mail[] = [];
  const done: Promise<void>[] = [];
  const visit = people.visit();
  const take = async (mail: Mail) => void mails.push(mail);
  const mailer = { send: take, deliver: take, close: () => {} };
  const inBackground = (act: () => Promise<void>) => void done.push(act());
  return {
    mails,
    context: { ...visit, identity: { ...visit.identity, mailer, inBackground } },
    arrive: () => Promise.all(done),
  };
}

function readToken({ text }: Pick<Mail, 'text'> = { text: '' }): string {
  return /\/reset\/([A-Za-z0-9_-]{43})\n/.exec(text)?.[1] ?? '';
}

describe('a reset', () => {
  it('sets a password, ends every session and signs the person in', async () => {
    await using people = await openTestPeople();
    const { token } = await reset(people);
    const before = await people.signIn(email);
    expect(await readReset(people.visit(), token)).toEqual({ email, removesSecondFactor: false });
    expect(await resetPassword(people.visit(), { token, password, browser: someBrowser })).toMatchObject({
      status: 'signed_in',
    });
    const { database } = people.salon.store;
    expect(await readSession(database, people.salon.environment, before.token)).toBeUndefined();
    expect(await signInWithPassword(people.visit(), old)).toMatchObject({ status: 'refused' });
    expect(await signInWithPassword(people.visit(), { ...old, password })).toMatchObject({
      status: 'signed_in',
    });
  });

  it('works once and for a day', async () => {
    await using people = await openTestPeople();
    const { token } = await reset(people);
    people.salon.environment.setTime('2026-11-22T12:00:00Z');
    const use = () => resetPassword(people.visit(), { token, password, browser: someBrowser });
    await expect(use()).rejects.toMatchObject({ message: 'This link has expired. Ask for a new one.' });
    people.salon.environment.setTime('2026-11-22T11:59:59Z');
    await use();
    await expect(use()).rejects.toMatchObject({
      message: 'This link has already been used. Ask for a new one.',
    });
  });

  it('lets a person in whom strangers have locked out', async () => {
    await using people = await openTestPeople();
    const { token } = await reset(people);
    for (let guess = 0; guess < 10; guess += 1) {
      await signInWithPassword(people.visit('198.51.100.7'), { ...old, password: 'wrong' });
    }
    await resetPassword(people.visit(), { token, password, browser: someBrowser });
    expect(await signInWithPassword(people.visit(), { ...old, password })).toMatchObject({
      status: 'signed_in',
    });
  });

  it.each([
    [false, 'second_factor'],
    [true, 'signed_in'],
  ])('that removes the second factor: %s, ends with %s', async (removesSecondFactor, status) => {
    await using people = await openTestPeople();
    const { token, userId } = await reset(people, { removesSecondFactor });
    // Cannot be opened: the key of the secrets may be lost.
    await people.salon.store.database.transaction('service', (tx) =>
      updateUser(tx, userId, { totp_secret: 'sealed:lost' }),
    );
    const result = await resetPassword(people.visit(), { token, password, browser: someBrowser });
    expect(result).toMatchObject({ status });
  });

  it('keeps the link for a password that is too easy to guess', async () => {
    await using people = await openTestPeople();
    const { token } = await reset(people);
    const weak = { token, password: 'password1234', browser: someBrowser };
    await expect(resetPassword(people.visit(), weak)).rejects.toMatchObject({
      violations: [{ pointer: '/password' }],
    });
    expect(await readReset(people.visit(), token)).toBeDefined();
  });

  it('is not given for somebody who also works elsewhere, or above one’s own role', async () => {
    await using people = await openTestPeople();
    const { userId } = await reset(people);
    const neighbour = await people.salon.openNeighbour();
    const { store, environment } = people.salon;
    await addMember(store.database, environment, { accountId: neighbour.accountId, email });
    const owner = await people.signIn();
    const input = { userId, origin, removesSecondFactor: false };
    await expect(createReset(owner, input)).rejects.toMatchObject({ code: 'permission_denied' });
    await people.addPerson({ email: 'max@salon.example', role: 'manager' });
    const ofOwner = createReset(await people.signIn('max@salon.example'), {
      ...input,
      userId: ownerId(owner),
    });
    await expect(ofOwner).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('does not open as an invitation, nor an invitation as a reset', async () => {
    await using people = await openTestPeople();
    const { token } = await reset(people);
    const { readInvitation } = await import('../../../src/service/identity/join.ts');
    await expect(readInvitation(people.visit(), token)).rejects.toMatchObject({ code: 'not_found' });
  });
});

function ownerId({ caller }: Awaited<ReturnType<TestPeople['signIn']>>): string {
  return caller.credential.kind === 'session' ? caller.credential.user.id : '';
}

describe('a reset by mail', () => {
  it('goes to known addresses only, three times at once', async () => {
    await using people = await openTestPeople();
    await people.addPerson({ email });
    const { context, mails, arrive } = withMailbox(people);
    for (let time = 0; time < 5; time += 1) requestReset(context, { email: ' MIA@salon.example', origin });
    requestReset(context, { email: 'nobody@salon.example', origin });
    requestReset(context, { email: 'mia@salon.example\r\nBcc: eve@evil.test', origin });
    await arrive();
    expect(mails.map(({ to }) => to)).toEqual([email, email, email]);
    const tokens = mails.map(readToken);
    await expect(readReset(context, tokens[0] ?? '')).rejects.toMatchObject({ code: 'not_found' });
    expect(await readReset(context, tokens[2] ?? '')).toMatchObject({ email });
  });

  it('removes passkeys from before the address was proved, but no second factor', async () => {
    await using people = await openTestPeople();
    const userId = await people.addPerson({ email });
    const { database } = people.salon.store;
    await database.transaction('service', (tx) =>
      insertPasskey(tx, {
        ...{
          id: 'AAAA',
          user_id: userId,
          name: 'Stranger',
          public_key: 'AAAA',
          counter: 0,
          transports: '[]',
        },
        ...{ created_at: '2026-11-21T12:00:00.000Z', last_used_at: null },
      }),
    );
    await database.transaction('service', (tx) => updateUser(tx, userId, { totp_secret: 'sealed:own' }));
    const { context, mails, arrive } = withMailbox(people);
    requestReset(context, { email, origin });
    await arrive();
    const used = { token: readToken(mails[0]), password, browser: someBrowser };
    expect(await resetPassword(context, used)).toMatchObject({ status: 'second_factor' });
    expect(await readPasskeysOf(database.reader, userId)).toEqual([]);
    expect(await readUser(database.reader, userId)).toMatchObject({
      verified_at: '2026-11-21T12:00:00.000Z',
    });
  });

  it('is refused without a mail server', async () => {
    await using people = await openTestPeople();
    expect(() => requestReset(people.visit(), { email, origin })).toThrow(
      'This service does not send email.',
    );
  });
});
