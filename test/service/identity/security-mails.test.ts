import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { createApiKey, rollApiKey } from '../../../src/service/identity/api-keys.ts';
import { beginTotp, finishTotp, removeTotp } from '../../../src/service/identity/second-factor.ts';
import { openMailServer } from '../../support/mail-server.ts';
import { testPassword } from '../../support/members.ts';
import { openTestPeople } from '../../support/people.ts';
import { sendRequest } from '../../support/send-request.ts';
import { openTestService } from '../../support/service.ts';
import { signInVisitor } from '../../support/signed-in-visitor.ts';
import { createVisitor } from '../../support/visitor.ts';

const from = 'service@salon.example';

describe('a mail', () => {
  it('tells of a sign-in in a new browser, a new key and a changed password, and holds no secret', async () => {
    await using server = await openMailServer();
    const service = await openTestService({ config: { mail: { url: server.url, from } } });
    await service.addPerson();
    const visitor = await signInVisitor(service.origin);
    const page = await visitor.press(await visitor.open('/settings/api-keys/new'), 'Generate New Key', {
      ...{ name: 'Till', role: 'manager' },
    });
    const key = /value="(slk_[0-9A-Za-z]+)"/.exec(page.text)?.[1] ?? '';
    const body = { name: 'Of the till', role: 'viewer' };
    const made = await sendRequest(`${service.origin}/v1/api-keys`, { method: 'POST', key, body });
    expect(made.status).toBe(201);
    const password = 'seven green umbrellas';
    const form = await visitor.open('/settings/security/password');
    await visitor.submit(form, { current: testPassword, password });
    // The browser is known now.
    await visitor.press(await visitor.open('/sign-out'), 'Sign out');
    await visitor.submit(await visitor.open('/sign-in'), { email: 'ana@salon.example', password });
    await service.close();
    expect(server.mails.map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1]).sort()).toEqual([
      'A new API key was created in your name',
      'A new API key was created in your name',
      'Somebody signed in to your account in a new browser',
      'Your password was changed',
    ]);
    for (const { recipients, text } of server.mails) {
      expect(recipients).toEqual(['<ana@salon.example>']);
      expect(text).toMatch(/Time: .* GMT\nIP address: 127\.0\.0\.1\n/);
      for (const secret of [key, testPassword, password]) expect(text).not.toContain(secret);
      expect(text).not.toMatch(/slk_|https?:/);
    }
  });

  it('tells of every change of a factor', async () => {
    await using people = await openTestPeople();
    await people.addPerson();
    const told: string[] = [];
    const ana = {
      ...(await people.signIn()),
      notify: (_context: object, { email }: { email: string }, what: string) =>
        told.push(`${email}: ${what}`),
    };
    const { secret, setup } = await beginTotp(ana);
    await expect(finishTotp(ana, { setup, code: '000000' })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    expect(told).toEqual([]);
    const timestamp = ana.environment.now().getTime();
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
    await finishTotp(ana, { setup, code });
    await removeTotp(ana);
    await rollApiKey(ana, (await createApiKey(ana, { name: 'Till', role: 'viewer' })).id, {});
    expect(told).toEqual([
      'ana@salon.example: An authenticator app was added to your account',
      'ana@salon.example: The authenticator app was removed from your account',
      'ana@salon.example: A new API key was created in your name',
      'ana@salon.example: A new API key was created in your name',
    ]);
  });

  it('that cannot be sent stops nothing, and is logged without addresses', async () => {
    await using server = await openMailServer({ refuses: true });
    for (const url of [server.url, 'smtp://127.0.0.1:9']) {
      const service = await openTestService({ config: { mail: { url, from }, logLevel: 'error' } });
      await service.addPerson();
      const visitor = createVisitor(service.origin);
      const page = await visitor.submit(await visitor.open('/sign-in'), {
        ...{ email: 'ana@salon.example', password: testPassword },
      });
      expect(page.url).toBe('/settings/account');
      await service.close();
    }
    expect(server.mails).toEqual([]);
  });
});
