export interface ShortTimeStyle {
  /** IANA name of the time zone. */
  readonly timeZone: string;
  /** The year is left out where it is this one. */
  readonly now: Date;
}

/** An instant as people say it, such as `Fri 27 Nov 15:00`. Text that is not an instant is returned unchanged. */
export function renderShortTime(iso: string, { timeZone, now }: ShortTimeStyle): string {
  const instantMs = Date.parse(iso);
  if (Number.isNaN(instantMs)) return iso;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  const read = (ms: number) =>
    Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const { weekday, day, month = '', year, hour, minute } = read(instantMs);
  const yearText = year === read(now.getTime())['year'] ? '' : ` ${year}`;
  return `${weekday} ${day} ${month.slice(0, 3)}${yearText} ${hour}:${minute}`;
}

/** The day of an instant, such as `27 Nov 2026`. Text that is not an instant is returned unchanged. */
export function renderShortDate(iso: string, { timeZone }: Pick<ShortTimeStyle, 'timeZone'>): string {
  const instantMs = Date.parse(iso);
  if (Number.isNaN(instantMs)) return iso;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  // Some language data abbreviates September to four letters.
  return format.format(instantMs).replace('Sept', 'Sep');
}
