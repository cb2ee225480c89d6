import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { inviteMember, listInvitations } from '../../../src/service/identity/invitations.ts';
import { createMailer, isTlsTurnedOff, requiresTls } from '../../../src/service/identity/mail.ts';
import { createAuthority } from '../../support/certificates.ts';
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

const hello = { to: 'mia@salon.example', subject: 'Hello', text: 'Hello' };

/** What comes of one mail. */
async function sendTo(url: string, options?: Parameters<typeof createMailer>[1]): Promise<string> {
  const mailer = createMailer({ url, from }, options);
  const outcome = await mailer.send(hello).then(
    () => 'sent',
    (error) => error.message,
  );
  mailer.close();
  return outcome;
}

describe('an encrypted connection to the mail server', () => {
  it.each([
    ['smtp://mail.example', true, false],
    ['smtp://mail.example:587?requireTLS=true', true, false],
    ['smtp://mail.example:25?requireTLS=false', false, true],
    ['smtps://mail.example', true, false],
    ['smtps://mail.example?requireTLS=false', true, false],
    ['smtp://localhost', false, false],
    ['smtp://127.0.0.1:2525', false, false],
    ['smtp://[::1]', false, false],
    ['smtp://127.0.0.1?requireTLS=true', true, false],
    ['smtp://localhost.mail.example', true, false],
  ])('of %s: required %s, turned off %s', (url, required, off) => {
    expect([requiresTls(url), isTlsTurnedOff(url)]).toEqual([required, off]);
  });

  it('carries password and mail, if the certificate is trusted', async () => {
    using authority = createAuthority();
    const startTls = authority.issue('mail', { names: ['IP:127.0.0.1'] });
    await using server = await openMailServer({ startTls });
    const url = server.url.replace('smtp://', 'smtp://ana:hunter2@');
    expect(await sendTo(`${url}?requireTLS=true`)).toMatch(
      /^The mail was not sent: the certificate of the mail server is not trusted \(\w+\)\.$/,
    );
    expect(server.commands.slice(1)).toEqual(['STARTTLS']);
    const known = getCACertificates('default');
    setDefaultCACertificates([...known, authority.pem]);
    try {
      expect(await sendTo(`${url}?requireTLS=true`)).toBe('sent');
    } finally {
      setDefaultCACertificates(known);
    }
    const login = expect.stringMatching(/^AUTH PLAIN /);
    expect(server.commands.slice(3, 6)).toEqual(['STARTTLS', expect.stringMatching(/^EHLO/), login]);
    expect(server.mails).toHaveLength(1);
  });

  it.each([
    ['is not offered', {}, 'refused encryption (STARTTLS) (answer 502)'],
    ['is refused', { startTls: '554 no' }, 'refused encryption (STARTTLS) (answer 554)'],
    ['is refused for now', { startTls: '454 later' }, 'refused encryption (STARTTLS) (answer 454)'],
  ])('that %s is no reason to send password or mail', async (_, options, reason) => {
    await using server = await openMailServer(options);
    const url = server.url.replace('smtp://', 'smtp://ana:hunter2@');
    expect(await sendTo(`${url}?requireTLS=true`)).toBe(`The mail was not sent: the mail server ${reason}.`);
    expect(server.commands.slice(1)).toEqual(['STARTTLS']);
    // Where it is not required, it still is not given up once offered.
    expect(await sendTo(url)).toEqual('startTls' in options ? expect.stringContaining('refused') : 'sent');
  });
});

describe('a mail server', () => {
  it.each([
    ['speaks no TLS', {}, 'smtps', 'the port does not speak TLS from the start; use smtp:// ('],
    [
      'takes TLS for commands',
      { startTls: '220 go on' },
      'smtp',
      'what the mail server sent after STARTTLS is not',
    ],
    ['greets and is none', { welcome: '%%' }, 'smtp', 'what answers is no mail server.'],
    ['is none', { greeting: 'HTTP/1.1 400 Bad Request' }, 'smtp', 'what answers is no mail server.'],
    ['has a bad day', { greeting: '554 no' }, 'smtp', 'the mail server answered 554.'],
  ])('that %s is named', async (_, options, scheme, reason) => {
    await using server = await openMailServer(options);
    const outcome = await sendTo(`${server.url.replace('smtp', scheme)}?requireTLS=true`);
    expect(outcome.startsWith(`The mail was not sent: ${reason}`)).toBe(true);
  });

  it('that never answers is given up', async () => {
    await using server = await openMailServer({ greeting: null });
    expect(await sendTo(server.url, { timeoutMs: 20 })).toMatch(/the mail server did not answer in time/);
  });
});

describe('a mail that the server postpones', () => {
  it('is offered again until it is taken', async () => {
    await using server = await openMailServer({ postpones: 2 });
    const waited: number[] = [];
    const mailer = createMailer({ url: server.url, from }, { wait: async (ms) => void waited.push(ms) });
    await mailer.deliver(hello);
    expect([server.mails.length, waited]).toEqual([1, [60_000, 300_000]]);
  });

  it('is given up after an hour, or when the service stops', async () => {
    await using server = await openMailServer({ postpones: 9 });
    const answered = { message: 'The mail was not sent: the mail server answered 451.' };
    const mailer = createMailer({ url: server.url, from }, { wait: async () => {} });
    await expect(mailer.deliver(hello)).rejects.toMatchObject(answered);
    expect(server.commands.filter((line) => line.startsWith('RCPT'))).toHaveLength(5);
    const stopped = createMailer({ url: server.url, from });
    stopped.close();
    await expect(stopped.deliver(hello)).rejects.toMatchObject(answered);
    expect(server.mails).toEqual([]);
  });

  it('keeps its invitation, and says that it is late', async () => {
    await using people = await openTestPeople();
    await using server = await openMailServer({ postpones: 1 });
    using owner = await signInWithMail(people, server.url);
    const delivered: Promise<void>[] = [];
    const identity = {
      ...owner.context.identity,
      inBackground: (act: () => Promise<void>) => void delivered.push(act()),
    };
    expect(await inviteMember({ ...owner.context, identity }, invited)).toMatchObject({
      ...{ link: null, isMailed: true, mailProblem: expect.stringContaining('asks to wait') },
    });
    await Promise.all(delivered);
    expect([server.mails.length, (await listInvitations(owner.context)).length]).toEqual([1, 1]);
  });
});

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
    expect(error.message).toBe(
      'The mail was not sent: the mail server refused the connection (ECONNREFUSED).',
    );
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
