import type { Attempt } from './run-answers.ts';

export interface AttemptPhase {
  readonly name: 'dns' | 'connect' | 'tls' | 'wait' | 'rest';
  /** The milliseconds since the start of the attempt. */
  readonly from: number;
  readonly millis: number;
}

type Timings = NonNullable<Attempt['timings']>;

/**
 * Returns the phases of an attempt in order. Phases that did not occur, as on a reused connection, are left out; the
 * remaining time is the download of the response or, without a response, of the phase in which the attempt ended.
 */
export function phasesOf({
  dnsMillis,
  connectMillis,
  tlsMillis,
  firstByteMillis,
  totalMillis,
}: Timings): AttemptPhase[] {
  const phases: AttemptPhase[] = [];
  let from = 0;
  const measured = { dns: dnsMillis, connect: connectMillis, tls: tlsMillis, wait: firstByteMillis } as const;
  for (const [name, millis] of Object.entries(measured)) {
    if (millis === undefined || millis <= 0) continue;
    phases.push({ name: name as keyof typeof measured, from, millis });
    from += millis;
  }
  const open =
    firstByteMillis !== undefined
      ? 'rest'
      : connectMillis === undefined && dnsMillis !== undefined
        ? 'connect'
        : 'wait';
  if (totalMillis > from) phases.push({ name: open, from, millis: totalMillis - from });
  return phases;
}
