import { describe, expect, it } from 'vitest';
import { signInWithPassword } from '../../../src/service/identity/password-sign-in.ts';
import type { Passwords } from '../../../src/service/identity/passwords.ts';
import { readSession } from '../../../src/service/identity/sessions.ts';
import { testPassword } from '../../support/members.ts';
import { openTestPeople, someBrowser, type TestPeople } from '../../support/people.ts';

const email = 'ana@salon.example';
const right = { email, password: testPassword, browser: someBrowser };
const wrong = { ...right, password: 'not the password' };

describe('a sign-in with a password', () => {
  it('starts a session with the rights of the membership', async () => {
    await using people = await openTestPeople();
    const userId = await people.addPerson({ role: 'manager' });
    const result = await signInWithPassword(people.visit(), { ...right, email: ' ANA@Salon.Example ' });
    const { database } = people.salon.store;
    const token = 'token' in result ? result.token : '';
    expect(await readSession(database, people.salon.environment, token)).toMatchObject({
      caller: {
        role: 'manager',
        account: { id: people.salon.accountId },
        credential: { kind: 'session', user: { id: userId, email, name: 'Ana Costa' } },
      },
    });
  });

  it.each([
    ['a wrong password', wrong],
    ['an unknown address', { ...right, email: 'nobody@salon.example' }],
    ['a text that is no address', { ...right, email: 'ana' }],
    ['an address that only looks the same', { ...right, email: 'аna@salon.example' }],
    ['a password of a megabyte', { ...right, password: 'x'.repeat(2 ** 20) }],
    ['the right password and a megabyte more', { ...right, password: testPassword.padEnd(2 ** 20) }],
  ])('is refused in the same words with %s', async (_, input) => {
    await using people = await openTestPeople();
    await people.addPerson();
    expect(await signInWithPassword(people.visit(), input)).toEqual({
      status: 'refused',
      message: 'The email address or the password is wrong.',
    });
  });

  it('hashes once at the same cost whether the address is known or not', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const visit = people.visit();
    const hashed: (string | undefined)[] = [];
    const passwords: Passwords = {
      ...visit.identity.passwords,
      verify: (password, hash) => {
        hashed.push(hash);
        return visit.identity.passwords.verify(password, hash);
      },
    };
    const context = { ...visit, identity: { ...visit.identity, passwords } };
    await signInWithPassword(context, wrong);
    await signInWithPassword(context, { ...wrong, email: 'nobody@salon.example' });
    expect(hashed).toEqual([expect.stringMatching(/^\$argon2id\$/), undefined]);
  });
});

/** Fails to sign in, from one address each time. Returns the last result. */
async function fail(people: TestPeople, times: number, input = wrong) {
  let result: Awaited<ReturnType<typeof signInWithPassword>> | undefined;
  for (let at = 0; at < times; at += 1) {
    result = await signInWithPassword(people.visit(`198.51.100.${at}`), input);
  }
  return result;
}

describe('guessing', () => {
  it.each(['ana@salon.example', 'nobody@salon.example'])(
    'is slowed down after ten wrong passwords for %s',
    async (guessed) => {
      await using people = await openTestPeople();
      await people.addPerson();
      const input = { ...wrong, email: guessed };
      expect(await fail(people, 10, input)).not.toHaveProperty('retryAfterMs');
      expect(await fail(people, 1, input)).toMatchObject({
        message: expect.stringContaining('Too many attempts. Try again in 15 minutes'),
        retryAfterMs: 900_000,
      });
      people.salon.environment.setTime('2026-11-21T12:15:00Z');
      expect(await fail(people, 1, input)).not.toHaveProperty('retryAfterMs');
    },
  );

  it('does not lock the person out of a browser in which they have signed in before', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const first = await signInWithPassword(people.visit(), right);
    const browser = { device: 'device' in first ? first.device : '', userAgent: null };
    await fail(people, 20);
    expect(await signInWithPassword(people.visit(), right)).toMatchObject({ status: 'refused' });
    expect(await signInWithPassword(people.visit(), { ...right, browser })).toMatchObject({
      status: 'signed_in',
    });
  });

  it('does not use the known browser of another person, or one that is forged', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    await people.addPerson({ email: 'mia@salon.example' });
    const mia = await signInWithPassword(people.visit(), { ...right, email: 'mia@salon.example' });
    await fail(people, 10);
    for (const device of ['device' in mia ? mia.device : '', 'sealed:1:00000000:AAAA', '']) {
      const result = await signInWithPassword(people.visit(), {
        ...right,
        browser: { device, userAgent: null },
      });
      expect(result).toMatchObject({ status: 'refused' });
    }
  });

  it('counts parallel attempts', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const results = await Promise.all(
      Array.from({ length: 40 }, () => signInWithPassword(people.visit(), wrong)),
    );
    expect(results.filter((result) => !('retryAfterMs' in result))).toHaveLength(10);
  });

  it('of many people from one network is slowed down', async () => {
    await using people = await openTestPeople();
    for (let at = 0; at < 50; at += 1) {
      const network = `2001:db8:1:2:${at}::1`;
      await signInWithPassword(people.visit(network), { ...wrong, email: `p${at}@salon.example` });
    }
    const attempt = (network: string) =>
      signInWithPassword(people.visit(network), { ...wrong, email: 'q@salon.example' });
    expect(await attempt('2001:db8:1:2:ffff::1')).toHaveProperty('retryAfterMs');
    expect(await attempt('2001:db8:1:3::1')).not.toHaveProperty('retryAfterMs');
  });

  it('is forgotten after the right password', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    await fail(people, 9);
    expect(await signInWithPassword(people.visit(), right)).toMatchObject({ status: 'signed_in' });
    expect(await fail(people, 10)).not.toHaveProperty('retryAfterMs');
  });

  it('does not wait for months after the clock was set back', async () => {
    await using people = await openTestPeople();
    people.salon.environment.setTime('2027-11-21T12:00:00Z');
    await fail(people, 10);
    people.salon.environment.setTime('2026-11-21T12:00:00Z');
    expect(await fail(people, 10)).not.toHaveProperty('retryAfterMs');
    expect(await fail(people, 1)).toMatchObject({ retryAfterMs: 900_000 });
  });
});
