import { describe, expect, it } from 'vitest';
import { hasLostLetters } from '../../../src/bulk/plan/lost-letters.ts';

describe('letters that became question marks', () => {
  it.each([
    ['Ji?í', 'Jiří', true],
    ['??', '陽菜', true],
    ['Ana ??', 'Ana 💇', true],
    ['Ana ?', 'Ana 💇', true],
    ['Jiří', 'Jiří', false],
    ['Jiri', 'Jiří', false],
    ['Ji?a', 'Jiří', false],
    ['An?', 'Ana', false],
    ['Short?', 'Short!', false],
    ['?', '', false],
    [null, 'Jiří', false],
    ['?', ['ř'], false],
  ])('%j for %j: %s', (wanted, present, isLost) => {
    expect(hasLostLetters(wanted, present)).toBe(isLost);
  });
});
