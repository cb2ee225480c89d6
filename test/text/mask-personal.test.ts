import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  maskPersonalBody,
  maskPersonalHeaders,
  maskPersonalReason,
  maskPersonalSentence,
  maskPersonalUrl,
} from '../../src/text/mask-personal.ts';

const json = { type: 'application/json', isError: false };
const problem = { type: 'application/problem+json', isError: true };
const person = fc.constantFrom(
  ...[
    'Ana',
    'Nguyễn Thị',
    'Çelik',
    '山田花子',
    "O'Neill",
    'Mia Lindqvist',
    'ana@example.com',
    '+49 151 1234567',
  ],
  ...['015112345678', '+4915112345678', 'Rue de la Paix 5', '1990-02-28', 'Allergic to latex.'],
);

function leavesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}

describe('a body', () => {
  it('loses the values of people, whatever their fields are called and wherever they are', () => {
    const name = fc.oneof(
      fc.constantFrom(
        'first_name',
        'lastName',
        'vorname',
        'kunde',
        'mobile',
        'contact',
        'value',
        'phone_number',
      ),
      fc.stringMatching(/^[a-z]{1,6}_(?:name|notes|mail|tel)$/),
    );
    const place = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        person,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 3, minKeys: 1 }),
      ),
    })).value;
    fc.assert(
      fc.property(place, fc.constantFrom(json, problem), (value, kind) => {
        const text = JSON.stringify({ data: value });
        const masked = maskPersonalBody(text, kind);
        for (const one of leavesOf(value)) expect(masked).not.toContain(JSON.stringify(one).slice(1, -1));
        expect(() => JSON.parse(masked)).not.toThrow();
      }),
    );
  });

  test.each([
    ['id', 'ana@example.com'],
    ['status', '+4915112345678'],
    ['client_id', '015112345678'],
    ['type', 'Ana Costa'],
    ['birth_date', '1990-02-28'],
    ['birthday', '1990-02-28T00:00:00Z'],
    ['url', 'https://salon.test/c/Ana?email=ana@example.com'],
    ['next', '/clients?q=Ana&page=2'],
  ])('loses a person in the technical field %s: %s', (name, value) => {
    const masked = maskPersonalBody(JSON.stringify({ [name]: value }), json);
    expect(masked).not.toMatch(/Ana|ana@|151|1990/);
  });

  it('keeps what is technical', () => {
    const text = JSON.stringify({
      data: [
        { id: 'cli_01jd', stylist_id: 9007, status: 'confirmed', created_at: '2026-11-22T09:00:00.120Z' },
      ],
      pagination: { page: 1, per_page: 200, total: 1_234_567, next: '/clients?page=2&after=WzIsMl0' },
      consent: true,
      amount: 4500,
      '@odata.nextLink': 'https://salon.test/Clients?$skiptoken=20',
    });
    expect(maskPersonalBody(text, json)).toBe(text);
  });

  it('keeps the digits of numbers that JavaScript would change', () => {
    const text = '{"id":9007199254740993,"amount":1.50,"phone":4915112345678}';
    expect(maskPersonalBody(text, json)).toBe('{"id":9007199254740993,"amount":1.50,"phone":"…"}');
  });

  it('of an error keeps the plain words of its sentences', () => {
    const text = JSON.stringify({
      code: 'appointment_conflict',
      detail:
        'The stylist Mia is booked 2026-11-22T10:00:00Z (Ana Costa, ana@x.test, +49 151 1234567), see apt_01jd.',
      errors: [{ pointer: '/email', detail: 'Must be an e-mail address, not Ana.' }],
    });
    expect(JSON.parse(maskPersonalBody(text, problem))).toEqual({
      code: 'appointment_conflict',
      detail: 'The stylist … is booked 2026-11-22T10:00:00Z (… …, …, …), see apt_01jd.',
      errors: [{ pointer: '/email', detail: 'Must be an e-mail address, not ….' }],
    });
  });

  it('that is a form or no JSON is masked, too', () => {
    const form = { type: 'application/x-www-form-urlencoded', isError: false };
    expect(maskPersonalBody('name=Ana+Costa&status=active&email=a%40b.c', form)).toBe(
      'name=…&status=active&email=…',
    );
    expect(maskPersonalBody('Ana Costa', { type: 'text/plain', isError: false })).toBe('…');
    expect(maskPersonalBody('No client Ana.', { type: 'text/plain', isError: true })).toBe('No client ….');
  });
});

describe('a URL', () => {
  test.each([
    ['https://salon.test/api/v1/clients?page=2&per_page=200&sort=-last_name', undefined],
    ['https://salon.test/api/v1/clients/cli_01jd/merge?start_time_from=2026-11-22', undefined],
    ['/v2/customers/search?limit=100&cursor=abc', undefined],
    ['/clients?q=Ana&email=ana%40example.com&page[after]=x', '/clients?q=…&email=…&page[after]=x'],
    ['/clients/Ana', '/clients/…'],
    ['/clients/ana%40example.com/notes', '/clients/…/notes'],
    ['/clients/+4915112345678', '/clients/…'],
    ['/clients/015112345678', '/clients/…'],
    ['/clients?id=eq.7&phone=eq.+49151', '/clients?id=eq.7&phone=…'],
    ['/clients?Ana', '/clients?…'],
  ])('%s shows no person', (url, masked = url) => {
    expect(maskPersonalUrl(url)).toBe(masked);
  });
});

describe('headers', () => {
  it('show no person', () => {
    const headers = {
      link: '</clients?q=Ana&page=2>; rel="next"',
      location: '/clients/Ana',
      'x-user-name': 'Ana',
      'user-agent': 'salon/1',
      'x-echo': 'for ana@example.com',
    };
    expect(maskPersonalHeaders(headers)).toEqual({
      link: '</clients?q=…&page=2>; rel="next"',
      location: '/clients/…',
      'x-user-name': '…',
      'user-agent': 'salon/1',
      'x-echo': 'for …',
    });
  });
});

describe('a sentence', () => {
  it('shows no birthday without a year', () => {
    expect(maskPersonalSentence('The birthday --05-15 is wrong.')).toBe('The birthday … is wrong.');
  });

  it('takes a time that grows with its length alone', () => {
    for (const part of ['1 ', 'a@', 'É', '+1(', "'", 'a_']) {
      const start = process.cpuUsage();
      maskPersonalSentence(part.repeat(100_000));
      maskPersonalReason(part.repeat(100_000));
      expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
    }
  });

  it('of our own about a failure keeps everything but addresses of people', () => {
    expect(maskPersonalReason('https://salon.test:8443 redirects to https://sso.test/login?user=Ana.')).toBe(
      'https://salon.test:8443 redirects to https://sso.test/login?user=….',
    );
  });
});
