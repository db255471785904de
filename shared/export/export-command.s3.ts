import { runCommandLine } from '#shared/command/command';
import { STAGE_OPTION } from '#shared/command/command-line';
import { type ExportedDomain, exportDomain } from './export-domain.s3.ts';

export const EXPORT_OPTIONS = {
  tenant: { value: 'NAME', about: 'the tenant', required: true },
  customer: { value: 'ID', about: 'only what is about this loyalty customer of the tenant' },
  out: { value: 'DIR', about: 'a folder that does not exist yet, or is empty', required: true },
  stage: STAGE_OPTION,
} as const;

/** Runs the export of one domain, and prints what it has written for `npm run export`, which calls it. */
export const runExport = (domain: ExportedDomain): Promise<void> =>
  runCommandLine(
    {
      script: 'export',
      about: `Exports what the domain ${domain.name} holds of a tenant.`,
      options: EXPORT_OPTIONS,
      example: '--tenant demo --out demo-export',
    },
    async ({ values }) => {
      process.stdout.write(`${JSON.stringify(await exportDomain(domain, values))}\n`);
      return 0;
    },
  );
