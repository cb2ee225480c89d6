import { describe, expect, it } from 'vitest';
import { splitText } from './split-text.ts';

describe('splitting a text', () => {
  // A § stands for a dollar sign, so that the examples are not taken for templates of this file.
  it.each([
    ['a line comment', 'a; // b', 'a;', '// b'],
    ['a block comment, its lines kept', 'a /* b\nc */ d', 'a     \n     d', '/* b\nc */'],
    ['quoted text', `f('// b')`, `f('    ')`, ''],
    ['an escaped quote', `'it\\'s' // b`, `'     '`, '// b'],
    ['a template with a value in it', '`a §{b} // c`', '`  §{b}     `', ''],
    ['a template within a template', '`§{a ? `// §{b}` : "c"}` // d', '`§{a ? `   §{b}` : " "}`', '// d'],
    ['braces within a value', '`§{{ a: {} }} //`;', '`§{{ a: {} }}   `;', ''],
    ['a dollar sign of its own', '`a § b`; // c', '`     `;', '// c'],
    ['a regular expression', `f(/[/']\\//g) // b`, 'f(/      /g)', '// b'],
    ['a division', 'a / b / c // d', 'a / b / c', '// d'],
  ])('knows %s', (_title, example, code, comments) => {
    const text = example.replaceAll('§', '$');
    const split = splitText(text);
    expect(split.code.trimEnd()).toBe(code.replaceAll('§', '$'));
    expect(split.comments.trim()).toBe(comments);
    expect([split.code.length, split.comments.length]).toEqual([text.length, text.length]);
  });
});
