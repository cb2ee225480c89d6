import { SalonError } from '../../../contract/errors.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { openSalonConnection } from '../../session/connection.ts';

const csvFile = 'salon-appointments.csv';

/** Lists, exports and previews an edit on the sample salon, saying each command first. Answers the first exit code that is not 0. */
export async function showTour(context: CommandContext, profile: string): Promise<number> {
  const id = await readFirstClientId(context, profile);
  // A person reads this in a log too, where lists are otherwise for programs.
  const asTable = context.io.terminal.output ? [] : ['--format', 'table'];
  const list = [
    'appointments',
    'list',
    '--from',
    'now',
    '--to',
    '+7d',
    '--sort',
    'start_time',
    '--limit',
    '10',
    ...asTable,
  ];
  const steps = [
    { what: 'The coming appointments', argv: list },
    { what: 'Every appointment, into a file', argv: ['appointments', 'list', '--output', csvFile] },
    {
      what: 'What an edit would change, before it is made',
      argv: ['clients', 'update', id, '--set', 'notes=Prefers mornings', '--dry-run', ...asTable],
    },
  ];
  for (const { what, argv } of steps) {
    context.messages.info(`\n${what}:\n$ salon ${argv.map(quoted).join(' ')}`);
    const exitCode = await context.runCommand([...argv, '--profile', profile]);
    if (exitCode !== 0) return exitCode;
  }
  context.messages.info(
    [
      '\nThree commands to try next:',
      '  npx salon clients list --search ana',
      '  npx salon appointments list --from today --to today --sort start_time',
      '  npx salon --help',
    ].join('\n'),
  );
  return 0;
}

async function readFirstClientId(
  { session, io, messages }: CommandContext,
  profile: string,
): Promise<string> {
  await using connection = await openSalonConnection({ session: await session(profile), io, messages });
  for await (const { rows } of connection.client.clients.list({}, { limit: 1 })) {
    const id = rows[0]?.id;
    if (id !== undefined) return id;
  }
  throw new SalonError('usage', 'The sample salon has no clients any more.', {
    hint: 'Start afresh: remove its database from the data folder, and run salon demo again.',
  });
}

function quoted(word: string): string {
  return /^[A-Za-z0-9_.:/=+-]+$/.test(word) ? word : `'${word}'`;
}
