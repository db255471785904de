import { validateHeaderName, validateHeaderValue } from 'node:http';
import { Connections } from './connections.https.ts';
import { type Exchanged, exchange } from './exchange.https.ts';
import { failureOf } from './failure.ts';
import { dnsResolver } from './resolve-host.dns.ts';
import { HEADER_CHARACTERS_MAX, type OutgoingRequest, type Send, type SendFailure, type Timings } from './sending.ts';
import { type ResolveHost, vettedAddresses } from './vetted-addresses.ts';

interface Sending {
  readonly connections: Connections;
  readonly resolveHost: ResolveHost;
  /** The signal that aborts the attempt at its deadline. */
  readonly signal: AbortSignal;
}

type Phases = Omit<Timings, 'totalMillis'>;
type Outcome = Exchanged & Phases;

/**
 * Sends webhooks. A name is looked up once per attempt, all its addresses must be public, and the connection goes to
 * one of them. `extraCa` (PEM) is trusted beside the authorities of the runtime.
 */
export function httpsSender({
  extraCa,
  resolveHost = dnsResolver(),
}: {
  extraCa?: string;
  resolveHost?: ResolveHost;
} = {}): Send {
  const connections = new Connections(extraCa);
  return async (request) => {
    const start = performance.now();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), request.timeoutMillis);
    const { dnsMillis, connectMillis, tlsMillis, firstByteMillis, ...result } = await attempted(request, {
      connections,
      resolveHost,
      signal: deadline.signal,
    }).catch((error: unknown): Outcome => notAnswered(failureOf(error, 'connect')));
    clearTimeout(timer);
    const phases = Object.entries({ dnsMillis, connectMillis, tlsMillis, firstByteMillis });
    const reached = phases.flatMap(([phase, millis]) => (millis === undefined ? [] : [[phase, Math.round(millis)]]));
    const totalMillis = Math.round(performance.now() - start);
    return { ...result, timings: { ...(Object.fromEntries(reached) as Phases), totalMillis } };
  };
}

async function attempted(request: OutgoingRequest, { connections, resolveHost, signal }: Sending): Promise<Outcome> {
  if (!canBeSent(request)) return notAnswered('invalid_request');
  const start = performance.now();
  const addresses = await vettedAddresses(request.target, resolveHost, signal);
  const dns: Phases = request.target.isAddress ? {} : { dnsMillis: performance.now() - start };
  // The duration would reveal whether a blocked name resolves to a private address.
  if (typeof addresses === 'string') return notAnswered(addresses, addresses === 'dns_failed' ? dns : {});

  const destination = { target: request.target, addresses, group: request.connectionGroup };
  const connection = await connections.open(destination, signal);
  if ('failure' in connection) return { kind: 'not-answered', ...dns, ...connection };

  const { socket, ...connected } = connection;
  const onFree = (idleMillisMax: number | undefined) => connections.keep(socket, destination, idleMillisMax);
  return { ...dns, ...connected, ...(await exchange(request, { socket, signal, onFree })) };
}

function notAnswered(failure: SendFailure, phases: Phases = {}): Outcome {
  return { kind: 'not-answered', failure, ...phases };
}

/** Returns whether the headers can be sent: a value that a placeholder inserted may be impossible to send. */
function canBeSent({ headers }: OutgoingRequest): boolean {
  try {
    for (const [name, value] of headers) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return headers.every(([, value]) => value.length <= HEADER_CHARACTERS_MAX);
  } catch {
    return false;
  }
}
