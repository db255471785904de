/** One step in progress: the execution that it changes, the events that it records, and shared helpers. */
import type { Json, JsonObject } from '../../endpoint/json.ts';
import type { Sequence, State } from '../language/definition.ts';
import type { Scope } from '../language/scope.ts';
import { StateError } from '../language/state-error.ts';
import type { Execution, Frame, HistoryEvent } from './execution.ts';

export interface Surroundings {
  readonly now: number;
  readonly random: () => number;
  readonly newToken: () => string;
}

export const EVENTS_MAX = 25_000;

/** The history is full. */
export class HistoryFull extends Error {}

export class Run {
  readonly definition: Sequence;
  readonly execution: Execution;
  readonly around: Surroundings;
  readonly events: HistoryEvent[] = [];

  constructor(definition: Sequence, execution: Execution, around: Surroundings) {
    this.definition = definition;
    this.execution = execution;
    this.around = around;
  }

  /** Records an event of a sequence, or of the execution when there is no frame. */
  record(frame: Frame | null, type: string, details: JsonObject = {}): void {
    // One event is reserved for the end of the execution.
    if (frame && this.execution.lastEvent >= EVENTS_MAX - 1) throw new HistoryFull();
    const id = ++this.execution.lastEvent;
    const previousEventId = frame ? frame.lastEvent : id - 1;
    this.events.push({ id, previousEventId, type, at: this.around.now, details });
    if (frame) frame.lastEvent = id;
  }

  stateOf(frame: Frame): State {
    let sequence: Sequence = this.definition;
    for (const name of frame.location) {
      const outer = sequence.states.get(name);
      if (outer?.Type !== 'Map') throw new Error(`The definition has no Map ${name}.`);
      sequence = outer.processor;
    }
    const state = sequence.states.get(frame.state);
    if (!state) throw new Error(`The definition has no state ${frame.state}.`);
    return state;
  }

  frame(id: number | null): Frame | undefined {
    return this.execution.frames.find((one) => one.id === id);
  }

  add(frame: Omit<Frame, 'id'>): Frame {
    const added = { ...frame, id: ++this.execution.lastFrame };
    this.execution.frames.push(added);
    return added;
  }

  /** Removes a sequence and all inside it. */
  remove(frame: Frame): void {
    for (const child of this.childrenOf(frame)) this.remove(child);
    this.execution.frames = this.execution.frames.filter(({ id }) => id !== frame.id);
  }

  childrenOf(frame: Frame): readonly Frame[] {
    return this.execution.frames.filter(({ parent }) => parent === frame.id);
  }

  scope(frame: Frame, input: Json, more: JsonObject = {}): Scope {
    return { input, context: { ...this.contextOf(frame), ...more } };
  }

  private contextOf(frame: Frame): JsonObject {
    const { identity } = this.execution;
    const item = this.itemAround(frame);
    return {
      Execution: {
        Id: identity.arn,
        Input: identity.input,
        Name: identity.name,
        RoleArn: identity.roleArn,
        StartTime: new Date(identity.startedAt).toISOString(),
        RedriveCount: 0,
      },
      StateMachine: { Id: identity.machineArn, Name: identity.machineName },
      State: {
        Name: frame.state,
        EnteredTime: new Date(frame.enteredAt).toISOString(),
        RetryCount: frame.retryCount,
      },
      ...(item && { Map: { Item: { Index: item.index, Value: item.value } } }),
    };
  }

  private itemAround(frame: Frame): Frame['item'] {
    const outer = frame.parent === null ? undefined : this.frame(frame.parent);
    return frame.item ?? (outer ? this.itemAround(outer) : null);
  }
}

/** Reports a fault in evaluating a state that has no other error name. */
export function orRuntimeError<T>(frame: Frame, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof StateError || error instanceof HistoryFull) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const cause = `An error occurred while executing the state '${frame.state}' (entered at the event id #${frame.lastEvent}). ${reason}`;
    throw new StateError('States.Runtime', cause);
  }
}
