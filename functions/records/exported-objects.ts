import type { ExportSubject } from '#shared/export/export-items';
import { resultFolder } from './download/result-file.ts';

/** Where the results of a tenant stand. They are about no customer. */
export const resultFolders = ({ tenant, customer }: ExportSubject): string[] =>
  customer === undefined ? [resultFolder(tenant)] : [];
