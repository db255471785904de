import type { HttpResult } from './http-handler.ts';

interface ProblemFacts {
  readonly status: number;
  /** Stable, in words with hyphens. */
  readonly code: string;
  /** @default the words of the code */
  readonly title?: string | undefined;
  readonly detail: string;
  readonly requestId: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members, such as `errors`. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/**
 * An error of `/v1` and `/manage/v1` as problem details (RFC 9457). `type` is the path of the page about its code;
 * `instance` names the request, by which its log lines are found.
 */
export const problemResult = ({
  status,
  code,
  title,
  detail,
  requestId,
  headers,
  members,
}: ProblemFacts): HttpResult => ({
  statusCode: status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: JSON.stringify({
    type: `/docs/problems/${code}`,
    title: title ?? titleOf(code),
    status,
    detail,
    instance: `urn:request:${requestId}`,
    code,
    ...members,
  }),
});

/** `api-integration-off` is "API integration off". */
export function titleOf(code: string): string {
  const words = code.replaceAll('-', ' ').replaceAll(/\b(?:api|json|id)\b/g, (word) => word.toUpperCase());
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
}
