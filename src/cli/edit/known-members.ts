import { newAppointment } from '../../contract/appointment.ts';
import { clientChange } from '../../contract/client.ts';

const knownOf: Readonly<Record<string, object>> = {
  clients: clientChange.properties,
  appointments: newAppointment.properties,
};

/**
 * The body of a request without the members that the contract does not know. A server that has more of them takes
 * them; the service in this program would refuse the whole request.
 */
export function keepKnownMembers(path: string, body: Buffer): Buffer {
  const noun = /\/(clients|appointments)(?:[/?]|$)/.exec(path)?.[1];
  const known = noun === undefined ? undefined : knownOf[noun];
  if (known === undefined || body.length === 0) return body;
  const members: unknown = JSON.parse(body.toString('utf8'));
  if (typeof members !== 'object' || members === null) return body;
  const kept = Object.entries(members).filter(([name]) => Object.hasOwn(known, name));
  return Buffer.from(JSON.stringify(Object.fromEntries(kept)));
}
