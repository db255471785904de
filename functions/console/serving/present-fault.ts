import type { Refusal } from '#shared/errors';
import type { HttpResult } from '#shared/http/http-handler';
import type { Presenting } from './present.tsx';
import { securityHeaders } from './security-headers.ts';

/** Presents an unexpected error as plain text, without the frame, which may itself have failed. */
export const presentFault =
  ({ headers }: Presenting) =>
  ({ status, detail }: Refusal, requestId: string): HttpResult => ({
    statusCode: status,
    headers: {
      ...securityHeaders(headers),
      'cache-control': 'no-store',
      'content-type': 'text/plain; charset=utf-8',
    },
    body: status >= 500 ? `The page could not be displayed. Request id: ${requestId}.\n` : `${detail}\n`,
  });
