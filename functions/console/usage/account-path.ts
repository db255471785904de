import type { PageRequest } from '../pages/screen.ts';

/** Returns the path of the management API below the account of the screen. */
export const accountPath = ({ tenant }: PageRequest, path: string): string =>
  `accounts/${encodeURIComponent(tenant)}/${path}`;
