import { type HttpEvent, textOf } from '#shared/http/http-handler';
import { DATA_VERSION } from './data-version.ts';
import { Problem } from './problem.ts';

const BODY_BYTES_MAX = 256 * 1024;

/**
 * What is wrong with a request before its content is looked at. Such a request takes a token and no conversion. The
 * order is that in which a caller can mend it.
 */
export function problemBefore(event: HttpEvent): Problem | undefined {
  const { headers } = event;
  if (!isJson(headers['content-type'])) {
    return new Problem(415, 'unsupported-media-type', 'Send the body as JSON, with "Content-Type: application/json".');
  }
  const bytes = bodyBytes(event);
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

const bodyBytes = ({ body = '', isBase64Encoded }: HttpEvent) =>
  Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');

const isJson = (type = '') => /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i.test(type.trim());

const takesJson = (accept = '*/*') =>
  accept
    .split(',')
    .some((one) =>
      /^\s*(?:\*\/\*|application\/(?:\*|json|problem\+json))\s*(?:;(?!\s*q=0(?:\.0+)?\s*$).*)?$/i.test(one),
    );
