import { describe, expect, it } from 'vitest';
import { renderError, toSalonError } from '../../../src/cli/messages/report.ts';
import { SalonError } from '../../../src/contract/errors.ts';

const refused = new SalonError('validation_failed', 'The body breaks two rules.', {
  requestId: 'r-1',
  violations: [
    { pointer: '/email', code: 'invalid_format', detail: 'An address has one @.' },
    { parameter: 'page', code: 'out_of_range', detail: 'At least 1.' },
  ],
});

describe('an error told to a person', () => {
  it('says what failed, where, and ends with the next step', () => {
    expect(renderError(refused, { json: false, debug: false })).toBe(
      [
        'error: The body breaks two rules.',
        '  email: An address has one @.',
        '  page: At least 1.',
        '  request id: r-1',
        '  Correct the fields named.',
        '',
      ].join('\n'),
    );
  });

  it('says a rule once, and names the field as it is called on the command line', () => {
    const detail = '/preferences/tone must be a text.';
    const meant = `${detail} Did you mean calm?`;
    const violations = [{ pointer: '/preferences/tone', code: 'invalid_format', detail: meant }];
    const error = new SalonError('validation_failed', detail, { hint: 'Correct it.', violations });
    expect(renderError(error, { json: false, debug: false })).toBe(
      'error: preferences.tone must be a text. Did you mean calm?\n  Correct it.\n',
    );
  });

  it('names every other rule below the first', () => {
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

  it('shows escape sequences of the service instead of obeying them', () => {
    const text = renderError(new SalonError('refused', 'no \u001b[31mred\u001b[0m \u202e'), {
      json: false,
      debug: false,
    });
    expect(text.includes('\u001b') || text.includes('\u202e')).toBe(false);
  });
});

describe('an error told to a program', () => {
  it('is one line of JSON with the same members always', () => {
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

  it('carries every rule that was broken', () => {
    expect(JSON.parse(renderError(refused, { json: true, debug: false })).errors).toHaveLength(2);
  });

  it('has what is known of it besides, but not the point where only a walk can go on', () => {
    const members = { rows_read: 20, resume_at: { page: 2, behind: ['cli_1'] } };
    const told = JSON.parse(
      renderError(new SalonError('timeout', 'x', { members }), { json: true, debug: false }),
    );
    expect(told).toMatchObject({ rows_read: 20 });
    expect(told).not.toHaveProperty('resume_at');
  });
});

describe('whatever was thrown', () => {
  it('is an interruption once the run was interrupted', () => {
    const error = toSalonError(new Error('aborted'), 'SIGTERM');
    expect(error).toMatchObject({ code: 'interrupted', members: { signal: 'SIGTERM' } });
  });

  it('is a failed output when the disk is full', () => {
    expect(toSalonError(Object.assign(new Error('no space'), { code: 'ENOSPC' }), undefined).code).toBe(
      'output_failed',
    );
  });

  it('is a bug when nobody knows it, with the stack only on request', () => {
    const error = toSalonError(new TypeError('x is undefined'), undefined);
    expect(error.code).toBe('bug');
    expect(renderError(error, { json: false, debug: false })).not.toContain('TypeError');
    expect(renderError(error, { json: false, debug: true })).toContain('TypeError');
  });
});
