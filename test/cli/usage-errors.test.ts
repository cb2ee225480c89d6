import { afterAll, describe, expect, it } from 'vitest';
import { createMachine } from '../support/io.ts';

const machine = createMachine();
afterAll(() => machine[Symbol.dispose]());

describe('a usage error of the parser', () => {
  it.each([
    ['clietns list', 'Unknown command "clietns".', 'Did you mean clients?'],
    ['-p demo clietns list', 'Unknown command "clietns".', 'Did you mean clients?'],
    ['-p demo clients lits', 'Unknown command "lits".', 'Did you mean list?'],
    ['-p demo clients qqq', 'Unknown command "qqq".', 'See: salon clients --help'],
    ['clients --profile demo qqq', 'Unknown command "qqq".', 'See: salon clients --help'],
    ['clients qqq list', 'Unknown command "qqq".', 'See: salon clients --help'],
    ['clients list --demo', 'Unknown option "--demo".', 'See: salon clients list --help'],
    ['clients get', 'Missing required argument "client".', 'See: salon clients get --help'],
    ['clients list --json=id,email', '--json takes no fields.', 'Use --json -c id,email'],
    ['api', 'Missing path.', 'Methods: GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS'],
    ['api GET', 'Missing path.', 'Methods: GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS'],
    ['clients list --limit', 'Option "--limit <n>" argument missing.', 'See: salon clients list --help'],
  ])('names the command it is about: salon %s', async (line, message, hint) => {
    const ran = await machine.salon(line.split(' '));
    expect(ran).toEqual({ exitCode: 2, stdout: '', stderr: `error: ${message}\n  ${hint}\n` });
  });

  it.each(['clients list --json id,email', 'clients get 5 --json id,email', 'today --json id,email'])(
    'points to -c for the fields of --json: salon %s',
    async (line) => {
      const { exitCode, stderr } = await machine.salon(line.split(' '));
      expect(exitCode).toBe(2);
      expect(JSON.parse(stderr)).toMatchObject({ code: 'usage', hint: 'Use --json -c id,email' });
    },
  );

  it.each(['clients list --json id', 'clients get ana --json id'])(
    'points to -c for the only field of --json: salon %s',
    async (line) => {
      const { exitCode, stderr } = await machine.salon(line.split(' '));
      expect(exitCode).toBe(2);
      expect(JSON.parse(stderr)).toMatchObject({ code: 'usage', hint: 'Use --json -c id' });
    },
  );
});
