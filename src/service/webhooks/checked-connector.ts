import { isIP, type LookupFunction } from 'node:net';
import buildConnector from 'undici/lib/core/connect.js';
import { type AddressRules, resolveTarget } from './webhook-address.ts';

/**
 * Makes what opens connections to allowed addresses alone. A name is resolved once for each connection, and what was
 * checked is what is connected to, so that a name which leads elsewhere a moment later gains nothing.
 */
export function createCheckedConnector(rules: AddressRules, timeoutMs: number): buildConnector.connector {
  const connectors = { 'http:': openConnector('http:'), 'https:': openConnector('https:') };

  function openConnector(protocol: string): buildConnector.connector {
    return buildConnector({
      allowH2: false,
      timeout: timeoutMs,
      lookup: createCheckedLookup(rules, protocol),
    });
  }

  return (options, callback) => {
    const connect = connectors[options.protocol === 'https:' ? 'https:' : 'http:'];
    // Node asks nobody for what is an address already, so nobody would check it.
    if (isIP(options.hostname.replace(/^\[(.*)\]$/, '$1')) === 0) {
      connect(options, callback);
      return;
    }
    resolveTarget(options, rules).then(
      () => connect(options, callback),
      (refusal: Error) => callback(refusal, null),
    );
  };
}

/** Node's `lookup` that answers allowed addresses or none. */
function createCheckedLookup(rules: AddressRules, protocol: string): LookupFunction {
  return (hostname, { all }, callback) => {
    resolveTarget({ protocol, hostname }, rules).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        if (all) callback(null, found);
        else callback(null, found[0]?.address ?? '', found[0]?.family);
      },
      (refusal: Error) => callback(refusal, []),
    );
  };
}
