import { type PageRequest, screenPath } from '../pages/screen.ts';
import type { ImportKind } from './import-kinds.ts';

/** The address of the list of imports, or of a page below it. Imports of records belong to no tenant. */
export function importsPath(pageRequest: Pick<PageRequest, 'tenant'>, below = ''): string {
  const list = pageRequest.tenant === '' ? '/console/imports' : screenPath(pageRequest, 'imports');
  return below === '' ? list : `${list}/${below}`;
}

export const importPath = (pageRequest: Pick<PageRequest, 'tenant'>, id: string): string =>
  importsPath(pageRequest, encodeURIComponent(id));

/** The page that waits for the import of an object, and leads to it. */
export const startedPath = (pageRequest: Pick<PageRequest, 'tenant'>, key: string): string =>
  `${importsPath(pageRequest, '-/started')}?${new URLSearchParams({ key }).toString()}`;

export const apiImportPath = (kind: ImportKind, id: string | undefined): string =>
  `${kind.apiPath}/${encodeURIComponent(id ?? '')}`;
