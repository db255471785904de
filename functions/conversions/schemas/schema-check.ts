// Node and the bundler agree only on the default exports of CommonJS packages.
import ajv2020, { type Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import { ItemRefusal } from '../items/item-refusal.ts';
import { type VettedSchema, vettedSchema } from './caller-schema.ts';
import type { Issue } from './issues.ts';
import { patternOf } from './pattern.ts';
import { plainJson, SchemaFault } from './plain-json.ts';
import { schemaIssues } from './schema-issues.ts';
import { boundSteps } from './schema-steps.ts';

/** Compiled schemas by their text: a batch, and a caller, mostly send the same schema. */
const compiled = new LRUCache<string, ValidateFunction>({ max: 32 });

/** Checks a record by the caller's schema. Its steps are counted beforehand, so no timeout is needed. */
export function checkSchema(record: unknown, schema: unknown): readonly Issue[] {
  try {
    const vetted = vettedSchema(schema);
    const plain = plainJson(record);
    boundSteps(vetted, plain);
    return schemaIssues(errorsOf(vetted, plain));
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error;
    throw new ItemRefusal('schema-invalid', error.message, { pointer: `/schema${error.pointer}` });
  }
}

function errorsOf(vetted: VettedSchema, record: unknown): readonly ErrorObject[] {
  try {
    const validate = compiledSchema(vetted);
    return validate(record) ? [] : (validate.errors ?? []);
  } catch (error) {
    if (error instanceof RangeError) throw new SchemaFault('', 'The schema is nested too deeply for this record.');
    throw new SchemaFault('', `The schema cannot be used: ${(error as Error).message}.`);
  }
}

function compiledSchema({ root, targets }: VettedSchema): ValidateFunction {
  const key = JSON.stringify([root, ...targets]);
  const cached = compiled.get(key);
  if (cached) return cached;
  const fresh = newAjv().compile(typeof root === 'boolean' ? root : { ...root, $defs: Object.fromEntries(targets) });
  compiled.set(key, fresh);
  return fresh;
}

/** Compiled schemas live longer than their patterns, which take more memory, so each use looks the patterns up again. */
const linearPattern = (source: string) => ({
  test: (text: string) => patternOf(source).test(text),
  toString: () => source,
});

function newAjv(): Ajv2020 {
  const ajv = new ajv2020.Ajv2020({
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    strict: false,
    strictNumbers: true,
    allErrors: true,
    $data: false,
    ownProperties: true,
    // Inlining would multiply the code by the number of references.
    inlineRefs: false,
    logger: false,
    multipleOfPrecision: 9,
    code: { optimize: false, regExp: Object.assign(linearPattern, { code: 'linearPattern' }) },
  });
  formats.default(ajv, { mode: 'full' });
  // The expression of ajv-formats backtracks over text like "http://::::::".
  ajv.addFormat('url', (text: string) => /^(?:https?|ftp):\/\//i.test(text) && URL.canParse(text));
  return ajv;
}
