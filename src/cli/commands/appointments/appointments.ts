import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { registerAppointmentsCalendar } from './calendar.ts';
import { registerAppointmentsCancel } from './cancel.ts';
import { registerAppointmentsCreate } from './create.ts';
import { registerAppointmentsGet } from './get.ts';
import { registerAppointmentsList } from './list.ts';
import { registerAppointmentsUpdate } from './update.ts';

export function registerAppointments(appointments: Command, runner: ActionRunner): void {
  registerAppointmentsList(appointments, runner);
  registerAppointmentsCalendar(appointments, runner);
  registerAppointmentsGet(appointments, runner);
  registerAppointmentsCreate(appointments, runner);
  registerAppointmentsUpdate(appointments, runner);
  registerAppointmentsCancel(appointments, runner);
}
