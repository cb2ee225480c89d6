import { describe, expect, it } from 'vitest';
import { exitCodes, renderExitCodes, toExitCode } from '../../../src/cli/messages/exit-codes.ts';
import { localCodes, problems, SalonError, type SalonErrorCode } from '../../../src/contract/errors.ts';

describe('exit codes', () => {
  it('are unique', () => {
    const numbers = Object.values(exitCodes).map(({ code }) => code);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('are all in the table of help', () => {
    const table = renderExitCodes();
    for (const { code, meaning } of Object.values(exitCodes)) expect(table).toContain(`${code}  ${meaning}`);
  });

  const codes = [...Object.keys(problems), ...localCodes] as SalonErrorCode[];
  it.each(codes)('%s has an exit code other than 0', (code) => {
    const exitCode = toExitCode(new SalonError(code, 'x'));
    expect(Object.values(exitCodes).map((entry) => entry.code as number)).toContain(exitCode);
    expect(exitCode).not.toBe(0);
  });

  it('differ for SIGINT and SIGTERM', () => {
    expect(toExitCode(new SalonError('interrupted', 'x', { members: { signal: 'SIGINT' } }))).toBe(130);
    expect(toExitCode(new SalonError('interrupted', 'x', { members: { signal: 'SIGTERM' } }))).toBe(143);
  });
});
