import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openVisitSalon } from '../../support/visit-salon.ts';

let salon: Awaited<ReturnType<typeof openVisitSalon>>;

beforeAll(async () => {
  salon = await openVisitSalon();
});
afterAll(() => salon[Symbol.asyncDispose]());

describe('the dialogue of several appointments', () => {
  const fridays = 'book Ana Costa with Quinn for Colour fri 15:00 every 4 weeks 3 times';

  it.each([
    ['the nearest times', '1', 3],
    ['those that are free', '2', 1],
  ])('books %s after a yes', async (_what, answer, count) => {
    const ran = await salon.talk(fridays, [answer, '1']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('  Fri 22 Jan 2027 15:00–16:30  free\n');
    expect(await salon.readBooked(ran.stdout)).toHaveLength(count);
  });

  it('asks for another time where dates are not free, and again at the confirmation', async () => {
    const ran = await salon.talk(fridays, ['3', '9:00', '1', '1', '2', '10:00', '1', '1', '1']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('Colour for Ana Costa with Quinn S., Fri 22 Jan 2027 09:00–10:30\n');
    expect(await salon.readBooked(ran.stdout)).toEqual(
      ['2026-11-27T10:00', '2026-12-23T16:30', '2027-01-22T10:00'].map(
        (start) => `${start} ana Colour 90 Quinn`,
      ),
    );
  });

  it.each([[['4']], [['1', '9']]])('books nothing at %j', async (answers) => {
    const ran = await salon.talk(fridays, answers);
    expect(ran).toMatchObject({ exitCode: 8, stdout: '' });
    expect(ran.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });

  it('asks for the service once, and offers the times that fit everybody', async () => {
    const ran = await salon.talk('book Ana Costa and João Silva thu', ['blow', '1', '10:00', '1', '1']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(await salon.readBooked(ran.stdout)).toEqual([
      expect.stringMatching('2026-11-26T10:00 ana Blow-dry 45'),
      expect.stringMatching('2026-11-26T10:00 joao Blow-dry 45'),
    ]);
  });

  it.each([
    ['first', 'Zelda Quist: Blow-dry and Ana Costa: Colour fri 16:00'],
    ['last', 'Ana Costa: Colour and Zoe Quist: Blow-dry fri 16:00'],
  ])('adds the new client who is named %s, for their own appointment', async (_where, words) => {
    const ran = await salon.talk(`book ${words}`, ['1', '', '', '1']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toMatch(/Blow-dry for Z\w+ Quist with/);
    expect(ran.stderr).toMatch(/Added client Z\w+ Quist/);
    expect(await salon.readBooked(ran.stdout)).toEqual(
      expect.arrayContaining([
        expect.stringMatching('ana Colour 90'),
        expect.stringMatching('new Blow-dry 45'),
      ]),
    );
  });

  it('never books for one new client what another one wants', async () => {
    const ran = await salon.talk('book Zara One: Blow-dry and Zoe Two: Blow-dry fri 15:00', [
      ...['1', '', '', '1', '', ''],
      '1',
    ]);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('Only one of the clients can be new. Nobody was added');
    expect(ran.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });
});
