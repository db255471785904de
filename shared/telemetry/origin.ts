import { traceId } from '#shared/env';
import { logFields } from '#shared/telemetry/log';

/**
 * The trace in which work began, such as that of a call of the API. Lambda gives a function that a queue or a stream calls a
 * trace of its own, so the id of the first one goes along: in messages and events as X-Ray's header, which AWS neither
 * counts nor bills, and in announced items and executions as the member `origin` of 41 bytes.
 */
export interface Origin {
  readonly origin?: string;
}

const ROOT = /\bRoot=(1-[0-9a-f]{8}-[0-9a-f]{24})\b/;

/** The origin that a stored item, a message or the input of a state names. */
export const originOf = (subject: unknown): Origin =>
  typeof subject === 'object' &&
  subject !== null &&
  'origin' in subject &&
  typeof subject.origin === 'string' &&
  subject.origin !== ''
    ? { origin: subject.origin }
    : {};

/** Reads X-Ray's header, such as `Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1`. */
export function originIn(header: string | undefined): Origin {
  const [, origin] = ROOT.exec(header ?? '') ?? [];
  return origin === undefined ? {} : { origin };
}

/** The origin of the current work: that of its message, or else the trace of the invocation. */
export function currentOrigin(): Origin {
  const { origin = traceId() } = logFields();
  return typeof origin === 'string' ? { origin } : {};
}

/** Returns X-Ray's header for a message or an event. The SDK would send that of the invocation. */
export const traceHeader = ({ origin = currentOrigin().origin }: Origin = {}): string | undefined =>
  origin === undefined ? undefined : `Root=${origin}`;
