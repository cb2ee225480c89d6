// Joiners and variation selectors draw nothing themselves; inside these they decide how an emoji or a name looks.
const emoji = String.raw`\p{RGI_Emoji_Tag_Sequence}|\p{Emoji_Keycap_Sequence}`;
const pictograph = String.raw`\p{Extended_Pictographic}[\uFE0E\uFE0F]?\p{Emoji_Modifier}?`;
const joined = String.raw`${pictograph}(?:\u200D${pictograph}){0,4}`;
const ideograph = String.raw`\p{Ideographic}[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]`;

// Arabic number signs and their like count as format characters, yet they are drawn.
const drawn = String.raw`\u0600-\u0605\u06DD\u0890\u0891\u08E2\u{110BD}\u{110CD}`;
const unseen = String.raw`[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[${drawn}]]`;

const beyondAscii = /[^ -~]/;
let patterns: ReturnType<typeof createPatterns> | undefined;

/**
 * Text as people may safely see it: whatever drives a terminal, turns its direction or draws nothing becomes a
 * visible mark, so that no name can pretend to be another. A line break is `⏎`, other control characters are
 * their pictures (`␛`), everything else is its number (`‹U+202E›`). Emoji sequences stay whole; an accent
 * without a letter stands on `◌`. Cleaning twice changes nothing; the time grows with the length alone.
 */
export function cleanText(text: string): string {
  if (!beyondAscii.test(text)) return text;
  patterns ??= createPatterns();
  const { anyUnseen, pieces, hanging } = patterns;
  const seen = anyUnseen.test(text) ? text.replace(pieces, toVisible) : text;
  return seen.replace(hanging, '◌$&');
}

/** Made when they are first needed: to read what these classes stand for takes 2 ms of a start. */
function createPatterns() {
  return {
    anyUnseen: new RegExp(unseen, 'v'),
    pieces: new RegExp(`${emoji}|${joined}|${ideograph}|(?<mark>${unseen})`, 'gv'),
    // A mark with nothing before it would lean on whatever is printed there, and the cell would have another width.
    hanging: /(?<=^|\s)[\p{M}\p{Emoji_Modifier}]/gv,
  };
}

function toVisible(piece: string, unseenOne: string | undefined): string {
  return unseenOne === undefined ? piece : toMark(unseenOne);
}

function toMark(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  if (character === '\n') return '⏎';
  if (codePoint < 0x20) return String.fromCodePoint(0x2400 + codePoint);
  if (codePoint === 0x7f) return '␡';
  return `‹U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}›`;
}
