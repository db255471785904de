/** All keys. */
import { CallRefusal } from '../endpoint/call-refusal.ts';
import type { Key } from './key.ts';

export class Keys {
  private readonly keys = new Map<string, Key>();
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

  withId(id: string): Key | undefined {
    return this.keys.get(id);
  }

  /** Finds a key by its id or ARN. */
  named(name: string): Key {
    const key = this.keys.get(name.startsWith(this.keyArn('')) ? name.slice(this.keyArn('').length) : name);
    if (key) return key;
    const isAlias = /(^|:)alias\//.test(name);
    const message = isAlias
      ? `The local cloud does not have aliases of keys: '${name}'`
      : `Key '${name}' does not exist`;
    throw new CallRefusal(400, 'NotFoundException', message);
  }
}
