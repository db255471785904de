/** Reads AWS calls from HTTP and writes the answers back. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReceivedRequest } from '../sigv4/received.ts';
import type { AwsRequest, AwsResponse, AwsService } from './aws-service.ts';
import { CallRefusal } from './call-refusal.ts';

/** An answer too large to hold in memory. */
export interface StreamedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

/** A verified request, with a signal that aborts when its caller disconnects. */
export interface WatchedRequest extends AwsRequest {
  readonly gone: AbortSignal;
}

/** A service that may stream its answers and knows when its caller has gone. */
export interface StreamingService extends Omit<AwsService, 'handle'> {
  handle(request: WatchedRequest): Promise<AwsResponse | StreamedResponse>;
}

/** S3 takes 5 GiB in one PUT; here a body is held in memory, and larger ones come in parts. */
const BODY_BYTES_MAX = 1024 ** 3;

export async function receive(message: IncomingMessage): Promise<ReceivedRequest> {
  const { url = '/', method = 'GET' } = message;
  const question = url.indexOf('?');
  return {
    method,
    path: question < 0 ? url : url.slice(0, question),
    rawQuery: question < 0 ? '' : url.slice(question + 1),
    headers: headersOf(message),
    body: await bodyOf(message),
  };
}

export async function answer(
  response: ServerResponse,
  { status, headers, body }: AwsResponse | StreamedResponse,
): Promise<void> {
  response.statusCode = status;
  // Text beyond Latin-1, such as a file name, is sent as UTF-8, as it was received.
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, Buffer.from(value).toString('latin1'));
  if (!response.hasHeader('x-amzn-requestid')) response.setHeader('x-amzn-requestid', randomUUID());
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return pipeline(body, response);
  if (!response.hasHeader('content-length') && status !== 204 && status !== 304) {
    response.setHeader('content-length', Buffer.byteLength(body));
  }
  response.end(body);
}

/** Aborted when the connection closes before the answer is complete. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function headersOf({ rawHeaders }: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    // Header bytes are Latin-1 to Node, UTF-8 to AWS, which matters for metadata.
    const value = Buffer.from(rawHeaders[i + 1] ?? '', 'latin1').toString();
    headers[name] = headers[name] === undefined ? value : `${headers[name]},${value}`;
  }
  return headers;
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('The request was given an encoding.');
    size += chunk.length;
    if (size > BODY_BYTES_MAX) {
      throw new CallRefusal(400, 'EntityTooLarge', `A single request may hold ${BODY_BYTES_MAX} bytes here.`);
    }
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
