import { durationText } from '../components/durations.ts';
import { JsonCode } from '../components/json-code.tsx';
import { Facts, Note, Url } from '../components/page-parts.tsx';
import { attemptName } from './attempt-bars.tsx';
import { statusText } from './failure-cause.ts';
import type { Attempt } from './run-answers.ts';
import { outcomeWords } from './run-status.tsx';

interface RequestCardProps {
  readonly targetUrl: string;
  /** The headers of the last attempt, with masked secrets. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** The attempt that sent these headers, if it is another one than that of the page. */
  readonly headersOf?: string | undefined;
  readonly payload: string | null;
  /** The address of the payload as a file. @default none */
  readonly savedAt?: string | undefined;
}

/** The request of an attempt. Every attempt of a run sends the same payload. */
export function RequestCard({ targetUrl, headers, headersOf, payload, savedAt }: RequestCardProps) {
  return (
    <section class="card pad stack">
      <div class="head">
        <h2>Request</h2>
        {payload && savedAt && <a href={savedAt}>Save the request as a file</a>}
      </div>
      <p class="mono url">
        POST <Url url={targetUrl} />
      </p>
      {payload ? (
        <JsonCode id="payload" text={payload} label="Payload" />
      ) : (
        <Note tone="warn">The payload is not available: it was too large or has expired.</Note>
      )}
      {headers.length > 0 && (
        <>
          <h3>Headers {headersOf && <span class="faint small">of {headersOf}</span>}</h3>
          <Facts facts={Object.fromEntries(headers.map(({ name, value }) => [name, <code>{value}</code>]))} />
        </>
      )}
    </section>
  );
}

interface ResponseCardProps {
  readonly attempt: Attempt | undefined;
  /** The address of the response as a file. @default none */
  readonly savedAt?: string | undefined;
  /** True if there is only one attempt, which needs no name. */
  readonly isOne: boolean;
}

/** The response to an attempt, with its status, duration and body. */
export function ResponseCard({ attempt, savedAt, isOne }: ResponseCardProps) {
  return (
    <section class="card pad stack">
      <div class="head">
        <h2>Response {attempt && !isOne && <span class="faint small">{attemptName(attempt).toLowerCase()}</span>}</h2>
        {attempt?.responseBody && savedAt && <a href={savedAt}>Save the response as a file</a>}
      </div>
      {attempt ? <Outcome attempt={attempt} /> : <p class="muted">No attempt yet.</p>}
    </section>
  );
}

function Outcome({ attempt }: { readonly attempt: Attempt }) {
  const { outcome, responseCode, timings } = attempt;
  return (
    <>
      <p class="row">
        <span class={outcome === 'succeeded' ? 'good' : 'poor'}>
          {responseCode === null ? outcomeWords(outcome) : statusText(responseCode)}
        </span>
        {timings && <span class="faint">{durationText(timings.totalMillis)}</span>}
      </p>
      <Body attempt={attempt} />
    </>
  );
}

function Body({
  attempt: { responseBody, responseBodyEncoding, responseBodyTruncated },
}: {
  readonly attempt: Attempt;
}) {
  if (responseBody === null) return <p class="muted">There was no response.</p>;
  if (responseBodyEncoding === 'base64') return <p class="muted">The response is not text. Save it as a file.</p>;
  if (responseBody === '') return <p class="muted">The response has no body.</p>;
  return (
    <>
      <JsonCode id="answer" text={responseBody} label="Endpoint response" />
      {responseBodyTruncated && <p class="hint">Only the first 16 KB of the response are stored.</p>}
    </>
  );
}
