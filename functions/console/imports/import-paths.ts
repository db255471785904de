import { type PageRequest, screenPath } from '../pages/screen.ts';
import type { ImportKind } from './import-kinds.ts';

/** The address of the list of imports, or of a page below it. Imports of records belong to no tenant. */
export const importsPath = (pageRequest: Pick<PageRequest, 'tenant'>, below = ''): string =>
  screenPath(pageRequest, below === '' ? 'imports' : `imports/${below}`);

export const importPath = (pageRequest: Pick<PageRequest, 'tenant'>, id: string): string =>
  importsPath(pageRequest, encodeURIComponent(id));

/** The page that waits for the import of an object, and leads to it. */
export const startedPath = (pageRequest: Pick<PageRequest, 'tenant'>, key: string): string =>
  `${importsPath(pageRequest, '-/started')}?${new URLSearchParams({ key }).toString()}`;

export const apiImportPath = (kind: ImportKind, id: string | undefined): string =>
  `${kind.apiPath}/${encodeURIComponent(id ?? '')}`;
