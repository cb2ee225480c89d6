import { describe, expect, it } from 'vitest';
import {
  changeName,
  changePassword,
  confirmWithPassword,
} from '../../../src/service/identity/own-account.ts';
import {
  assertRecentlyConfirmed,
  endOtherSessions,
  endSession,
  listSessions,
  readSession,
  switchAccount,
} from '../../../src/service/identity/sessions.ts';
import { listTeam } from '../../../src/service/identity/team.ts';
import { addMember, testPassword } from '../../support/members.ts';
import { openTestPeople, someBrowser, type TestPeople } from '../../support/people.ts';

const password = 'five other words for today';

async function readCaller(people: TestPeople, token: string) {
  const { store, environment } = people.salon;
  return (await readSession(store.database, environment, token))?.caller;
}

describe('a session', () => {
  it.each([
    ['two weeks without use', ['2026-12-05T12:00:00Z']],
    ['a month of use', ['2026-12-01T00:00:00Z', '2026-12-11T00:00:00Z', '2026-12-21T12:00:00Z']],
  ])('ends after %s', async (_, visits) => {
    await using people = await openTestPeople();
    await people.addPerson();
    const { token } = await people.signIn();
    const found: boolean[] = [];
    for (const at of visits) {
      people.salon.environment.setTime(at);
      found.push((await readCaller(people, token)) !== undefined);
    }
    expect(found).toEqual(visits.map((_visit, index) => index < visits.length - 1));
  });

  it('is read by its own token only', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const { token } = await people.signIn();
    for (const text of ['', token.slice(0, -1), `${token}x`, token.toLowerCase(), 'a'.repeat(2 ** 20)]) {
      expect(await readCaller(people, text)).toBeUndefined();
    }
  });

  it('notes its use once in five minutes', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const context = await people.signIn();
    const seen: (string | undefined)[] = [];
    for (const at of ['2026-11-21T12:05:00Z', '2026-11-21T12:06:00Z']) {
      people.salon.environment.setTime(at);
      await readCaller(people, context.token);
      seen.push((await listSessions(context))[0]?.last_used_at);
    }
    expect(seen).toEqual(['2026-11-21T12:00:00.000Z', '2026-11-21T12:06:00.000Z']);
  });

  it('is listed with the others of the person, and each can be ended', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    await people.addPerson({ email: 'mia@salon.example' });
    const [first, second, third] = [await people.signIn(), await people.signIn(), await people.signIn()];
    const stranger = await people.signIn('mia@salon.example');
    const listed = await listSessions(first);
    expect(listed.map(({ current }) => current).sort()).toEqual([false, false, true]);
    expect(listed[0]).toMatchObject({ address: '192.0.2.1', user_agent: 'Test browser' });
    const id = 'id' in second.caller.credential ? second.caller.credential.id : '';
    await expect(endSession(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
    await endSession(first, id);
    expect(await readCaller(people, second.token)).toBeUndefined();
    expect(await endOtherSessions(first)).toBe(1);
    expect(await readCaller(people, third.token)).toBeUndefined();
    expect(await readCaller(people, first.token)).toBeDefined();
    await endSession(first);
    expect(await readCaller(people, first.token)).toBeUndefined();
  });

  it('switches between the accounts of the person, with the role of each', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const neighbour = await people.salon.openNeighbour();
    const { store, environment } = people.salon;
    await addMember(store.database, environment, { accountId: neighbour.accountId, role: 'viewer' });
    const context = await people.signIn();
    const stranger = await neighbour.openNeighbour();
    await expect(switchAccount(context, stranger.accountId)).rejects.toMatchObject({ code: 'not_found' });
    await switchAccount(context, neighbour.accountId);
    expect(await readCaller(people, context.token)).toMatchObject({
      account: { id: neighbour.accountId },
      role: 'viewer',
    });
  });
});

