import { type PageRequest, screenPath } from '../pages/screen.ts';

/** The path of a download in the management API. */
export const apiPathOf = (id: string | number | undefined): string => `requests/${encodeURIComponent(id ?? '')}`;

/** The path of its page. */
export const ownPathOf = (pageRequest: PageRequest, id: string | number): string =>
  screenPath(pageRequest, `downloads/${encodeURIComponent(id)}`);
