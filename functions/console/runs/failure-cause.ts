import { STATUS_CODES } from 'node:http';
import { durationText } from '../components/durations.ts';
import type { Attempt, RunDetails } from './run-answers.ts';

/** The reason why a delivery failed, and what the person can do about it. */
export interface FailureCause {
  readonly sentence: string;
  readonly advice: string;
}

interface Facts {
  /** The host of the target URL. */
  readonly host: string;
  /** ` three times`, or nothing for a single attempt. */
  readonly times: string;
  /** `503 Service Unavailable` */
  readonly status: string;
  /** The duration of the last attempt. */
  readonly duration: string;
}

type Row = readonly [sentence: (facts: Facts) => string, advice: string];

const answered = ({ host, times, status }: Facts) => `${host} answered ${status}${times}.`;

/** Failed responses by status code. The first row that fits counts. */
const BY_STATUS: readonly (readonly [codes: RegExp, ...row: Row])[] = [
  [/^3/, answered, "Redirects aren't followed. Enter the final address as the target URL."],
  [/^40[13]$/, answered, 'Check the authentication of the API configuration: the endpoint refused its credentials.'],
  [/^4(04|10)$/, answered, 'Check the path of the target URL: the server has nothing there.'],
  [/^405$/, answered, 'Let the endpoint accept POST, or correct the path of the target URL.'],
  [/^413$/, answered, 'Raise the size limit of the endpoint, or send less in the body of the rule.'],
  [/^4(00|15|22)$/, answered, 'Compare the body with what the endpoint expects; its response may name the fault.'],
  [/^4(08|25|29)$/, answered, 'The endpoint asks for fewer requests. Raise Retry Interval, then replay.'],
  [/^4/, answered, 'The endpoint refused the request. Its response may say why.'],
  [/^50[234]$/, answered, 'The server behind the target URL was down or overloaded. Replay when it works again.'],
  [/^5/, answered, 'The endpoint failed while it handled the request. Look at its log at this time, then replay.'],
];

/** Failures by outcome of an attempt, or by error of a run that ended without one. */
const BY_OUTCOME: Readonly<Record<string, Row>> = {
  dns_failed: [
    ({ host, times }) => `The DNS name ${host} could not be resolved${times}.`,
    'Check the target URL for a typing error, and that the name has a public address.',
  ],
  connection_refused: [
    ({ host, times }) => `${host} refused the connection${times}.`,
    'Check that the server runs, listens on this port, and that its firewall lets us in.',
  ],
  connection_failed: [
    ({ host, times }) => `${host} could not be reached${times}.`,
    'Check that the server can be reached from the internet on this port.',
  ],
  tls_failed: [
    ({ host, times }) => `The TLS handshake with ${host} failed${times}.`,
    'Check its certificate: it may have expired, be for another name, or lack its intermediate certificates.',
  ],
  timeout: [
    ({ host, times, duration }) => `${host} did not respond within ${duration}${times}.`,
    'Respond first and do the work afterwards, or raise Retry Timeout (at most 120 seconds).',
  ],
  connection_closed: [
    ({ host, times }) => `${host} closed the connection before its response was complete${times}.`,
    'Look for a crash or a time limit in the logs of the server and of its proxy.',
  ],
  invalid_response: [
    ({ host, times }) => `The response of ${host} was not valid HTTP${times}.`,
    'Check that the target URL leads to an HTTPS server.',
  ],
  invalid_request: [
    () => 'The request could not be sent, because one of its headers is not valid.',
    'Check the headers of the rule and the authentication of the API configuration.',
  ],
  blocked_target: [
    ({ host }) => `${host} has a private address, so nothing was sent.`,
    'Enter a target URL that is reachable from the internet.',
  ],
  interrupted: [() => 'The attempt was interrupted on our side.', 'Nothing is wrong with your endpoint. Replay it.'],
  payload_too_large: [
    () => 'The payload is larger than 380 KB, so nothing was sent.',
    'Send less in the body of the rule.',
  ],
  payload_missing: [() => 'The payload has expired, so nothing was sent.', 'Send the event again.'],
  config_missing: [
    () => 'The API configuration was deleted before the delivery.',
    'Choose another one in the rule, and send the event again.',
  ],
  config_disabled: [
    () => 'The API configuration was disabled when the delivery was due.',
    'Enable the API configuration, then replay.',
  ],
  secret_unreadable: [
    () => 'The secret of the API configuration could not be decrypted.',
    'Enter the secret again, then replay.',
  ],
  endpoint_unresponsive: [
    ({ host }) => `${host} had no free slot for three days, because earlier deliveries were not answered.`,
    'Replay when the endpoint responds again.',
  ],
};

const UNKNOWN: Row = [() => 'The delivery failed.', 'Look at the attempts for details.'];

/** Returns why a run has failed: by its last attempt, or by its own error if it ended without one. */
export function failureOfRun({
  error,
  targetUrl,
  attemptLog,
}: Pick<RunDetails, 'error' | 'targetUrl' | 'attemptLog'>): FailureCause {
  const posts = attemptLog.filter(({ outcome, late }) => outcome !== 'interrupted' && !late);
  const last = posts.at(-1);
  if (last && (error === null || error === last.outcome)) {
    const isSame = (one: Attempt) => one.outcome === last.outcome && one.responseCode === last.responseCode;
    return failureOfAttempt(last, posts.every(isSame) ? posts.length : 1);
  }
  return causeOf(error ?? '', { host: hostOf(targetUrl), times: '', status: '', duration: '' });
}

/** Returns why an attempt failed. @param count how many attempts failed in this way */
export function failureOfAttempt(
  { outcome, responseCode, targetUrl, timings }: Pick<Attempt, 'outcome' | 'responseCode' | 'targetUrl' | 'timings'>,
  count = 1,
): FailureCause {
  return causeOf(outcome, {
    host: hostOf(targetUrl),
    times: timesText(count),
    status: statusText(responseCode),
    duration: timings ? durationText(timings.totalMillis) : 'its time',
  });
}

function causeOf(outcome: string, facts: Facts): FailureCause {
  const byStatus = BY_STATUS.find(([codes]) => codes.test(facts.status.slice(0, 3)));
  const [sentence, advice] =
    outcome === 'http_status' && byStatus ? [byStatus[1], byStatus[2]] : (rowOf(outcome) ?? UNKNOWN);
  return { sentence: sentence(facts), advice };
}

const rowOf = (outcome: string) => (Object.hasOwn(BY_OUTCOME, outcome) ? BY_OUTCOME[outcome] : undefined);

const hostOf = (url: string) => URL.parse(url)?.host ?? url;

/** `503 Service Unavailable` */
export const statusText = (code: number | null): string =>
  code === null ? '' : [code, STATUS_CODES[code]].filter(Boolean).join(' ');

const timesText = (count: number) => (count < 2 ? '' : count === 2 ? ' in both attempts' : ` in all ${count} attempts`);
