import type { RunningService } from '../cloud/running-service.ts';

export const DEMO_PASSWORD = 'Demo-password-1234';

export interface Visited {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where a redirect leads. */
  readonly location: string | undefined;
}

/** A browser without script: it keeps cookies, and reads the forms of pages. */
export class ConsoleVisitor {
  readonly cookies = new Map<string, string>();
  private readonly service: RunningService;

  constructor(service: RunningService) {
    this.service = service;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Visited> {
    return this.visit(path, { headers });
  }

  /** Submits fields as a form of the console would. */
  post(path: string, fields: Record<string, string>, headers: Record<string, string> = OWN): Promise<Visited> {
    return this.visit(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  signIn(name = 'demo', password = DEMO_PASSWORD, more: Record<string, string> = {}): Promise<Visited> {
    return this.post('/console/sign-in', { name, password, ...more });
  }

  /** The token of the first form of a page that goes to this path. */
  async formToken(page: string, action: string): Promise<string> {
    const { text } = await this.get(page);
    const form = text.split('<form').find((part) => part.includes(`action="${action}"`));
    const token = /name="form" value="([^"]+)"/.exec(form ?? '')?.[1];
    if (token === undefined) throw new Error(`There is no form for ${action} on ${page}.`);
    return token;
  }

  private async visit(path: string, init: RequestInit): Promise<Visited> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie !== '' && { cookie }) };
    const answer = await fetch(this.service.cloud.apiUrl + path, { redirect: 'manual', ...init, headers });
    for (const set of answer.headers.getSetCookie()) this.keep(set);
    const { status } = answer;
    return {
      status,
      headers: answer.headers,
      text: await answer.text(),
      location: answer.headers.get('location') ?? undefined,
    };
  }

  private keep(set: string): void {
    const [pair = ''] = set.split(';');
    const at = pair.indexOf('=');
    if (/max-age=0/i.test(set)) this.cookies.delete(pair.slice(0, at));
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

/** What a browser sends with the form of a page of the same origin. */
export const OWN = { 'sec-fetch-site': 'same-origin' };

/** The hidden fields of a page or form. */
export const hiddenFields = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
    ]),
  );
