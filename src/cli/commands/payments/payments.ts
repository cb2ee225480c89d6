import type { Command } from 'commander';
import type { Frame } from '../../frame.ts';
import { registerPaymentsGet } from './get.ts';
import { registerPaymentsList } from './list.ts';
import { registerPaymentsRecord } from './record.ts';
import { registerPaymentsRefund } from './refund.ts';

export function registerPayments(payments: Command, frame: Frame): void {
  registerPaymentsList(payments, frame);
  registerPaymentsGet(payments, frame);
  registerPaymentsRecord(payments, frame);
  registerPaymentsRefund(payments, frame);
}
