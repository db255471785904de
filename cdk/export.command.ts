/** npm run export: writes everything that the service holds of a tenant, or of one customer, into a folder. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { runCommandLine } from '#shared/command/command';
import { wrongCall } from '#shared/command/command-line';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { EXPORT_OPTIONS } from '#shared/export/export-command.s3';
import { DomainManifest } from '#shared/export/manifest';
import { DOMAIN_TABLES } from './domain-tables.ts';
import { writeExport } from './write-export.ts';

await runCommandLine(
  {
    script: 'export',
    about: `Writes everything that the service holds of a tenant into a folder: a file of JSON lines for each kind of thing,
pictures and results as files, and manifest.json with the number of items, the size and the SHA-256 of each. Secrets, and
what they are recognised by, are left out.`,
    options: EXPORT_OPTIONS,
    example: '--tenant demo --out demo-export',
  },
  async ({ values: { tenant, customer, out, stage } }) => {
    if (existsSync(out) && readdirSync(out).length > 0) throw wrongCall(`--out is ${out}, which is not empty.`);
    const deployment = await findDeployment(stage);
    const domains = Object.entries(DOMAIN_TABLES).flatMap(([domain, output]) =>
      deployment.namesAfter(output).length > 0 ? domain : [],
    );
    const files = await writeExport({ tenant, customer, out }, domains, exported);
    console.log(`${files} files in ${resolve(out)}`);
    return 0;
  },
);

/** Runs the command of a domain with the arguments of this process, which are checked. */
async function exported(domain: string): Promise<DomainManifest> {
  const file = join(import.meta.dirname, '..', 'functions', domain, 'commands', `export-${domain}.command.ts`);
  const child = promisify(execFile)(process.execPath, [file, ...process.argv.slice(2)], { maxBuffer: 1 << 30 });
  const { stdout } = await child.catch((error: Error & { stderr?: string }) => {
    throw new Error(error.stderr?.trim() || `The export of ${domain} failed.`);
  });
  return DomainManifest.parse(JSON.parse(stdout));
}
