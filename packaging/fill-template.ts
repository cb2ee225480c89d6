import { readFileSync, writeFileSync } from 'node:fs';

/** Writes a file with the values of its template put in for names such as `@release_url@`. */
export function fillTemplate(
  template: string,
  path: string,
  { values, mode = 0o644 }: { readonly values: Readonly<Record<string, string>>; readonly mode?: number },
): void {
  const text = readFileSync(template, 'utf8').replaceAll(/@(\w+)@/g, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${template} has ${placeholder}, for which there is no value.`);
    return value;
  });
  writeFileSync(path, text, { mode });
}
