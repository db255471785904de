/** Reads the definition of a state machine and refuses what the interpreter would not do as AWS does. */
import { z } from 'zod';
import type { Json, JsonObject } from '../../endpoint/json.ts';
import {
  type ChoiceState,
  type MapState,
  type PassState,
  STATES,
  type SucceedState,
  type TaskState,
} from './states.ts';

/** A machine, or the item processor of a Map inside one. */
export interface Sequence {
  readonly startAt: string;
  readonly states: ReadonlyMap<string, State>;
}

export type State = PassState | TaskState | ChoiceState | SucceedState | (MapState & { readonly processor: Sequence });

const DEFINITION_BYTES_MAX = 1_048_576;

const sequence = {
  Comment: z.string().optional(),
  QueryLanguage: z.literal('JSONPath', { error: 'the local cloud has only JSONPath' }).optional(),
  StartAt: z.string(),
  States: z.record(z.string().min(1).max(80), z.looseObject({ Type: z.string() })),
};

const Machine = z.strictObject({
  ...sequence,
  Version: z.literal('1.0').optional(),
});
const Processor = z.strictObject({
  ...sequence,
  ProcessorConfig: z
    .strictObject({ Mode: z.literal('INLINE', { error: 'the local cloud has only inline maps' }).optional() })
    .optional(),
});

export function parseDefinition(text: string): Sequence {
  if (Buffer.byteLength(text) > DEFINITION_BYTES_MAX) throw new Error('The definition has more than 1 MiB.');
  const source: Json = JSON.parse(text);
  return sequenceIn(source, { schema: Machine, where: 'The state machine', names: new Set() });
}

interface Place {
  readonly schema: z.ZodType<z.output<typeof Processor>>;
  /** The name of the place in a message. */
  readonly where: string;
  /** Names of all states of the machine, which must differ. */
  readonly names: Set<string>;
}

function sequenceIn(source: Json, { schema, where, names }: Place): Sequence {
  const { StartAt: startAt, States } = checked(schema, source, where);
  const states = new Map(
    Object.entries(States).map(([name, state]) => {
      if (names.has(name)) throw new Error(`State "${name}" exists twice.`);
      names.add(name);
      return [name, stateIn(name, state as JsonObject, names)];
    }),
  );
  if (!states.has(startAt)) throw new Error(`${where}: StartAt names no state: "${startAt}".`);
  for (const [name, state] of states) {
    for (const next of successorsOf(state)) {
      if (!states.has(next)) throw new Error(`State "${name}": there is no state "${next}" to go to.`);
    }
  }
  return { startAt, states };
}

function stateIn(name: string, source: JsonObject, names: Set<string>): State {
  const { Type } = source;
  const schema =
    typeof Type === 'string' && Object.hasOwn(STATES, Type) ? STATES[Type as keyof typeof STATES] : undefined;
  const where = `State "${name}"`;
  if (!schema) throw new Error(`${where}: Type: the local cloud does not have ${JSON.stringify(Type)}.`);
  const state = checked<z.output<(typeof STATES)[keyof typeof STATES]>>(schema, source, where);
  if ('Next' in state || 'End' in state || needsSuccessor(state)) {
    const { Next, End } = state as { Next?: string; End?: boolean };
    if ((Next === undefined) === (End !== true)) throw new Error(`${where}: it needs either Next or End.`);
  }
  if (state.Type !== 'Map') return state;
  const { ItemProcessor } = state;
  return {
    ...state,
    processor: sequenceIn(ItemProcessor, { schema: Processor, where: `${where}: ItemProcessor`, names }),
  };
}

const needsSuccessor = ({ Type }: { readonly Type: keyof typeof STATES }) => Type !== 'Choice' && Type !== 'Succeed';

function successorsOf(state: State): readonly string[] {
  const caught = 'Catch' in state ? state.Catch.map(({ Next }) => Next) : [];
  const chosen =
    state.Type === 'Choice'
      ? [...state.Choices.map(({ next }) => next), ...(state.Default ? [state.Default] : [])]
      : [];
  const next = 'Next' in state && state.Next !== undefined ? [state.Next] : [];
  return [...next, ...caught, ...chosen];
}

function checked<Result>(schema: z.ZodType<Result>, source: Json, where: string): Result {
  const { data, error } = schema.safeParse(source);
  if (!error) return data;
  const problems = error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const at = [...issue.path, issue.keys.join(', ')].join('.');
      return `${at}: the local cloud does not have it`;
    }
    return [issue.path.join('.'), issue.message].filter(Boolean).join(': ');
  });
  throw new Error(`${where}: ${problems.join('; ')}.`);
}

/** The functions that a machine names outright, for the check that they exist. */
export function functionsOf(machine: Sequence): readonly string[] {
  return [...machine.states.values()].flatMap((state) => {
    if (state.Type === 'Map') return functionsOf(state.processor);
    return state.Type === 'Task' && state.Parameters.functionName !== undefined ? [state.Parameters.functionName] : [];
  });
}
