import type { Command } from 'commander';
import type { Frame } from '../../frame.ts';
import { addGroup } from '../../options.ts';
import { registerAppointmentsCreate } from './create.ts';
import { registerAppointmentsGet } from './get.ts';
import { registerAppointmentsList } from './list.ts';

export function registerAppointments(program: Command, frame: Frame): void {
  const appointments = addGroup(program, {
    name: 'appointments',
    alias: 'appointment',
    description: 'Who comes when, to whom, for what',
  });
  registerAppointmentsList(appointments, frame);
  registerAppointmentsGet(appointments, frame);
  registerAppointmentsCreate(appointments, frame);
}
