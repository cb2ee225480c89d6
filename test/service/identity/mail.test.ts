import { describe, expect, it } from 'vitest';
import { inviteMember, listInvitations } from '../../../src/service/identity/invitations.ts';
import { createMailer } from '../../../src/service/identity/mail.ts';
import { openMailServer } from '../../support/mail-server.ts';
import { openTestPeople, type TestPeople } from '../../support/people.ts';

const from = 'service@salon.example';
const invited = { email: 'mia@salon.example', role: 'viewer', origin: 'https://salon.example' } as const;

/** The owner's context with a mail server. */
async function signInWithMail(people: TestPeople, url: string) {
  await people.addPerson();
  const context = await people.signIn();
  const mailer = createMailer({ url, from });
  return {
    context: { ...context, identity: { ...context.identity, mailer } },
    [Symbol.dispose]: () => mailer.close(),
  };
}

describe('a mailed invitation', () => {
  it('reaches the person, and nobody else sees the link', async () => {
    await using people = await openTestPeople();
    await using server = await openMailServer();
    using owner = await signInWithMail(people, server.url);
    expect(await inviteMember(owner.context, invited)).toMatchObject({ link: null, isMailed: true });
    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]?.recipients).toEqual(['<mia@salon.example>']);
    expect(server.mails[0]?.text).toMatch(/^Subject: Invitation to Test salon$/m);
    expect(server.mails[0]?.text).toMatch(/^https:\/\/salon\.example\/invitation\/[A-Za-z0-9_-]{43}$/m);
  });

  it('that no server takes leaves nothing behind, and repeats no address', async () => {
    await using people = await openTestPeople();
    await using server = await openMailServer({ refuses: true });
    using owner = await signInWithMail(people, server.url);
    await expect(inviteMember(owner.context, invited)).rejects.toMatchObject({
      code: 'service_unavailable',
      message: 'The mail was not sent: the mail server answered 550.',
    });
    expect(await listInvitations(owner.context)).toEqual([]);
  });

  it('waits for no server that is not there', async () => {
    await using people = await openTestPeople();
    using owner = await signInWithMail(people, 'smtp://user:hunter2@127.0.0.1:9');
    const error = await inviteMember(owner.context, invited).catch((caught) => caught);
    expect(error.message).toMatch(/^The mail was not sent: no connection to the mail server/);
    expect(error.message).not.toContain('hunter2');
  });

  it('has one recipient whatever the name of the account', async () => {
    await using server = await openMailServer();
    const mailer = createMailer({ url: server.url, from });
    await mailer.send({ to: 'mia@salon.example', subject: 'Salon\r\nBcc: eve@evil.test', text: 'Hello' });
    mailer.close();
    expect(server.mails[0]?.recipients).toEqual(['<mia@salon.example>']);
    expect(server.mails[0]?.text).not.toMatch(/^Bcc:/im);
  });
});