describe('a confirmation', () => {
  it('is needed two hours after signing in, and given by the password', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const context = await people.signIn();
    await assertRecentlyConfirmed(context);
    people.salon.environment.setTime('2026-11-21T14:00:00Z');
    await expect(assertRecentlyConfirmed(context)).rejects.toMatchObject({ code: 'confirmation_required' });
    const confirm = (text: string) => confirmWithPassword(context, { password: text, browser: someBrowser });
    expect(await confirm('wrong')).toEqual({ status: 'refused', message: 'The password is wrong.' });
    await expect(assertRecentlyConfirmed(context)).rejects.toMatchObject({ code: 'confirmation_required' });
    expect(await confirm(testPassword)).toEqual({ status: 'confirmed' });
    await assertRecentlyConfirmed(context);
  });

  it('is not extended by a clock that is set back', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const context = await people.signIn();
    people.salon.environment.setTime('2026-11-21T09:59:00Z');
    await expect(assertRecentlyConfirmed(context)).rejects.toMatchObject({ code: 'confirmation_required' });
  });

  it('cannot be guessed', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const context = await people.signIn();
    const confirm = (text: string) => confirmWithPassword(context, { password: text, browser: someBrowser });
    for (let guess = 0; guess < 10; guess += 1) await confirm('wrong');
    expect(await confirm(testPassword)).toMatchObject({ status: 'refused', retryAfterMs: 900_000 });
  });
});

describe('a new password', () => {
  it('needs the current one and ends the other sessions', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const [context, other] = [await people.signIn(), await people.signIn()];
    const change = (current: string) => changePassword(context, { current, password, browser: someBrowser });
    expect(await change('wrong')).toMatchObject({ status: 'refused' });
    expect(await readCaller(people, other.token)).toBeDefined();
    expect(await change(testPassword)).toEqual({ status: 'confirmed' });
    expect(await readCaller(people, other.token)).toBeUndefined();
    expect(await readCaller(people, context.token)).toBeDefined();
    await expect(people.signIn()).rejects.toThrow('refused');
  });

  it.each([
    ['eleven characters', 'kittens bar'],
    ['few different ones', 'abababababab'],
    ['a common word', 'Password1234!'],
    ['a row of keys', 'qwertyuiop12'],
    ['a row of digits', '123456789012'],
    ['the person’s name', 'ana costa 1!'],
    ['more than a kilobyte', 'kittens '.repeat(129)],
  ])('is refused with %s', async (_, weak) => {
    await using people = await openTestPeople();
    await people.addPerson();
    const context = await people.signIn();
    const change = changePassword(context, { current: testPassword, password: weak, browser: someBrowser });
    await expect(change).rejects.toMatchObject({ violations: [{ pointer: '/password' }] });
  });

  it.each([
    'correct horse battery',
    'salon-in-the-old-town',
    'dreißig Äpfel für Zoë',
    '暗号化された鍵の束を持つ猫',
  ])('can be "%s"', async (good) => {
    await using people = await openTestPeople();
    await people.addPerson();
    const change = { current: testPassword, password: good, browser: someBrowser };
    expect(await changePassword(await people.signIn(), change)).toEqual({ status: 'confirmed' });
  });

  it('is the same however its letters are composed', async () => {
    await using people = await openTestPeople();
    await people.addPerson({ password: 'dreißig Äpfel für Zoë'.normalize('NFC') });
    const { identity } = people.visit();
    const hash = await identity.passwords.hash('dreißig Äpfel für Zoë'.normalize('NFD'));
    expect(await identity.passwords.verify('dreißig Äpfel für Zoë'.normalize('NFC'), hash)).toBe(true);
  });
});

describe('a name', () => {
  it('can be changed by the person', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const context = await people.signIn();
    await changeName(context, ' Ana  Maria ');
    expect((await listTeam(context))[0]).toMatchObject({ name: 'Ana Maria' });
    await expect(changeName(context, 'x'.repeat(101))).rejects.toMatchObject({
      violations: [{ pointer: '/name' }],
    });
  });
});
