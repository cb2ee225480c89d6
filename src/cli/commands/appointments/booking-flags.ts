import type { Command } from 'commander';

/** Flags for the fields of an appointment. */
export interface BookingFlags {
  readonly client?: string;
  readonly stylist?: string;
  readonly service?: string;
  readonly start?: string;
  readonly duration?: string;
  readonly status?: string;
  readonly price?: string;
  readonly notes?: string;
  readonly allowOverlap?: boolean;
  readonly allowBlocked?: boolean;
}

export function addBookingOptions(command: Command): Command {
  return command
    .option('--client <who>', 'Client: name, email, phone or ID')
    .option('--stylist <who>', 'Stylist: name or ID')
    .option('--service <name>', 'Service')
    .option('--start <when>', 'Start, e.g. "fri 3pm", "24.11. 15:00"')
    .option('--duration <time>', 'Duration, e.g. 45, 1h30m or PT45M')
    .option('--status <status>', 'Status, e.g. confirmed, arrived, completed')
    .option('--price <amount>', 'Price, e.g. 49.50 (default: that of the service)')
    .option('--notes <text>', 'Notes')
    .option('--allow-overlap', 'Book even if the stylist is busy')
    .option('--allow-blocked', 'Book even if the stylist is away');
}

/** Flags for a client who is added with the booking. */
export function addNewClientOptions(command: Command): Command {
  return command
    .option('--new-client <name>', 'Add a client and book for them')
    .option('--phone <number>', 'Phone number of the new client')
    .option('--allow-duplicate', 'Add the client even if one like that exists');
}
