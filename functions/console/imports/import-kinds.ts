/** A kind of import: places belong to a tenant, records to the whole service, so only operators see their imports. */
export interface ImportKind {
  /** The name in sentences. */
  readonly name: 'places' | 'records';
  /** The title of the list. */
  readonly title: string;
  /** The path in the management API. */
  readonly apiPath: string;
  /** The noun for one imported line. */
  readonly one: string;
}

const PLACES: ImportKind = { name: 'places', title: 'Place imports', apiPath: 'loyalty/imports', one: 'place' };
const RECORDS: ImportKind = { name: 'records', title: 'Record imports', apiPath: 'imports', one: 'record' };

/** Returns the kind of imports of a screen: places on the screens of a tenant, records on those of operators. */
export const kindOf = ({ tenant }: { readonly tenant: string }): ImportKind => (tenant === '' ? RECORDS : PLACES);

/** Returns the command that imports a file. */
export const importCommand = ({ name }: ImportKind, tenant: string): string =>
  name === 'records'
    ? 'npm run import -- --type businesses --map map.json businesses.csv'
    : `npm run import -- --type places --tenant ${tenant} --map map.json places.csv`;

/** Returns whether an import is still running. */
export const isRunning = ({ status }: { readonly status: string }): boolean => status === 'RUNNING';
