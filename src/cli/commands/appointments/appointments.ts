import type { Command } from 'commander';
import type { Frame } from '../../frame.ts';
import { registerAppointmentsCalendar } from './calendar.ts';
import { registerAppointmentsCancel } from './cancel.ts';
import { registerAppointmentsCreate } from './create.ts';
import { registerAppointmentsGet } from './get.ts';
import { registerAppointmentsList } from './list.ts';
import { registerAppointmentsUpdate } from './update.ts';

export function registerAppointments(appointments: Command, frame: Frame): void {
  registerAppointmentsList(appointments, frame);
  registerAppointmentsCalendar(appointments, frame);
  registerAppointmentsGet(appointments, frame);
  registerAppointmentsCreate(appointments, frame);
  registerAppointmentsUpdate(appointments, frame);
  registerAppointmentsCancel(appointments, frame);
}
