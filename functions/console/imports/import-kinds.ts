/** What is imported: places belong to a tenant, records to the whole service, so that only operators see their imports. */
export interface ImportKind {
  /** In words. */
  readonly name: 'places' | 'records';
  /** Of the management API. */
  readonly apiPath: string;
  /** What a line of a file becomes. */
  readonly one: string;
}

const PLACES: ImportKind = { name: 'places', apiPath: 'loyalty/imports', one: 'place' };
const RECORDS: ImportKind = { name: 'records', apiPath: 'imports', one: 'record' };

/** What the screens of a tenant show, and those of operators, which belong to no tenant: never one another's imports. */
export const kindOf = ({ tenant }: { readonly tenant: string }): ImportKind => (tenant === '' ? RECORDS : PLACES);

/** The command that imports a file. */
export const importCommand = ({ name }: ImportKind, tenant: string): string =>
  name === 'records'
    ? 'npm run import -- --type businesses --map map.json businesses.csv'
    : `npm run import -- --type places --tenant ${tenant} --map map.json places.csv`;

/** Its numbers still change. */
export const isRunning = ({ status }: { readonly status: string }): boolean => status === 'RUNNING';
