import { type ComponentChildren, createContext } from 'preact';

/** A table of a page, as text or markup: what a file of it contains. */
export interface ListedTable {
  readonly caption: string;
  readonly titles: readonly string[];
  /** The cells of each row. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** The tables of a page, and the address of the next page of its list. They register themselves during rendering. */
export interface PageTables {
  readonly tables: ListedTable[];
  /** The address of the next page of the list. */
  next?: string | undefined;
}

export const PageTablesContext = createContext<PageTables | undefined>(undefined);

/** The query parameter that asks for a table of the page as a file, by its caption. */
export const CSV = 'csv';
