import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { renderCommand, renderLocalTime, toBookWords } from '../../../src/cli/booking/booking-errors.ts';
import { anyone } from '../../../src/cli/booking/draft.ts';

const empty = { fields: {}, typed: { client: '', stylist: '' } };
const ana = { id: 'cli_1', name: 'Ana' };

describe('the words that go on with a booking', () => {
  it('contain every answer', () => {
    const draft = {
      ...empty,
      newClient: { name: 'Ana Costa', phone: '+351 912' },
      service: 'Root colour',
      durationMinutes: 50,
      stylist: anyone,
      start: '2026-11-24T15:00:00Z',
      fields: { notes: 'late', allow_overlap: true },
    } as const;
    expect(toBookWords(draft, 'Europe/Berlin')?.join(' | ')).toBe(
      'book | --new-client | Ana Costa | --phone | +351 912 | --service | Root colour | --duration | 50 | ' +
        '--stylist | anyone | 2026-11-24T16:00 | --set | notes=late | --set | allow_overlap:=true',
    );
  });

  it('leave out the usual duration, and name the day alone before a time is chosen', () => {
    const span = { startMs: Date.parse('2026-11-23T23:00:00Z'), endMs: 0 };
    const draft = { ...empty, client: ana, service: 'Cut', durationMinutes: 30, isUsualDuration: true, span };
    expect(toBookWords(draft, 'Europe/Berlin')).toEqual(['book', 'cli_1', '--service', 'Cut', '2026-11-24']);
  });

  it('keep a reference that is not resolved yet', () => {
    const draft = { ...empty, typed: { client: 'Ana', stylist: 'Mia' } };
    expect(toBookWords(draft, 'UTC')).toEqual(['book', 'Ana', '--stylist', 'Mia']);
  });
});

describe('a local time', () => {
  it('is in UTC where the clocks show it for the second time', () => {
    expect(renderLocalTime('2026-10-25T00:30:00Z', 'Europe/Berlin')).toBe('2026-10-25T02:30');
    expect(renderLocalTime('2026-10-25T01:30:00Z', 'Europe/Berlin')).toBe('2026-10-25T01:30:00Z');
  });
});

describe('a command line', () => {
  const words = ['book', 'José "Pepe" $HOME `x` \\ O\'Neill', '--set', "notes=it's !late", 'plain-word', ''];

  it.skipIf(process.platform === 'win32')('is read back by a shell word by word', () => {
    const line = renderCommand(words, { io: { platform: 'linux' }, flags: { profile: 'my shop' } });
    const script = line.replace(/^salon/, 'printf "%s\\0"');
    const read = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
    expect(read).toEqual([...words, '-p', 'my shop']);
  });

  it('uses the quotes of Windows', () => {
    expect(renderCommand(['book', 'Ana Costa', 'a"b'], { io: { platform: 'win32' }, flags: {} })).toBe(
      'salon book "Ana Costa" "a""b"',
    );
  });
});
