// Joiners and variation selectors are invisible, but inside these sequences they shape an emoji or a name.
const emoji = String.raw`\p{RGI_Emoji_Tag_Sequence}|\p{Emoji_Keycap_Sequence}`;
const pictograph = String.raw`\p{Extended_Pictographic}[\uFE0E\uFE0F]?\p{Emoji_Modifier}?`;
const joined = String.raw`${pictograph}(?:\u200D${pictograph}){0,4}`;
const ideograph = String.raw`\p{Ideographic}[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]`;

// Arabic number signs and similar marks are format characters, but visible.
const visible = String.raw`\u0600-\u0605\u06DD\u0890\u0891\u08E2\u{110BD}\u{110CD}`;
const invisible = String.raw`[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[${visible}]]`;

const beyondAscii = /[^ -~]/;
let patterns: ReturnType<typeof createPatterns> | undefined;

/**
 * Makes text safe to display: control, bidirectional and invisible characters become visible marks, so that no name can
 * imitate another. A line break becomes `⏎`, other control characters their pictures (`␛`), everything else its code
 * point (`‹U+202E›`). Emoji sequences stay whole; an accent without a letter gets a `◌`. Idempotent, in linear time.
 */
export function cleanText(text: string): string {
  if (!beyondAscii.test(text)) return text;
  patterns ??= createPatterns();
  const { anyInvisible, pieces, hanging } = patterns;
  const marked = anyInvisible.test(text) ? text.replace(pieces, toVisible) : text;
  return marked.replace(hanging, '◌$&');
}

/** Created on first use: compiling these classes takes 2 ms. */
function createPatterns() {
  return {
    anyInvisible: new RegExp(invisible, 'v'),
    pieces: new RegExp(`${emoji}|${joined}|${ideograph}|(?<mark>${invisible})`, 'gv'),
    // A combining mark with nothing before it would attach to the previous cell and change its width.
    hanging: /(?<=^|\s)[\p{M}\p{Emoji_Modifier}]/gv,
  };
}

function toVisible(piece: string, invisibleOne: string | undefined): string {
  return invisibleOne === undefined ? piece : toMark(invisibleOne);
}

function toMark(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  if (character === '\n') return '⏎';
  if (codePoint < 0x20) return String.fromCodePoint(0x2400 + codePoint);
  if (codePoint === 0x7f) return '␡';
  return `‹U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}›`;
}
