import type { ComponentChild } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { ViewContext } from '../../../functions/console/components/view.ts';
import {
  type Management,
  type ManagementCall,
  ManagementFailure,
} from '../../../functions/console/management/management.ts';
import { Form, type SentFile } from '../../../functions/console/pages/form.ts';
import type { Screen } from '../../../functions/console/pages/screen.ts';
import type { OwnSecondFactor } from '../../../functions/console/sessions/second-factor.ts';
import type { Person } from '../../../functions/console/sessions/session.ts';

export const RENDERED_AT = Date.UTC(2026, 10, 23, 12);

const SECOND_FACTOR: OwnSecondFactor = {
  isRequired: false,
  mayChange: true,
  isOn: async () => false,
  refusalOf: async () => undefined,
  newSecret: async () => 'A'.repeat(52),
  confirm: async () => false,
  turnOff: async () => undefined,
};

interface Request {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string | readonly string[]>>;
  /** Whose screens they are; empty: those of operators. @default demo */
  readonly tenant?: string;
  /** Files of the form, by the names of their fields. */
  readonly files?: Readonly<Record<string, SentFile>>;
  /** @default a person of the tenant */
  readonly person?: Partial<Person>;
  /** What the management API answers, by method and path; what is not there is refused with 404. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** A call that a screen has made. */
export interface Called extends Partial<ManagementCall> {
  readonly name: string;
}

/** A screen as a browser gets it, and what it has asked the management API. */
export async function renderedScreen(
  screen: Screen,
  { path = {}, query = {}, form = {}, files = {}, tenant = 'demo', ...request }: Request,
) {
  const person: Person = {
    name: 'demo',
    subject: 'demo',
    tenant: 'demo',
    isOperator: false,
    role: 'admin',
    ...request.person,
  };
  const calls: Called[] = [];
  const answerTo = (call: Called): unknown => {
    calls.push(call);
    const answer = request.answers[call.name];
    if (answer instanceof ManagementFailure) throw answer;
    if (answer === undefined) throw new ManagementFailure({ status: 404, code: 'not-found', detail: call.name });
    return answer;
  };
  const management: Management = {
    get: async (asked, answer, own) => answer.parse(answerTo({ name: `GET ${asked}`, ...(own && { query: own }) })),
    send: async (call, answer) => answer.parse(answerTo({ name: `${call.method} ${call.path}`, ...call })),
    put: async (url, bytes) =>
      void calls.push({
        name: `PUT ${url}`,
        body: Buffer.from(bytes).toString(),
      }),
  };
  const url = '/console/t/demo/here';
  const answer = await screen({
    person,
    tenant,
    management,
    path,
    query: new URLSearchParams(query),
    form: new Form(
      new URLSearchParams(
        Object.entries(form).flatMap(([name, values]) => [values].flat().map((value) => [name, value])),
      ).toString(),
      new Map(Object.entries(files)),
    ),
    url,
    now: RENDERED_AT,
    secondFactor: SECOND_FACTOR,
    password: { change: async () => ({ kind: 'changed' }) },
  });
  const view = {
    person,
    tenant,
    now: RENDERED_AT,
    newFormToken: () => 'token',
    timeZone: 'UTC',
    url,
    origin: 'https://console.example',
  };
  const inView = (content: ComponentChild) =>
    renderToString(
      <ViewContext.Provider value={{ ...view, asset: (name) => name, productName: 'Console', hasOwnAddress: true }}>
        {content}
      </ViewContext.Provider>,
    );
  const html = answer.kind === 'page' ? inView(answer.body) : '';
  return {
    calls,
    html,
    /** Without tags. */
    text: html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
    /** Where the links of the page lead, by their text. */
    links: new Map(
      [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, to = '', label = '']) => [
        label.replaceAll(/<[^>]*>/g, '').trim(),
        to.replaceAll('&amp;', '&'),
      ]),
    ),
    to: answer.kind === 'redirect' ? answer.to : undefined,
    download: answer.kind === 'download' ? Buffer.from(answer.bytes).toString() : undefined,
    status: answer.kind === 'page' ? (answer.status ?? 200) : 303,
    reloadLeadsTo: answer.kind === 'page' ? answer.reloadLeadsTo : undefined,
  };
}
