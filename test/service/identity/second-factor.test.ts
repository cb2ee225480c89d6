import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { readUser } from '../../../src/service/db/identity/users.ts';
import { readOwnSecurity } from '../../../src/service/identity/own-account.ts';
import { signInWithPassword } from '../../../src/service/identity/password-sign-in.ts';
import {
  beginTotp,
  finishSecondFactor,
  finishTotp,
  removeTotp,
  renewRecoveryCodes,
} from '../../../src/service/identity/second-factor.ts';
import { testPassword } from '../../support/members.ts';
import { openTestPeople, someBrowser, type TestPeople } from '../../support/people.ts';

const right = { email: 'ana@salon.example', password: testPassword, browser: someBrowser };

function toCode(secret: string, at: string): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.parse(at) });
}

/** A person with an authenticator app, added at noon. */
async function addApp(people: TestPeople) {
  const id = await people.addPerson();
  const context = await people.signIn();
  const { secret, uri, setup } = await beginTotp(context);
  const codes = await finishTotp(context, { setup, code: toCode(secret, '2026-11-21T12:00:00Z') });
  return { id, context, secret, uri, codes };
}

async function readTicket(people: TestPeople): Promise<string> {
  const result = await signInWithPassword(people.visit(), right);
  if (result.status !== 'second_factor') throw new Error(`Expected a second factor, not ${result.status}.`);
  return result.ticket;
}

