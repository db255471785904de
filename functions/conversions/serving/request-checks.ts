import { Refusal } from '#shared/errors';
import type { HttpEvent } from '#shared/http/http-handler';
import { textOf } from '#shared/http/request-body';
import { DATA_VERSION } from './data-version.ts';
import { Problem, type ProblemType } from './problem.ts';

/** The largest body, also after inflation. A larger one is refused before the caller is authenticated. */
export const BODY_BYTES_MAX = 256 * 1024;

/**
 * The fault of a request before its content is read. Such a request takes a token and no conversion. The checks are in
 * the order in which a caller can fix them.
 */
export function problemBefore(event: HttpEvent): Problem | undefined {
  const { headers } = event;
  if (!isJson(headers['content-type'])) {
    return new Problem(415, 'unsupported-media-type', 'Send the body as JSON, with "Content-Type: application/json".');
  }
  const body = readable(event);
  if (body instanceof Problem) return body;
  const bytes = Buffer.byteLength(body);
  if (bytes > BODY_BYTES_MAX) {
    const detail = `The body has ${bytes} bytes; at most ${BODY_BYTES_MAX} are taken. Split the items over several requests.`;
    return new Problem(413, 'payload-too-large', detail);
  }
  if (!takesJson(headers['accept'])) {
    return new Problem(
      406,
      'not-acceptable',
      'Answers are JSON: leave out Accept, or send "Accept: application/json".',
    );
  }
  const pinned = headers['x-data-version'];
  if (pinned !== undefined && pinned !== DATA_VERSION) {
    const detail = `This deployment has the data version ${DATA_VERSION} only. Leave out X-Data-Version, or send that one.`;
    return new Problem(406, 'not-acceptable', detail, { members: { dataVersion: DATA_VERSION } });
  }
  return undefined;
}

export const bodyOf = (event: HttpEvent): string => textOf(event) ?? '';

/** The body as text, or its fault: an encoding is not content, so nothing is counted. */
function readable(event: HttpEvent): string | Problem {
  try {
    return bodyOf(event);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, detail, headers } = error;
    return new Problem(status, ENCODING_PROBLEMS[status] ?? 'invalid-request', detail, { headers, cause: error });
  }
}

const ENCODING_PROBLEMS: Readonly<Record<number, ProblemType>> = {
  413: 'payload-too-large',
  415: 'unsupported-media-type',
};

const isJson = (type = '') => /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i.test(type.trim());

const takesJson = (accept = '*/*') =>
  accept
    .split(',')
    .some((one) =>
      /^\s*(?:\*\/\*|application\/(?:\*|json|problem\+json))\s*(?:;(?!\s*q=0(?:\.0+)?\s*$).*)?$/i.test(one),
    );
