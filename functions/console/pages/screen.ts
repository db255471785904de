import type { ComponentChild } from 'preact';
import type { Management } from '../management/management.ts';
import type { OwnSecondFactor } from '../sessions/second-factor.ts';
import type { Person } from '../sessions/session.ts';
import type { Form } from './form.ts';

/** One request of a person who is signed in. */
export interface Visit {
  readonly person: Person;
  /** The tenant whose screens these are. Blank on screens for operators, which belong to no tenant. */
  readonly tenant: string;
  /** The management API with the person's own token, for this tenant. */
  readonly management: Management;
  readonly secondFactor: OwnSecondFactor;
  /** Members of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** What was submitted; empty for a GET. */
  readonly form: Form;
  /** The path and query of this request. */
  readonly url: string;
  /** Milliseconds. */
  readonly now: number;
}

/** A page inside the console's frame. */
export interface Page {
  readonly kind: 'page';
  /** @default 200 */
  readonly status?: number;
  readonly title: string;
  readonly body: ComponentChild;
  /** Parts that the page's script fetches again, by name, while they change. */
  readonly live?: Readonly<Record<string, LivePart>>;
  /**
   * Where the same form leads when it is sent again, by a reload of this page. @default a note that it was sent
   */
  readonly reloadLeadsTo?: string;
}

interface LivePart {
  readonly content: ComponentChild;
  /** Nothing will change any more. */
  readonly isOver: boolean;
}

/** 303: the browser goes on with a GET. */
export interface Redirect {
  readonly kind: 'redirect';
  /** Of the console itself, or where a presigned link leads. */
  readonly to: string;
}

/** Bytes to be saved as a file. */
interface Download {
  readonly kind: 'download';
  readonly name: string;
  readonly bytes: Uint8Array;
}

export type Answer = Page | Redirect | Download;

/** What answers at one path. A refusal of the management API is thrown through it. */
export type Screen = (visit: Visit) => Promise<Answer> | Answer;
export type ScreenRoute = `${'GET' | 'POST'} /console/${string}`;
export type Screens = Readonly<Record<ScreenRoute, Screen>>;

export const page = (title: string, body: ComponentChild, more: Omit<Page, 'kind' | 'title' | 'body'> = {}): Page => ({
  kind: 'page',
  title,
  body,
  ...more,
});

export const seeOther = (to: string): Redirect => ({ kind: 'redirect', to });

/** The address of a screen of this tenant, with its query. Members that are undefined or blank are left out. */
export function screenPath(
  { tenant }: Pick<Visit, 'tenant'>,
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const search = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  return `/console/t/${encodeURIComponent(tenant)}${path === '' ? '' : `/${path}`}${search.size > 0 ? `?${search.toString()}` : ''}`;
}
