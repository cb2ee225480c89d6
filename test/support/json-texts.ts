import fc from 'fast-check';

/** Numbers in every way that JSON allows. */
const jsonNumber = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,24}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,24}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][-+]?\d{1,4}$/)),
  )
  .map((parts) => parts.join(''));

/** Names that JavaScript objects inherit, among others. */
export const memberName = fc.oneof(
  fc.stringMatching(/^[a-z_]{1,8}$/),
  fc.constantFrom('__proto__', 'toJSON', 'constructor', 'hasOwnProperty'),
);

/** Compact JSON, as text. */
export const jsonText = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    jsonNumber,
    fc.constantFrom('null', 'true', 'false'),
    fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
    fc.array(tie('value'), { maxLength: 5 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(memberName, tie('value')), { maxLength: 5, selector: ([name]) => name })
      .map((members) => `{${toMembers(members)}}`),
  ),
})).value;

/** The members of an object, as text. */
export function toMembers(members: readonly (readonly [name: string, value: string])[]): string {
  return members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',');
}
