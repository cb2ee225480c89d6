import fc from 'fast-check';

/** Characters that have broken tables and files before, and arbitrary text. */
export const nastyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      ...['a', ' ', '\t', '\n', '\r', '\u001B', '\u009B', '\u007F', '\u0000', '"', ',', ';', '\\', "'", '='],
      ...['\u202E', '\u2066', '\u200B', '\u200D', '\uFE0F', '\uFEFF', '\u0301', '\u{E0067}', '\u{E007F}'],
      ...['漢', '한', 'ᄀ', 'م', 'ि', 'क', '👩', '🏽', '🏴', '🇩', '❤', '1', '\u20E3', '\uD83D', '\u0600'],
    ),
    maxLength: 60,
  }),
);

/** Any value a server may send. */
export const anyValue = fc.oneof(
  nastyText,
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.array(nastyText, { maxLength: 4 }),
  fc.jsonValue({ maxDepth: 2 }),
);
