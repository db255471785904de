import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AssetName } from '../assets/asset-paths.ts';
import type { Person } from '../sessions/session.ts';

/** What every component of a page may need to know of its request. */
export interface View {
  /** Undefined on pages for people who are not signed in. */
  readonly person: Person | undefined;
  /** The tenant whose screens these are; blank on screens that belong to none. */
  readonly tenant: string;
  readonly timeZone: string;
  /** Milliseconds. */
  readonly now: number;
  /** The path and query of the request. */
  readonly url: string;
  readonly asset: (name: AssetName) => string;
  /** A token for one more form. */
  readonly newFormToken: () => string;
}

export const ViewContext = createContext<View | undefined>(undefined);

export function useView(): View {
  const view = useContext(ViewContext);
  if (!view) throw new Error('A component is shown outside of a page.');
  return view;
}

/** The address of a screen of the page's tenant. */
export const useTenantPath = (): ((path: string) => string) => {
  const { tenant } = useView();
  return (path) => `/console/t/${encodeURIComponent(tenant)}${path === '' ? '' : `/${path}`}`;
};
