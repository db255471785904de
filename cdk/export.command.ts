/** npm run export: writes everything that the service holds of a tenant, or of one customer, into a folder. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { runCommandLine } from '#shared/command/command';
import { wrongCall } from '#shared/command/command-line';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { EXPORT_OPTIONS } from '#shared/export/export-command.s3';
import { DomainManifest } from '#shared/export/manifest';
import { DOMAIN_TABLES } from './domain-tables.ts';

const SESSIONS = {
  what: 'console: SESSION, FORM, ATTEMPTS, DEVICE_KEY',
  why: 'Sessions of people hold sealed credentials, and end within a day.',
};

/** Payloads are whatever the tenant announced: only the tenant knows which of them are about a person. */
const PAYLOADS = {
  what: 'Payloads in the delivery log of webhooks, lines of the audit log',
  why: 'They are kept by event and not by customer. The export of the whole tenant has them.',
};

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
    mkdirSync(out, { recursive: true, mode: 0o700 });
    const domains = Object.entries(DOMAIN_TABLES).flatMap(([domain, output]) =>
      deployment.namesAfter(output).length > 0 ? domain : [],
    );
    const manifests: DomainManifest[] = [];
    for (const domain of domains) manifests.push(await exported(domain));
    const files = manifests.flatMap((manifest) => manifest.files);
    if (files.length === 0) {
      rmdirSync(out);
      throw new Error(
        `The service holds nothing of ${customer === undefined ? '' : `customer ${customer} of `}${tenant}.`,
      );
    }
    const leftOut = [...manifests.flatMap((manifest) => manifest.leftOut), SESSIONS, ...(customer ? [PAYLOADS] : [])];
    const manifest = { tenant, customer, exportedAt: new Date().toISOString(), files, leftOut };
    writeFileSync(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    console.log(`${files.length} files in ${resolve(out)}`);
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
