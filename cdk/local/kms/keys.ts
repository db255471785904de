/** All keys and their aliases. */
import { CallRefusal } from '../endpoint/call-refusal.ts';
import type { Key } from './key.ts';

export interface Alias {
  /** With its prefix `alias/`. */
  readonly name: string;
  readonly arn: string;
  readonly keyId: string;
}

export class Keys {
  private readonly keys = new Map<string, Key>();
  private readonly aliases = new Map<string, Alias>();
  /** `arn:aws:kms:us-east-1:000000000000` */
  private readonly arnPrefix: string;

  constructor(region: string, accountId: string) {
    this.arnPrefix = `arn:aws:kms:${region}:${accountId}`;
  }

  keyArn(id: string): string {
    return `${this.arnPrefix}:key/${id}`;
  }

  add(key: Key): void {
    this.keys.set(key.settings.id, key);
  }

  addAlias(name: string, targetKey: string): void {
    this.aliases.set(name, { name, arn: `${this.arnPrefix}:${name}`, keyId: this.named(targetKey).settings.id });
  }

  /** Sorted by id. */
  all(): Key[] {
    return [...this.keys.values()].sort((a, b) => (a.settings.id < b.settings.id ? -1 : 1));
  }

  /** Sorted by name; of one key, or of all. */
  aliasesOf(key?: Key): Alias[] {
    return [...this.aliases.values()]
      .filter(({ keyId }) => key === undefined || keyId === key.settings.id)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  withId(id: string): Key | undefined {
    return this.keys.get(id);
  }

  /** By id, ARN, name of an alias or ARN of one. */
  named(name: string): Key {
    const local = name.startsWith(`${this.arnPrefix}:`) ? name.slice(this.arnPrefix.length + 1) : name;
    const key = this.keys.get(this.aliases.get(local)?.keyId ?? local.replace(/^key\//, ''));
    if (key) return key;
    const what = local.startsWith('alias/') ? `Alias ${this.arnPrefix}:${local}` : `Key '${name}'`;
    throw new CallRefusal(400, 'NotFoundException', `${what} does not exist`);
  }
}
