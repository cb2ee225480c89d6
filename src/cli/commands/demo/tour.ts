import { createPersonFinder } from '../../../client/references/person-finder.ts';
import { SalonError } from '../../../contract/errors.ts';
import { nameOfClient } from '../../people/names.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { openSalonConnection } from '../../session/connection.ts';

const csvFile = 'salon-appointments.csv';

/** Lists, exports and previews an edit on the sample salon, printing each command first. Returns the first exit code that is not 0. */
export async function showTour(context: CommandContext, profile: string): Promise<number> {
  const client = await readFirstClient(context, profile);
  // Tables even in a log.
  const asTable = context.io.terminal.output ? [] : ['--format', 'table'];
  const list = `appointments list --from now --to +7d --sort start_time --limit 10`.split(' ');
  const steps = [
    { title: 'List coming appointments', argv: [...list, ...asTable] },
    { title: 'Export all appointments to a file', argv: ['appointments', 'list', '--output', csvFile] },
    {
      title: 'Preview an edit',
      argv: ['clients', 'update', client, '--set', 'notes=Prefers mornings', '--dry-run', ...asTable],
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
      '  npx salon today',
      '  npx salon book',
      '  npx salon report revenue last week',
      '  npx salon --help',
    ].join('\n'),
  );
  return 0;
}

/** The first client's name or, if somebody else has it, too, their ID. */
async function readFirstClient({ session, io, messages }: CommandContext, profile: string): Promise<string> {
  await using connection = await openSalonConnection({ session: await session(profile), io, messages });
  for await (const { rows } of connection.client.clients.list({}, { limit: 1 })) {
    const [first] = rows;
    if (first === undefined) break;
    const name = nameOfClient(first);
    const found = await createPersonFinder(connection.client).findClients(name, { isWrite: true });
    return found.filter(({ isExact }) => isExact).length === 1 ? name : first.id;
  }
  throw new SalonError('usage', 'The sample salon has no clients.', {
    hint: 'Delete its database from the data folder and run salon demo again.',
  });
}

function quote(word: string): string {
  return /^[A-Za-z0-9_.:/=+-]+$/.test(word) ? word : `'${word}'`;
}
