import { expect, it } from 'vitest';
import { findContinuation } from '../../../src/client/foreign/continuation.ts';
import { collectMembers } from '../../../src/client/foreign/list-members.ts';

it.each([
  ['a cursor', { next_cursor: 'x', has_more: true }, { kind: 'cursor', name: 'next_cursor', cursor: 'x' }],
  ['the end, beside a cursor', { next_cursor: 'x', has_more: false }, { kind: 'end', name: 'has_more' }],
  ['more, beside no cursor', { next_cursor: null, has_more: true }, { kind: 'more', name: 'has_more' }],
  ['the end, without a cursor', { next_cursor: null }, { kind: 'end', name: 'next_cursor' }],
  ['a link', { next: '/c?page=2', has_more: false }, { kind: 'link', name: 'next', link: '/c?page=2' }],
  ['nothing', { count: 3 }, { kind: 'unknown' }],
])('a response says what follows its rows: %s', (_what, body, continuation) => {
  const dialect = { nextKey: null, paging: 'unknown' } as const;
  const response = { status: 200, headers: {}, body, members: collectMembers(body, {}) };
  expect(findContinuation({ ...response, dialect, range: undefined } as never)).toEqual(continuation);
});
