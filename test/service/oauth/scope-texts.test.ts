import { describe, expect, it } from 'vitest';
import { describeScope } from '../../../src/service/oauth/consent.ts';

describe('the text of a scope', () => {
  it.each([
    ['clients:write', 'manager', 'Add, change, merge and delete clients'],
    ['clients:write', 'stylist', 'Add and change clients'],
    ['payments:write', 'owner', 'Record and refund payments'],
    ['payments:write', 'receptionist', 'Record payments'],
    ['clients:read', 'viewer', 'See clients with their contact details and notes'],
  ] as const)('%s promises no more than the role %s may do', (scope, role, text) => {
    expect(describeScope(scope, role)).toBe(text);
  });
});
