import { afterAll, beforeAll, expect, it } from 'vitest';
import { settingsPages } from '../../../../src/service/web/page-list.ts';
import { openTestService, type TestService } from '../../../support/service.ts';
import { signInVisitor } from '../../../support/signed-in-visitor.ts';
import type { FormValues, Visitor } from '../../../support/visitor.ts';

let service: TestService;
let memberId: string;
let visitor: Visitor;
beforeAll(async () => {
  service = await openTestService({ config: { logLevel: 'error' } });
  await service.addPerson();
  memberId = await service.addPerson({ email: 'bo@salon.example', name: 'Bo Lima', role: 'viewer' });
  visitor = await signInVisitor(service.origin);
});
afterAll(() => service[Symbol.asyncDispose]());

const script = '"><script>alert(1)</script>';
const values = [
  '',
  ' ',
  '\u0000',
  '\u202Eevil\u200B',
  '\uD83D',
  '-1',
  '99999999999999999999',
  '__proto__',
  `${script}'`,
  'a'.repeat(10_000),
];

/** Forms that would end the session that sends them. */
const leaving = ['/sign-out', '/account-switch'];

/** Every form of the page, with one field after another replaced. */
async function* replaceFields(
  path: string,
): AsyncGenerator<{ action: string; form: FormValues; field: string }> {
  const { forms } = await visitor.open(path);
  for (const { method, action, values: own } of forms) {
    if (method !== 'post' || leaving.includes(action)) continue;
    for (const field of Object.keys(own).filter((name) => name !== 'csrf')) {
      for (const value of values) yield { action, field, form: { ...own, [field]: value } };
      const { [field]: _missing, ...rest } = own;
      yield { action, field, form: rest };
      yield { action, field, form: { ...own, [field]: ['a', 'b', script] } };
    }
  }
}

it.each([...settingsPages.map(({ path }) => path)])(
  '%s refuses hostile values in its forms with a page, and shows none of them as HTML',
  async (pattern) => {
    const loggedBefore = service.logged.length;
    const path = pattern.replace(':id', memberId);
    for await (const { action, field, form } of replaceFields(path)) {
      const sent = `${field} of ${path}: ${JSON.stringify(form).slice(0, 300)}`;
      const { status, text, headers } = await visitor.send(action === '' ? path : action, { form });
      expect(status, sent).toBeLessThan(500);
      expect(text, sent).not.toContain('<script>alert');
      expect(`${headers['location']}`, sent).not.toMatch(/^(?!\/|undefined)|^\/\//);
    }
    expect(service.logged.slice(loggedBefore)).toEqual([]);
  },
);
