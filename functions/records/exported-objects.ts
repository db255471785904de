import type { ExportSubject } from '#shared/export/export-items';
import { resultFolder } from './download/result-file.ts';

/** The prefix of a tenant's results. They concern no customer. */
export const resultFolders = ({ tenant, customer }: ExportSubject): string[] =>
  customer === undefined ? [resultFolder(tenant)] : [];
