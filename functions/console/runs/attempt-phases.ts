import type { Attempt } from './run-answers.ts';

export interface AttemptPhase {
  readonly name: 'dns' | 'connect' | 'tls' | 'wait' | 'rest';
  /** Milliseconds from the begin of the attempt. */
  readonly from: number;
  readonly millis: number;
}

type Timings = NonNullable<Attempt['timings']>;

/**
 * The phases of an attempt one after the other. A phase that did not come about, as on a connection that was open
 * already, is left out; what no phase accounts for is the rest.
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
  if (totalMillis > from) phases.push({ name: 'rest', from, millis: totalMillis - from });
  return phases;
}
