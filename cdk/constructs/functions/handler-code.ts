import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Code, type CodeConfig } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { isLocal } from '../../settings.ts';
import { cachedBundle, sourcesDigest, withPackages } from '../bundling/bundle.ts';
import { localParameter } from './local-parameter.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const BUNDLES = join(ROOT, 'node_modules', '.cache', 'bundles');

interface HandlerCode {
  readonly code: Code;
  /** The handler as Lambda names it: a file of the code and its export. */
  readonly handler: string;
}

/** The code of `functions/<name>.handler.ts`. */
export function handlerCode(scope: Construct, name: string): HandlerCode {
  const entry = join(ROOT, 'functions', `${name}.handler.ts`);
  if (!existsSync(entry)) throw new Error(`There is no handler ${entry}.`);
  if (isLocal(scope)) return { code: new LocalCode(), handler: `${name}.handler` };
  // The CDK wants no bundling where nothing is uploaded, such as for `cdk destroy`.
  const folder = Stack.of(scope).bundlingRequired ? deployedBundle(entry, name) : dirname(entry);
  return { code: Code.fromAsset(folder), handler: 'index.handler' };
}

let sources: string | undefined;

function deployedBundle(entry: string, name: string): string {
  sources ??= sourcesDigest(ROOT);
  return withPackages(cachedBundle(entry, { bundles: join(BUNDLES, name), sources }));
}

/**
 * A folder with the bundles of all functions, which a local run names when it starts: new code needs no new template.
 */
class LocalCode extends Code {
  readonly isInline = false;

  override bind(scope: Construct): CodeConfig {
    return { s3Location: { bucketName: 'local', objectKey: localParameter(scope, 'FunctionsFolder', '') } };
  }
}
