import type { ComponentChild } from 'preact';
import type { Management } from '../management/management.ts';
import type { OwnPassword } from '../sessions/own-password.ts';
import type { OwnSecondFactor } from '../sessions/second-factor.ts';
import type { Person } from '../sessions/session.ts';
import type { Form } from './form.ts';

/** A page request of a person who is signed in. */
export interface PageRequest {
  readonly person: Person;
  /** The tenant of the screen; empty on screens for operators, which belong to no tenant. */
  readonly tenant: string;
  /** The management API with the person's own token, for this tenant. */
  readonly management: Management;
  readonly secondFactor: OwnSecondFactor;
  readonly password: OwnPassword;
  /** The decoded parameters of the path. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The submitted form; empty for a GET. */
  readonly form: Form;
  /** The path and query of this request. */
  readonly url: string;
  /** The time in milliseconds. */
  readonly now: number;
}

/** A page inside the console's frame. */
export interface Page {
  readonly kind: 'page';
  /** @default 200 */
  readonly status?: number;
  readonly title: string;
  readonly body: ComponentChild;
  /** Parts by name that the page's script refreshes while they change. */
  readonly live?: Readonly<Record<string, LivePart>>;
  /**
   * The address to which a repeated submission of the form leads, after a reload of this page. @default a note that it
   * was submitted
   */
  readonly reloadLeadsTo?: string;
}

interface LivePart {
  readonly content: ComponentChild;
  /** True if nothing will change any more. */
  readonly isOver: boolean;
}

/** A redirect with status 303: the browser continues with a GET. */
export interface Redirect {
  readonly kind: 'redirect';
  /** An address of the console, or a presigned link. */
  readonly to: string;
}

/** Bytes that the browser saves as a file. */
interface Download {
  readonly kind: 'download';
  readonly name: string;
  readonly bytes: Uint8Array;
}

export type Answer = Page | Redirect | Download;

/** The handler of one path. It lets failures of the management API through. */
export type Screen = (pageRequest: PageRequest) => Promise<Answer> | Answer;
export type ScreenRoute = `${'GET' | 'POST'} /console/${string}`;
export type Screens = Readonly<Record<ScreenRoute, Screen>>;

export const page = (title: string, body: ComponentChild, more: Omit<Page, 'kind' | 'title' | 'body'> = {}): Page => ({
  kind: 'page',
  title,
  body,
  ...more,
});

export const seeOther = (to: string): Redirect => ({ kind: 'redirect', to });

/** Returns the address of a screen of this tenant, or of one for operators. Undefined and empty members of the query are left out. */
export function screenPath(
  { tenant }: Pick<PageRequest, 'tenant'>,
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const search = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  const home = tenant === '' ? '/console' : `/console/t/${encodeURIComponent(tenant)}`;
  return `${home}${path === '' ? '' : `/${path}`}${search.size > 0 ? `?${search.toString()}` : ''}`;
}
