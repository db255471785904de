import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AssetName } from '../assets/asset-paths.ts';
import type { Person } from '../sessions/session.ts';

/** The facts about a page request that components may need. */
export interface View {
  /** Undefined on pages for people who are not signed in. */
  readonly person: Person | undefined;
  /** The tenant of the screen; empty on screens that belong to no tenant. */
  readonly tenant: string;
  readonly timeZone: string;
  /** Milliseconds. */
  readonly now: number;
  /** The time at which the session ends without another request, in milliseconds; absent without a session. */
  readonly sessionEndsAt?: number | undefined;
  /** The path and query of the request. */
  readonly url: string;
  /** The scheme and host by which the browser reached the console. */
  readonly origin: string;
  /** False for the answer to a submitted form: its address leads to no page. */
  readonly hasOwnAddress: boolean;
  readonly asset: (name: AssetName) => string;
  /** The name of the screens. */
  readonly productName: string;
  /** Returns a token for another form. */
  readonly newFormToken: () => string;
}

export const ViewContext = createContext<View | undefined>(undefined);

export function useView(): View {
  const view = useContext(ViewContext);
  if (!view) throw new Error('A component is rendered outside of a page.');
  return view;
}

/** Returns the address of a screen of the page's tenant. */
export const useTenantPath = (): ((path: string) => string) => {
  const { tenant } = useView();
  return (path) => `/console/t/${encodeURIComponent(tenant)}${path === '' ? '' : `/${path}`}`;
};
