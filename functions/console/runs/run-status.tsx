import { REPLAYS_MAX } from '#shared/replay-limit';
import { Badge } from '../components/badge.tsx';
import type { Run } from './run-answers.ts';

/** The state of a run. A failed run with a successful replay is resolved. */
export function RunStatus({ run }: { readonly run: Pick<Run, 'status' | 'resolved' | 'waitsForEndpoint' | 'paused'> }) {
  if (run.status === 'FAILED' && run.resolved) return <Badge tone="outlined" icon="check" label="Resolved" />;
  if (run.paused) return <Badge tone="warn" icon="pause" label="Paused" />;
  if (run.waitsForEndpoint) return <Badge tone="warn" icon="pause" label="Waiting" />;
  switch (run.status) {
    case 'COMPLETED':
      return <Badge tone="ok" icon="check" label="Completed" />;
    case 'FAILED':
      return <Badge tone="bad" icon="cross" label="Failed" />;
    case 'IN_PROGRESS':
      return <Badge tone="info" icon="clock" label="In progress" />;
    default:
      return <Badge tone="plain" icon="dot" label="Created" />;
  }
}

/** Returns whether a run can be replayed: a failed original that is not resolved and has replays left. */
export const isReplayable = ({ status, replayOf, resolved, replays }: Run): boolean =>
  status === 'FAILED' && replayOf === null && !resolved && replays < REPLAYS_MAX;

const OUTCOMES: Readonly<Record<string, string>> = {
  http_status: 'Failed',
  dns_failed: 'DNS failed',
  tls_failed: 'TLS failed',
  connection_refused: 'Refused',
  connection_failed: 'Unreachable',
  connection_closed: 'Closed',
  blocked_target: 'Private address',
  config_missing: 'No configuration',
  config_disabled: 'Disabled',
  endpoint_unresponsive: 'Unresponsive',
};

/** `Timeout`, `DNS failed`: an outcome or error that has no status code, in words. */
export const outcomeWords = (outcome: string): string => {
  const words = outcome.replaceAll('_', ' ');
  return (Object.hasOwn(OUTCOMES, outcome) && OUTCOMES[outcome]) || words.charAt(0).toUpperCase() + words.slice(1);
};

/** The status code of the last response, or the error. */
export function ResponseCode({ code, error }: { readonly code: number | null; readonly error: string | null }) {
  if (code === null) return error === null ? <>–</> : <span class="poor nowrap">{outcomeWords(error)}</span>;
  return <span class={code >= 200 && code < 300 ? 'mono good' : 'mono poor'}>{code}</span>;
}

/** Shortens an id to `run_28t5…CFH0`, enough to distinguish the runs of a page. */
export const shortId = (id: string): string => (id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id);