describe('an authenticator app', () => {
  it('is asked for after the password, and its codes work once', async () => {
    await using people = await openTestPeople();
    const { secret } = await addApp(people);
    people.salon.environment.setTime('2026-11-21T12:01:00Z');
    const code = toCode(secret, '2026-11-21T12:01:00Z');
    const first = await readTicket(people);
    const second = await readTicket(people);
    const finish = (ticket: string) =>
      finishSecondFactor(people.visit(), {
        ticket,
        code: `${code.slice(0, 3)} ${code.slice(3)}`,
        browser: someBrowser,
      });
    expect(await finish(first)).toMatchObject({ status: 'signed_in' });
    expect(await finish(second)).toMatchObject({
      status: 'refused',
      message: expect.stringContaining('used before'),
    });
  });

  it.each([
    ['a minute ago', '2026-11-21T12:04:00Z', 'refused'],
    ['half a minute ago', '2026-11-21T12:04:30Z', 'signed_in'],
    ['in half a minute', '2026-11-21T12:05:30Z', 'signed_in'],
    ['on a phone that is ten minutes late', '2026-11-21T11:55:00Z', 'refused'],
    ['on a phone that is ten minutes early', '2026-11-21T12:15:00Z', 'refused'],
  ])('has a code of %s that ends with %s', async (_, at, status) => {
    await using people = await openTestPeople();
    const { secret } = await addApp(people);
    people.salon.environment.setTime('2026-11-21T12:05:00Z');
    const ticket = await readTicket(people);
    const input = { ticket, code: toCode(secret, at), browser: someBrowser };
    expect(await finishSecondFactor(people.visit(), input)).toMatchObject({ status });
  });

  it('counts only after its first code', async () => {
    await using people = await openTestPeople();
    const id = await people.addPerson();
    const context = await people.signIn();
    const { secret, setup } = await beginTotp(context);
    const late = finishTotp(context, { setup, code: toCode(secret, '2026-11-21T12:10:00Z') });
    await expect(late).rejects.toMatchObject({
      code: 'validation_failed',
      violations: [{ pointer: '/code' }],
    });
    expect(await readUser(people.salon.store.database.reader, id)).toMatchObject({ totp_secret: null });
    expect(await signInWithPassword(people.visit(), right)).toMatchObject({ status: 'signed_in' });
  });

  it('cannot be set up with the ticket of another person', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    await people.addPerson({ email: 'mia@salon.example' });
    const { secret, setup } = await beginTotp(await people.signIn());
    const mia = await people.signIn('mia@salon.example');
    const code = toCode(secret, '2026-11-21T12:00:00Z');
    await expect(finishTotp(mia, { setup, code })).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('is stored encrypted, and its URI names the person', async () => {
    await using people = await openTestPeople();
    const { id, secret, uri } = await addApp(people);
    const row = await readUser(people.salon.store.database.reader, id);
    expect(row?.totp_secret).toMatch(/^sealed:/);
    expect(row?.totp_secret).not.toContain(secret);
    expect(uri).toContain('otpauth://totp/Salon:ana%40salon.example?');
  });

  it('can be removed, with its recovery codes', async () => {
    await using people = await openTestPeople();
    const { context } = await addApp(people);
    await removeTotp(context);
    expect(await readOwnSecurity(context)).toMatchObject({ second_factor: false, recovery_codes: 0 });
    expect(await signInWithPassword(people.visit(), right)).toMatchObject({ status: 'signed_in' });
  });

  it('cannot be changed two hours after signing in without a confirmation', async () => {
    await using people = await openTestPeople();
    const { context } = await addApp(people);
    people.salon.environment.setTime('2026-11-21T14:00:00Z');
    const refusal = { code: 'confirmation_required' };
    await expect(beginTotp(context)).rejects.toMatchObject(refusal);
    await expect(removeTotp(context)).rejects.toMatchObject(refusal);
    await expect(renewRecoveryCodes(context)).rejects.toMatchObject(refusal);
  });
});

describe('the second step of a sign-in', () => {
  it('cannot be repeated, forged or finished after ten minutes', async () => {
    await using people = await openTestPeople();
    const { codes } = await addApp(people);
    const ticket = await readTicket(people);
    const finish = (which: string, at: number) =>
      finishSecondFactor(people.visit(), { ticket: which, code: codes[at] ?? '', browser: someBrowser });
    expect(await finish(`${ticket}A`, 0)).toMatchObject({
      message: 'This sign-in has expired. Start again.',
    });
    expect(await finish(ticket, 0)).toMatchObject({ status: 'signed_in' });
    expect(await finish(ticket, 1)).toMatchObject({ message: 'This sign-in has expired. Start again.' });
    const other = await readTicket(people);
    people.salon.environment.setTime('2026-11-21T12:10:00Z');
    expect(await finish(other, 2)).toMatchObject({ message: 'This sign-in has expired. Start again.' });
  });

  it('allows ten guesses', async () => {
    await using people = await openTestPeople();
    const { codes } = await addApp(people);
    const ticket = await readTicket(people);
    for (let guess = 0; guess < 10; guess += 1) {
      const input = { ticket, code: `wrong ${guess}`, browser: someBrowser };
      expect(await finishSecondFactor(people.visit(), input)).not.toHaveProperty('retryAfterMs');
    }
    const input = { ticket, code: codes[0] ?? '', browser: someBrowser };
    expect(await finishSecondFactor(people.visit(), input)).toMatchObject({
      status: 'refused',
      retryAfterMs: 900_000,
    });
  });
});

describe('a recovery code', () => {
  it('works once, in capitals and without dashes, too', async () => {
    await using people = await openTestPeople();
    const { codes, context } = await addApp(people);
    expect(codes).toHaveLength(10);
    const typed = (codes[3] ?? '').toUpperCase().replaceAll('-', ' ');
    const finish = async () =>
      finishSecondFactor(people.visit(), {
        ticket: await readTicket(people),
        code: typed,
        browser: someBrowser,
      });
    expect(await finish()).toMatchObject({ status: 'signed_in' });
    expect(await finish()).toMatchObject({ status: 'refused' });
    expect(await readOwnSecurity(context)).toMatchObject({ recovery_codes: 9 });
  });

  it('is not used up by a sign-in that was finished before', async () => {
    await using people = await openTestPeople();
    const { codes, context } = await addApp(people);
    const ticket = await readTicket(people);
    const finish = (code = '') => finishSecondFactor(people.visit(), { ticket, code, browser: someBrowser });
    expect(await finish(codes[0])).toMatchObject({ status: 'signed_in' });
    expect(await finish(codes[1])).toMatchObject({
      status: 'refused',
      message: expect.stringContaining('expired'),
    });
    expect(await readOwnSecurity(context)).toMatchObject({ recovery_codes: 9 });
  });

  it('of the former set does not work', async () => {
    await using people = await openTestPeople();
    const { codes, context } = await addApp(people);
    const renewed = await renewRecoveryCodes(context);
    const finish = async (code = '') =>
      finishSecondFactor(people.visit(), { ticket: await readTicket(people), code, browser: someBrowser });
    expect(await finish(codes[0])).toMatchObject({ status: 'refused' });
    expect(await finish(renewed[0])).toMatchObject({ status: 'signed_in' });
  });
});
