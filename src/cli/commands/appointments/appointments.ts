import type { Command } from 'commander';
import type { Frame } from '../../frame.ts';
import { registerAppointmentsCreate } from './create.ts';
import { registerAppointmentsGet } from './get.ts';
import { registerAppointmentsList } from './list.ts';

export function registerAppointments(appointments: Command, frame: Frame): void {
  registerAppointmentsList(appointments, frame);
  registerAppointmentsGet(appointments, frame);
  registerAppointmentsCreate(appointments, frame);
}
