import { describe, expect, it } from 'vitest';
import { readErrorReason } from '../../../src/client/http/error-reason.ts';

const email = (detail: string, code = 'invalid') => [{ pointer: '/email', code, detail }];
const required = 'This field is required.';

describe('the reason of an error', () => {
  it.each([
    [
      'Laravel',
      { message: 'The given data was invalid.', errors: { email: ['Taken.', 'Too long.'] } },
      'The given data was invalid.',
      [...email('Taken.'), ...email('Too long.')],
    ],
    ['Django REST framework', { email: [required] }, required, email(required)],
    [
      'Django REST framework, for the whole record',
      { non_field_errors: ['No.'], email: [required] },
      'No.',
      [{ code: 'invalid', detail: 'No.' }, ...email(required)],
    ],
    ['Django REST framework, refused', { detail: 'Not found.' }, 'Not found.', []],
    [
      'FastAPI',
      { detail: [{ loc: ['body', 'email'], msg: 'field required', type: 'value_error.missing' }] },
      'field required',
      email('field required'),
    ],
    ['FastAPI with an object', { detail: { message: 'No.', code: 'x' } }, 'No.', []],
    [
      'Spring',
      { timestamp: '2026-01-01', status: 404, error: 'Not Found', message: '', path: '/clients' },
      'Not Found',
      [],
    ],
    [
      'Spring with bindings',
      {
        status: 400,
        error: 'Bad Request',
        message: 'Validation failed',
        errors: [{ field: 'email', defaultMessage: 'must not be null', code: 'NotNull' }],
      },
      'Validation failed',
      email('must not be null', 'NotNull'),
    ],
    [
      'OData',
      {
        error: {
          code: 'Bad',
          message: 'Bad request.',
          details: [{ code: 'R', target: 'email', message: 'No.' }],
        },
      },
      'Bad request.',
      email('No.', 'R'),
    ],
    ['OData 3', { 'odata.error': { code: '', message: { lang: 'en', value: 'No.' } } }, 'No.', []],
    [
      'Stripe',
      {
        error: {
          type: 'invalid_request_error',
          code: 'email_invalid',
          message: 'Bad email.',
          param: 'email',
        },
      },
      'Bad email.',
      email('Bad email.', 'email_invalid'),
    ],
    [
      'Square',
      { errors: [{ category: 'INVALID_REQUEST_ERROR', code: 'BAD', detail: 'No.', field: 'email' }] },
      'No.',
      email('No.', 'BAD'),
    ],
    [
      'JSON:API',
      {
        errors: [
          { status: '422', title: 'Invalid', detail: 'No.', source: { pointer: '/data/attributes/email' } },
          { status: '400', title: 'Invalid', source: { parameter: 'sort' } },
        ],
      },
      'No.',
      [...email('No.'), { parameter: 'sort', code: 'invalid', detail: 'Invalid' }],
    ],
    [
      'PostgREST',
      { code: '23505', message: 'duplicate key', details: 'Key (email)=(a@b) exists.', hint: null },
      'duplicate key. Key (email)=(a@b) exists.',
      [],
    ],
    ['OAuth', { error: 'invalid_grant', error_description: 'It has expired.' }, 'It has expired.', []],
    [
      'Rails',
      { errors: ['Email is taken'] },
      'Email is taken',
      [{ code: 'invalid', detail: 'Email is taken' }],
    ],
    [
      'ASP.NET',
      { title: 'Validation errors occurred.', status: 400, traceId: '00-1', errors: { email: ['No.'] } },
      'No.',
      email('No.'),
    ],
    ['Google', { error: { code: 404, message: 'No.', status: 'NOT_FOUND' } }, 'No.', []],
    ['Apigee', { fault: { faultstring: 'No.', detail: { errorcode: 'x' } } }, 'No.', []],
    [
      'GraphQL',
      { data: null, errors: [{ message: 'No.', path: ['a', 0] }] },
      'No.',
      [{ pointer: '/a/0', code: 'invalid', detail: 'No.' }],
    ],
    ['AWS', { Message: 'No.' }, 'No.', []],
    ['nothing known', { status: 'bad', number: 7 }, undefined, []],
  ])('is found as %s sends it', (_server, body, message, violations) => {
    expect(readErrorReason(body)).toMatchObject({ message, violations });
  });

  it('includes what to do, and the ID of the request', () => {
    expect(readErrorReason({ code: 'PGRST116', message: 'No.', hint: 'Try X.' }).hint).toBe('Try X.');
    expect(readErrorReason({ title: 'No.', traceId: '00-1-2' }).requestId).toBe('00-1-2');
    expect(readErrorReason({ error: { message: 'No.', request_id: 'req_1' } }).requestId).toBe('req_1');
  });
});
