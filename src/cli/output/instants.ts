const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;
const shown = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/;

/**
 * Instants as the wall of a zone shows them, `2026-11-21 09:30`. The zone is not in the text: who prints it
 * says it beside. What is no instant stays as it is.
 */
export function createInstantRenderer(timeZone: string): (iso: string) => string {
  // Sweden writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return (iso) => {
    const instantMs = rfc3339.test(iso) ? Date.parse(iso) : Number.NaN;
    if (Number.isNaN(instantMs)) return iso;
    const text = format.format(instantMs);
    return shown.test(text) ? text : iso;
  };
}

/** One instant in a zone. For many, `createInstantRenderer` is far cheaper. */
export function renderInstant(iso: string, { timeZone }: { readonly timeZone: string }): string {
  return createInstantRenderer(timeZone)(iso);
}

/** A length such as `45 min`, `2 h` or `1 h 30 min`; what is no length stays as it is. */
export function renderMinutes(minutes: number): string {
  if (!Number.isSafeInteger(minutes) || minutes < 0) return String(minutes);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}
