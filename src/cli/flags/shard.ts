import type { Shard } from '../../bulk/export/write-pages.ts';
import { SalonError } from '../../contract/errors.ts';

/** `2/4`: the second of four parts. Throws `usage`, naming the flag. */
export function parseShard(text: string, flag = '--shard'): Shard {
  const [, index = 0, count = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= count) return { index, count };
  throw new SalonError('usage', `${flag} needs a part and how many there are, not "${text}".`, {
    hint: 'Such as 1/4 to 4/4 for four jobs side by side.',
  });
}
