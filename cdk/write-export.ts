import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportSubject } from '#shared/export/export-items';
import type { DomainManifest } from '#shared/export/manifest';

const SESSIONS = {
  what: 'console: SESSION, FORM, ATTEMPTS, DEVICE_KEY',
  why: 'Sessions of people hold sealed credentials, and end within a day.',
};

/** Payloads are whatever the tenant announced: only the tenant knows which of them are about a person. */
const PAYLOADS = {
  what: 'Payloads in the delivery log of webhooks, lines of the audit log',
  why: 'They are kept by event and not by customer. The export of the whole tenant has them.',
};

interface ExportCall extends ExportSubject {
  /** The folder, which is made. */
  readonly out: string;
}

/**
 * Writes what each domain holds of a tenant or of a customer into a folder, and one manifest of all. Returns the number of
 * files. Throws, and leaves no folder, if they hold nothing.
 */
export async function writeExport(
  { tenant, customer, out }: ExportCall,
  domains: readonly string[],
  exported: (domain: string) => Promise<DomainManifest>,
): Promise<number> {
  mkdirSync(out, { recursive: true, mode: 0o700 });
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
  return files.length;
}
