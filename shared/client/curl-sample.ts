/** A request to the API as samples write it. */
export interface SampleRequest {
  readonly method: string;
  /** The path with its query, variables filled in. */
  readonly path: string;
  /** The way of authentication: the variable TOKEN, USER and PASSWORD, or none. */
  readonly credential: 'bearer' | 'basic' | 'none';
  readonly body?: unknown;
}

/** Returns a text as one word of a shell command. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The longest body on one line. */
const LINE_MAX = 72;

function bodyText(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length > LINE_MAX ? JSON.stringify(body, undefined, 2) : line;
}

/** Returns the request as a shell command for the API at the variable API_URL. */
export function curlSample({ method, path, credential, body }: SampleRequest): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$API_URL${path}"`,
    ...(credential === 'bearer' ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(credential === 'basic' ? ['-u "$USER:$PASSWORD"'] : []),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${quoted(bodyText(body))}`]),
  ].join(' \\\n  ');
}
