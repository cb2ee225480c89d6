import stringWidth from 'string-width';
import { cleanText } from '../../messages/clean-text.ts';
import { cutEnd } from '../../output/cut-text.ts';
import { wrapText } from '../../output/wrap-text.ts';
import { type StatusLook, signOf } from './status-sign.ts';

/** What stands in a block of a calendar. */
export interface BlockText {
  readonly status: string;
  readonly client: string;
  readonly service: string;
  /** When it begins, empty where it does with its first line, and the whole of its time; undefined where lines say all. */
  readonly time: { readonly from: string; readonly whole: string } | undefined;
}

export interface BlockSize {
  readonly width: number;
  readonly lines: number;
}

const bar = '▌';
// Half a bar at the foot keeps two blocks apart that follow one another.
const foot = '▘';
/** Columns that a time and a name need at least. */
const roomForTime = 15;

/** The lines of a block, each exactly as wide as asked: sign and client first, then service and time as far as they fit. */
export function renderBlock(text: BlockText, size: BlockSize, look: StatusLook): readonly string[] {
  const { width, lines } = size;
  const room = Math.max(0, width - 1);
  const texts = fillLines(text, { width: room, lines });
  return Array.from({ length: lines }, (_, index) => {
    const edge = lines > 1 && index === lines - 1 ? foot : bar;
    return look.bar(edge) + look.fill(toWidth(texts[index] ?? '', room));
  });
}

/** A text in exactly this many columns. */
export function toWidth(text: string, width: number): string {
  const cut = cutEnd(text, width);
  return cut + ' '.repeat(Math.max(0, width - stringWidth(cut)));
}

function fillLines({ status, client, service, time }: BlockText, { width, lines }: BlockSize): string[] {
  const sign = signOf(status);
  const [who, what] = [cleanText(client), cleanText(service)];
  const from = time?.from && width >= roomForTime ? `${time.from} ` : '';
  if (lines === 1) return [`${sign} ${from}${who} · ${what}`];
  const second = lines === 2 ? `${from}${what}` : what;
  const whole = lines > 2 && time !== undefined ? [time.whole] : [];
  const room = Math.max(1, width - 2);
  const behind = [second, ...whole].flatMap((part) => wrapText(part, room));
  const name = wrapText(who, room);
  // A name gets a second line where the rest has enough all the same.
  const nameLines = lines >= name.length + behind.length ? name : [who];
  const left = lines - nameLines.length;
  const kept = behind.length <= left ? behind : [second, ...whole].slice(0, left);
  return [...nameLines, ...kept].map((line, index) => `${index === 0 ? sign : ' '} ${line}`);
}
