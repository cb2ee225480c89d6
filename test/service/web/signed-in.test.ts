import { expect, it } from 'vitest';
import { parseLocalPath } from '../../../src/service/web/sign-in/signed-in.ts';

it.each([
  '/settings',
  '/settings/team?a=1&b=%20',
  '/oauth/authorize?redirect_uri=https://app.example/#x',
  '/a//b',
])('continues to %s', (path) => {
  expect(parseLocalPath(path, '/')).toBe(path);
});

it.each([
  null,
  '',
  'settings',
  'https://evil.example',
  'javascript:alert(1)',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\u0000/evil.example',
  ' //evil.example',
  '/a\\..\\/evil.example',
  '/settings\r\nset-cookie: a=b',
  '/é',
])('does not go on to %j', (text) => {
  expect(parseLocalPath(text, '/settings')).toBe('/settings');
});
