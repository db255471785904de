/** npm run baseline: records templates and API contracts as those of a release, with a line in the changelog. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentPath } from '../../../functions/reference/documents/documents.ts';
import { runCommandLine } from '../../../shared/command/command.ts';
import { breakingChanges, versionFault } from '../../reference/contract/breaking-changes.ts';
import {
  type Contract,
  contractOf,
  DOCUMENT_PATHS,
  documentNow,
  recordContract,
  recordedContract,
} from '../../reference/contract/contract.ts';
import { type Baseline, baselineOf, losses, templatesOfProd } from './baseline.ts';

const FILE = join(import.meta.dirname, 'prod.json');
const CHANGELOG = join(import.meta.dirname, '..', '..', '..', '.github', 'CHANGELOG.md');
const SECTION = '## Unreleased\n\n';

await runCommandLine(
  {
    script: 'baseline',
    about: `Records what deployments of this revision will hold, and what their API promises: stateful resources and exports
of prod, and the contract of each OpenAPI document, which the next revisions must not lose. Prints what is lost beside the
last recording, and puts the sentence into the changelog.`,
    options: {},
    operands: {
      value: 'SENTENCE',
      about: 'what operators or clients have to know or to do, for the changelog',
      required: true,
    },
    example: '"The accounts table has an index by mail address."',
  },
  async ({ operands }) => {
    const folder = mkdtempSync(join(tmpdir(), 'baseline-'));
    try {
      const contracts = DOCUMENT_PATHS.map((path) => nextContract(path));
      const next = baselineOf(templatesOfProd(folder));
      for (const loss of losses(JSON.parse(readFileSync(FILE, 'utf8')) as Baseline, next)) console.log(loss);
      const changes = readFileSync(CHANGELOG, 'utf8');
      if (!changes.includes(SECTION)) throw new Error('The changelog has no section Unreleased.');
      writeFileSync(
        CHANGELOG,
        changes.replace(SECTION, () => `${SECTION}- ${operands.join(' ')}\n`),
      );
      for (const [path, contract] of contracts) recordContract(path, contract);
      writeFileSync(FILE, `${JSON.stringify(next, null, 2)}\n`);
      return 0;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

/** Returns the contract of a document, and prints what breaks beside the last recording. */
function nextContract(path: DocumentPath): [DocumentPath, Contract] {
  const [before, after] = [recordedContract(path), contractOf(documentNow(path))];
  for (const change of breakingChanges(before, after)) console.log(`${path}: ${change}`);
  const fault = versionFault(before, after);
  if (fault !== undefined) throw new Error(`${path}: ${fault}`);
  return [path, after];
}
