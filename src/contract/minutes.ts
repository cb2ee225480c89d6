/** `45`, `45m`, `90min`, `1h30m`, `1 h 30 min` or `PT1H30M` as whole minutes; undefined for anything else. */
export function toMinutes(text: string): number | undefined {
  const parts =
    /^(?<minutes>\d{1,6})$/.exec(text) ??
    /^(?:pt)?(?=\d)(?:(?<hours>\d{1,5}) ?h)? ?(?:(?<minutes>\d{1,6}) ?m(?:in)?)?$/i.exec(text.trim());
  const { hours = '0', minutes = '0' } = parts?.groups ?? {};
  const total = Number(hours) * 60 + Number(minutes);
  return total > 0 ? total : undefined;
}
