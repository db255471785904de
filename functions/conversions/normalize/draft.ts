import { isFree } from '../fields/context.ts';
import type { JsonObject } from '../items/caller-record.ts';
import { type Cause, type Findings, sameJson, type UnresolvedValue } from './findings.ts';

/** A segment of a JSON pointer, with its slash. */
export const segment = (name: string | number): string =>
  `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** An object of the record during normalization. Every change is recorded in the findings. */
export class Draft {
  readonly path: string;
  readonly findings: Findings;
  /** A map, because members may be named `__proto__`. */
  readonly #members: Map<string, unknown>;

  constructor(object: JsonObject, path: string, findings: Findings) {
    this.path = path;
    this.findings = findings;
    this.#members = new Map(Object.entries(object));
  }

  get names(): string[] {
    return [...this.#members.keys()];
  }

  readonly get = (name: string): unknown => this.#members.get(name);

  /** The text of a member; undefined if it is no text, or empty. */
  text(name: string): string | undefined {
    const value = this.get(name);
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  }

  /** Returns whether a member is free: absent, null or empty text. */
  isFree(name: string): boolean {
    return isFree(this.get(name));
  }

  /** Sets a member; a new one is inserted after the member `after`. */
  set(name: string, to: unknown, cause: Cause, after?: string): void {
    const isNew = !this.#members.has(name);
    const from = this.get(name);
    if (!isNew && sameJson(from, to)) return;
    this.findings.changed({ path: this.path + segment(name), ...(isNew ? {} : { from }), to, ...cause });
    this.put(name, to, after);
  }

  /** Sets a value whose changes have been recorded at a deeper level. */
  put(name: string, value: unknown, after?: string): void {
    const follow = after !== undefined && !this.#members.has(name) ? this.#takeAfter(after) : [];
    this.#members.set(name, value);
    for (const [each, its] of follow) this.#members.set(each, its);
  }

  #takeAfter(name: string): [string, unknown][] {
    const entries = [...this.#members];
    const follow = entries.slice(entries.findIndex(([each]) => each === name) + 1);
    for (const [each] of follow) this.#members.delete(each);
    return follow;
  }

  leave(name: string, unresolved: Omit<UnresolvedValue, 'path'>): void {
    this.findings.leave(this.path + segment(name), unresolved);
  }

  toObject(): JsonObject {
    return Object.fromEntries(this.#members);
  }
}
