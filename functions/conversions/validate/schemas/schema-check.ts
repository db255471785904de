import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { ItemRefusal } from '../../items/item-refusal.ts';
import { runFor, TIMED_OUT } from './bounded-run.ts';
import { type VettedSchema, vettedSchema } from './caller-schema.ts';
import type { Issue } from './issues.ts';
import { plainJson, SchemaFault } from './plain-json.ts';
import { schemaIssues } from './schema-issues.ts';
import { boundSteps } from './schema-steps.ts';

const COMPILE_MILLISECONDS = 1_000;
const RUN_MILLISECONDS = 100;

/** Compiled schemas by their text: a batch, and a caller, mostly send the same one. */
const compiled = new LRUCache<string, ValidateFunction>({ max: 32 });

/** What a caller's own schema says of a record. */
export async function checkSchema(record: unknown, schema: unknown): Promise<readonly Issue[]> {
  try {
    const vetted = vettedSchema(schema);
    const plain = plainJson(record);
    boundSteps(vetted, plain);
    const validate = await compiledSchema(vetted);
    const errors = bounded(RUN_MILLISECONDS, () => (validate(plain) ? [] : (validate.errors ?? [])));
    return schemaIssues(errors as readonly ErrorObject[]);
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error;
    throw new ItemRefusal('schema-invalid', error.message, { pointer: `/schema${error.pointer}` });
  }
}

async function compiledSchema(vetted: VettedSchema): Promise<ValidateFunction> {
  const key = JSON.stringify([vetted.root, ...vetted.targets]);
  const known = compiled.get(key);
  if (known) return known;
  const newInstance = await ajvFor(vetted);
  const whole =
    typeof vetted.root === 'boolean' ? vetted.root : { ...vetted.root, $defs: Object.fromEntries(vetted.targets) };
  const fresh = bounded(COMPILE_MILLISECONDS, () => newInstance().compile(whole));
  compiled.set(key, fresh);
  return fresh;
}

/** Makes instances for one schema, since one that was interrupted cannot be used again. */
async function ajvFor({ patterns }: VettedSchema): Promise<() => Ajv2020> {
  // Only the default export of a CommonJS package is the same in Node and in a bundle.
  const [{ default: ajv2020 }, { default: formats }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
  ]);
  const vettedPattern = (source: string, flags: string) => {
    if (!patterns.has(source)) throw new Error('A pattern reached ajv that was not vetted.');
    return new RegExp(source, flags);
  };
  return () => {
    const ajv = new ajv2020.Ajv2020({
      meta: false,
      validateSchema: false,
      addUsedSchema: false,
      strict: false,
      strictNumbers: true,
      allErrors: true,
      $data: false,
      ownProperties: true,
      // To inline would multiply the code by the references.
      inlineRefs: false,
      logger: false,
      multipleOfPrecision: 9,
      code: { optimize: false, regExp: Object.assign(vettedPattern, { code: 'new RegExp' }) },
    });
    formats.default(ajv, { mode: 'full' });
    // The expression of ajv-formats backtracks over text like "http://::::::".
    ajv.addFormat('url', (text: string) => /^(?:https?|ftp):\/\//i.test(text) && URL.canParse(text));
    return ajv;
  };
}

function bounded<Result>(milliseconds: number, work: () => Result): Result {
  try {
    const result = runFor(milliseconds, work);
    if (result !== TIMED_OUT) return result;
  } catch (error) {
    if (error instanceof RangeError) throw new SchemaFault('', 'The schema is nested too deeply for this record.');
    throw new SchemaFault('', `The schema cannot be used: ${(error as Error).message}.`);
  }
  throw new SchemaFault('', 'The schema takes too long for this record. Make its patterns and alternatives simpler.');
}
