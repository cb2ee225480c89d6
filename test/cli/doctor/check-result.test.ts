import { expect, it } from 'vitest';
import { renderChecks } from '../../../src/cli/doctor/check-result.ts';

it('a check for screen readers ends each sentence once, and leaves paths as they are', () => {
  const check = {
    check: 'key',
    status: 'problem',
    message: 'Cannot read ../ca.pem',
    hint: 'Choose a file.',
  } as const;
  const shown = renderChecks([check], { width: 80, color: false, plain: true });
  expect(shown).toBe('problem: key: Cannot read ../ca.pem. Choose a file.\n');
});
