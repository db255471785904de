/** The contract between the deployment and the services that make resources. */
import type { z } from 'zod';
import type { Place } from '../assembly/physical-names.ts';

/** A resource of a template, all functions resolved. */
export interface DeclaredResource extends Place {
  readonly type: string;
  /** The path of its construct, or its logical id. */
  readonly path: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The folder of an asset of this resource's stack. */
  readonly assetFolder: (objectKey: string) => string;
}

/** The results of `Ref` and `Fn::GetAtt` for a resource. */
export interface Provisioned {
  readonly ref: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

export type Provision = (resource: DeclaredResource) => Provisioned | Promise<Provisioned>;

export interface ResourceFamily {
  readonly types: Readonly<Record<string, Provision>>;
  /** Runs when all resources of all stacks exist. It makes the checks that need all of them, and starts work. */
  start?(): void | Promise<void>;
  /** Accepts no new work and resolves when the work in progress is done. */
  stop?(): Promise<void>;
}

/** Returns the checked properties of a resource. A property that the local cloud does not have is refused, not ignored. */
export function propertiesOf<Schema extends z.ZodType>(resource: DeclaredResource, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(resource.properties);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${[...issue.path, key].join('.')}: the local cloud does not have it`)
      : [`${issue.path.join('.') || 'properties'}: ${issue.message}`],
  );
  throw new Error(`The local cloud cannot run this as it is declared. ${issues.join('. ')}.`);
}
