import { Command } from 'commander';
import { registerApi } from './commands/api.ts';
import { registerAppointments } from './commands/appointments/appointments.ts';
import { registerAuth } from './commands/auth/auth.ts';
import { registerClients } from './commands/clients/clients.ts';
import { registerCompletion } from './commands/completion.ts';
import { registerDemo } from './commands/demo/demo.ts';
import { registerHelp } from './commands/help.ts';
import { registerLimits } from './commands/limits.ts';
import { registerProfiles } from './commands/profiles/profiles.ts';
import { registerService } from './commands/service/service.ts';
import { registerWhoami } from './commands/whoami.ts';
import type { Frame } from './frame.ts';
import type { Io } from './io.ts';
import { addGlobalOptions } from './options.ts';
import { version } from './version.ts';

/** The whole tree of commands: names, flags and help. Nothing costly is loaded before a verb runs. */
export function buildProgram(frame: Frame, io: Pick<Io, 'stdout' | 'terminal'>): Command {
  const program = new Command('salon')
    .description('Administer a salon: its appointments, its clients, and the service itself.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      // Errors and the help that goes with them are told once, by the run.
      writeErr() {},
      outputError() {},
      getOutHelpWidth: () => io.terminal.columns,
      getOutHasColors: () => false,
    })
    .exitOverride();
  addGlobalOptions(program);
  registerAppointments(program, frame);
  registerClients(program, frame);
  registerAuth(program, frame);
  registerProfiles(program, frame);
  registerWhoami(program, frame);
  registerLimits(program, frame);
  registerApi(program, frame);
  registerDemo(program, frame);
  registerService(program, frame);
  registerCompletion(program, frame);
  registerHelp(program, frame);
  return program.addHelpText(
    'after',
    '\nA newcomer starts with:\n  $ salon demo\n  $ salon appointments list --from today\n\nExit codes: salon help exit-codes',
  );
}
