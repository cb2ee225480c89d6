import { SalonError } from '../../../contract/errors.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { openSalonConnection } from '../../session/connection.ts';

const csvFile = 'salon-appointments.csv';

/** Lists, exports and previews an edit on the sample salon, printing each command first. Returns the first exit code that is not 0. */
export async function showTour(context: CommandContext, profile: string): Promise<number> {
  const id = await readFirstClientId(context, profile);
  // Tables even in a log.
  const asTable = context.io.terminal.output ? [] : ['--format', 'table'];
  const list = `appointments list --from now --to +7d --sort start_time --limit 10`.split(' ');
  const steps = [
    { title: 'List coming appointments', argv: [...list, ...asTable] },
    { title: 'Export all appointments to a file', argv: ['appointments', 'list', '--output', csvFile] },
    {
      title: 'Preview an edit',
      argv: ['clients', 'update', id, '--set', 'notes=Prefers mornings', '--dry-run', ...asTable],
    },
  ];
  for (const { title, argv } of steps) {
    context.messages.info(`\n${title}:\n$ salon ${argv.map(quote).join(' ')}`);
    const exitCode = await context.runCommand([...argv, '--profile', profile]);
    if (exitCode !== 0) return exitCode;
  }
  context.messages.info(
    [
      '\nTry next:',
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
  throw new SalonError('usage', 'The sample salon has no clients.', {
    hint: 'Delete its database from the data folder and run salon demo again.',
  });
}

function quote(word: string): string {
  return /^[A-Za-z0-9_.:/=+-]+$/.test(word) ? word : `'${word}'`;
}
