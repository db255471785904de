import { createHmac } from 'node:crypto';
import type { Scope } from './claim.ts';

const CACHED_MAX = 1000;

/** Derives signing keys. A day's key serves thousands of calls, so the last ones are remembered. */
export class SigningKeys {
  private readonly cache = new Map<string, Buffer>();

  of(secretAccessKey: string, { date, region, service }: Scope): Buffer {
    const name = [secretAccessKey, date, region, service].join('\n');
    const cached = this.cache.get(name);
    if (cached) return cached;
    const key = [region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${secretAccessKey}`, date));
    if (this.cache.size >= CACHED_MAX) this.cache.clear();
    this.cache.set(name, key);
    return key;
  }
}

export function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
