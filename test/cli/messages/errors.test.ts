import { describe, expect, it } from 'vitest';
import { cancelledMessage, renderError, toSalonError } from '../../../src/cli/messages/errors.ts';
import { isProblemCode, localCodes, problems, SalonError } from '../../../src/contract/errors.ts';

const refused = new SalonError('validation_failed', 'The body breaks two rules.', {
  requestId: 'r-1',
  violations: [
    { pointer: '/email', code: 'invalid_format', detail: 'An address has one @.' },
    { parameter: 'page', code: 'out_of_range', detail: 'At least 1.' },
  ],
});

describe('an error for people', () => {
  it('names the failure, the fields and the next step', () => {
    expect(renderError(refused, { json: false, debug: false })).toBe(
      [
        'error: The body breaks two rules.',
        '  email: An address has one @.',
        '  page: At least 1.',
        '  request id: r-1',
        '  Correct the values and try again.',
        '',
      ].join('\n'),
    );
  });

  it('shows a rule once, with the name of the field', () => {
    const detail = '/preferences/tone must be a text.';
    const meant = `${detail} Did you mean calm?`;
    const violations = [{ pointer: '/preferences/tone', code: 'invalid_format', detail: meant }];
    const error = new SalonError('validation_failed', detail, { hint: 'Correct it.', violations });
    expect(renderError(error, { json: false, debug: false })).toBe(
      'error: preferences.tone must be a text. Did you mean calm?\n  Correct it.\n',
    );
  });

  it('lists all broken rules', () => {
    const first = { pointer: '/email', code: 'invalid_format', detail: '/email is no address.' };
    const second = { pointer: '/phone', code: 'invalid_format', detail: '/phone is no number.' };
    const error = new SalonError('validation_failed', `${first.detail} There are 1 more.`, {
      hint: 'Correct them.',
      violations: [first, second],
    });
    expect(renderError(error, { json: false, debug: false }).split('\n')).toEqual([
      'error: email is no address. There are 1 more.',
      '  email is no address.',
      '  phone is no number.',
      '  Correct them.',
      '',
    ]);
  });

  it('is a plain sentence after a cancellation', () => {
    const error = new SalonError('confirmation_required', cancelledMessage);
    expect(renderError(error, { json: false, debug: false })).toBe('Cancelled. Nothing was changed.\n');
  });

  it('shows escape sequences from the service as text', () => {
    const text = renderError(new SalonError('refused', 'no \u001b[31mred\u001b[0m \u202e'), {
      json: false,
      debug: false,
    });
    expect(text.includes('\u001b') || text.includes('\u202e')).toBe(false);
  });
});

describe('an error for programs', () => {
  it('is one line of JSON with fixed members', () => {
    const text = renderError(new SalonError('timeout', 'Too slow.', { retryable: true }), {
      json: true,
      debug: false,
    });
    expect(text.split('\n')).toHaveLength(2);
    expect(JSON.parse(text)).toEqual({
      code: 'timeout',
      message: 'Too slow.',
      hint: null,
      status: null,
      request_id: null,
      retryable: true,
      retry_after_ms: null,
    });
  });

  it('contains all broken rules', () => {
    expect(JSON.parse(renderError(refused, { json: true, debug: false })).errors).toHaveLength(2);
  });

  it('contains other members, but not the point to resume at', () => {
    const members = { rows_read: 20, resume_at: { page: 2, behind: ['cli_1'] } };
    const json = JSON.parse(
      renderError(new SalonError('timeout', 'x', { members }), { json: true, debug: false }),
    );
    expect(json).toMatchObject({ rows_read: 20 });
    expect(json).not.toHaveProperty('resume_at');
  });
});

describe('an error in JSON mode', () => {
  it.each([...localCodes, ...Object.keys(problems).filter(isProblemCode)])('has one name: %s', (code) => {
    const json = JSON.parse(renderError(new SalonError(code, 'x'), { json: true, debug: false }));
    expect(json.code).toBe(code);
    expect(Object.keys(json).filter((name) => name.endsWith('code'))).toEqual(['code']);
  });
});

describe('a thrown value', () => {
  it('becomes `interrupted` after an interrupt', () => {
    const error = toSalonError(new Error('aborted'), 'SIGTERM');
    expect(error).toMatchObject({ code: 'interrupted', members: { signal: 'SIGTERM' } });
  });

  it.each([
    ['a file', { code: 'ENOSPC' }],
    ['a temporary database', { code: 'ERR_SQLITE_ERROR', errcode: 13 }],
  ])('becomes `output_failed` when %s fills the disk', (_what, codes) => {
    expect(toSalonError(Object.assign(new Error('no space'), codes), undefined).code).toBe('output_failed');
  });

  it.each([
    ['is full', 13, 'database or disk is full'],
    ['fails, or a quota is used up', 778, 'disk I/O error'],
  ])('names the folder of temporary files where its disk %s', (_what, errcode, reason) => {
    const thrown = Object.assign(new Error(reason), { code: 'ERR_SQLITE_ERROR', errcode });
    expect(toSalonError(thrown, undefined)).toMatchObject({
      code: 'output_failed',
      message: expect.stringMatching(`^Cannot write temporary files in /.+: ${reason}\\.$`),
      hint: 'Free some space there, or set TMPDIR to a folder on another disk.',
    });
  });

  it('is no fault of the disk where a temporary database refuses a value', () => {
    const thrown = Object.assign(new Error('constraint'), { code: 'ERR_SQLITE_ERROR', errcode: 19 });
    expect(toSalonError(thrown, undefined).code).toBe('bug');
  });

  it('becomes `bug` when it is unknown, with the stack only on request', () => {
    const error = toSalonError(new TypeError('x is undefined'), undefined);
    expect(error.code).toBe('bug');
    expect(renderError(error, { json: false, debug: false })).not.toContain('TypeError');
    expect(renderError(error, { json: false, debug: true })).toContain('TypeError');
  });
});
