/** What is imported: places belong to a tenant, records to the whole service, so that only operators see their imports. */
export interface ImportKind {
  /** In the address. */
  readonly name: 'places' | 'records';
  readonly label: string;
  /** Of the management API. */
  readonly apiPath: string;
  /** What a line of a file becomes. */
  readonly one: string;
}

const PLACES: ImportKind = { name: 'places', label: 'Places', apiPath: 'loyalty/imports', one: 'place' };
const RECORDS: ImportKind = { name: 'records', label: 'Records', apiPath: 'imports', one: 'record' };

/** Those that a person may see, the default first. */
export const kindsFor = ({ isOperator }: { readonly isOperator: boolean }): readonly ImportKind[] =>
  isOperator ? [RECORDS, PLACES] : [PLACES];

/** The command that imports a file. */
export const importCommand = ({ name }: ImportKind, tenant: string): string =>
  name === 'records'
    ? 'npm run import -- --type businesses --map map.json businesses.csv'
    : `npm run import -- --type places --tenant ${tenant} --map map.json places.csv`;

/** Its numbers still change. */
export const isRunning = ({ status }: { readonly status: string }): boolean => status === 'RUNNING';
