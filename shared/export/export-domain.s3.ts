import { S3Client } from '@aws-sdk/client-s3';
import { type Deployment, findDeployment } from '#shared/command/deployment.cloudformation';
import { dynamoDbClient } from '#shared/table/table.dynamodb';
import { bucketObjects } from './bucket-objects.s3.ts';
import { ExportFolder } from './export-folder.ts';
import { type ExportSubject, exportItems, lineOf } from './export-items.ts';
import type { DomainManifest } from './manifest.ts';
import type { StoredKinds } from './stored-kinds.ts';
import { tablePages } from './table-pages.dynamodb.ts';

export interface ExportedDomain {
  readonly name: string;
  /** The output of the data stack that names its table. */
  readonly table: string;
  readonly kinds: StoredKinds<string>;
  /** The bucket with objects of tenants, and the prefixes under which those of the subject stand. @default none */
  readonly objects?: {
    readonly bucket: string;
    readonly prefixes: (subject: ExportSubject, partitions: ReadonlySet<string>) => Iterable<string>;
  };
  /** Returns the data that is in no table: lines of files by their names. @default nothing */
  readonly others?: (deployment: Deployment, subject: ExportSubject) => AsyncIterable<OtherLine>;
}

export interface OtherLine {
  readonly file: string;
  readonly line: object;
}

interface ExportCall extends ExportSubject {
  readonly out: string;
  readonly stage: string | undefined;
}

/** Writes what a domain holds of a tenant or of a customer below the folder `out`. */
export async function exportDomain(domain: ExportedDomain, { out, stage, ...subject }: ExportCall) {
  const deployment = await findDeployment(stage);
  const table = { name: deployment.output(domain.table), client: dynamoDbClient(deployment.client) };
  const folder = new ExportFolder(out, domain.name);
  const partitions = await exportItems(
    {
      kinds: domain.kinds,
      pages: () => tablePages(table),
      write: (file, item) => folder.line(file, lineOf(item)),
    },
    subject,
  );
  for await (const { file, line } of domain.others?.(deployment, subject) ?? []) await folder.line(file, lineOf(line));
  if (domain.objects) {
    const s3 = new S3Client({ ...deployment.client, forcePathStyle: true });
    const prefixes = domain.objects.prefixes(subject, partitions);
    for await (const { key, body } of bucketObjects(s3, deployment.output(domain.objects.bucket), prefixes)) {
      await folder.object(key, body);
    }
  }
  const manifest: DomainManifest = { files: [...(await folder.close())], leftOut: leftOutOf(domain) };
  return manifest;
}

const leftOutOf = ({ name, kinds }: ExportedDomain) =>
  Object.entries(kinds).flatMap(([prefix, kind]) => {
    if ('file' in kind) return [];
    const why = 'leftOut' in kind ? kind.leftOut : kind.ownerless;
    return [{ what: `${name}: ${prefix.replace(/#$/, '')}`, why }];
  });
