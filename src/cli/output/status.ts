import type { ChalkInstance } from 'chalk';
import type { AppointmentStatus } from '../../contract/appointment.ts';
import type { DeliveryStatus } from '../../contract/delivery.ts';
import type { ColumnKind } from './columns.ts';

type Paint = (text: string) => string;

/** How a value of this kind is emphasised. The word itself says everything; colour only helps the eye. */
export function statusStyle(chalk: ChalkInstance, kind: ColumnKind, status: string | undefined): Paint {
  const styles: Readonly<Record<AppointmentStatus | DeliveryStatus, Paint>> = {
    pending: chalk.yellow,
    confirmed: chalk.green,
    arrived: chalk.cyan,
    in_service: chalk.cyan,
    completed: chalk.dim,
    cancelled: chalk.red.dim,
    no_show: chalk.red,
    delivered: chalk.dim,
    failed: chalk.red,
  };
  const known = kind === 'status' && isStatus(status, styles);
  return known ? styles[status] : (text) => text;
}

function isStatus<Name extends string>(
  status: string | undefined,
  styles: Readonly<Record<Name, Paint>>,
): status is Name {
  return status !== undefined && Object.hasOwn(styles, status);
}
