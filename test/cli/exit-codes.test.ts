import { describe, expect, it } from 'vitest';
import { exitCodes, renderExitCodes, toExitCode } from '../../src/cli/exit-codes.ts';
import { localCodes, problems, SalonError, type SalonErrorCode } from '../../src/contract/errors.ts';

describe('exit codes', () => {
  it('no two meanings share a number', () => {
    const numbers = Object.values(exitCodes).map(({ code }) => code);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('every meaning stands in the table that help prints', () => {
    const table = renderExitCodes();
    for (const { code, meaning } of Object.values(exitCodes)) expect(table).toContain(`${code}  ${meaning}`);
  });

  const codes = [...Object.keys(problems), ...localCodes] as SalonErrorCode[];
  it.each(codes)('%s leads to a code of the table, and never to success', (code) => {
    const exitCode = toExitCode(new SalonError(code, 'x'));
    expect(Object.values(exitCodes).map((entry) => entry.code as number)).toContain(exitCode);
    expect(exitCode).not.toBe(0);
  });

  it('tells a terminated run from an interrupted one', () => {
    expect(toExitCode(new SalonError('interrupted', 'x', { members: { signal: 'SIGINT' } }))).toBe(130);
    expect(toExitCode(new SalonError('interrupted', 'x', { members: { signal: 'SIGTERM' } }))).toBe(143);
  });
});
