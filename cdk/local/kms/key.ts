/** One key: what its template says of it, and its material. The material is kept in a file that only its owner may read. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { decrypted, encrypted, materialOf } from './ciphertext.ts';
import type { EncryptionContext } from './encryption-context.ts';

const KeyFile = z.object({
  /** The oldest first: a version is named by its place. */
  versions: z.array(z.object({ material: z.base64(), createdAt: z.number() })).min(1),
});
type Version = z.output<typeof KeyFile>['versions'][number];

export interface KeySettings {
  /** A UUID. */
  readonly id: string;
  readonly arn: string;
  readonly enabled: boolean;
  /** null leaves the material as it is. */
  readonly rotationDays: number | null;
}

const DAY_MS = 24 * 3600 * 1000;

export class Key {
  readonly settings: KeySettings;
  private readonly file: string | null;
  private readonly versions: Version[];

  /** @param file null keeps nothing. */
  constructor(settings: KeySettings, file: string | null, now: Date) {
    this.settings = settings;
    this.file = file;
    const saved = file !== null && existsSync(file) ? KeyFile.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
    this.versions = saved?.versions ?? [];
    if (!saved) this.renew(now);
  }

  /** The time at which the material is renewed; undefined without rotation. */
  get nextRotation(): Date | undefined {
    const { rotationDays } = this.settings;
    return rotationDays === null ? undefined : new Date(this.newest().createdAt + rotationDays * DAY_MS);
  }

  encrypt(plaintext: Buffer, context: EncryptionContext, now: Date): Buffer {
    if (this.nextRotation && this.nextRotation <= now) this.renew(now);
    const name = { keyId: this.settings.id, version: this.versions.length - 1 };
    return encrypted({ name, material: Buffer.from(this.newest().material, 'base64') }, plaintext, context);
  }

  /** Undefined when this is not what the key encrypted with this context. */
  decrypt(blob: Buffer, context: EncryptionContext): Buffer | undefined {
    const version = this.versions[materialOf(blob)?.version ?? -1];
    return version && decrypted(blob, Buffer.from(version.material, 'base64'), context);
  }

  private newest(): Version {
    const newest = this.versions.at(-1);
    if (!newest) throw new Error(`The key ${this.settings.id} has no material.`);
    return newest;
  }

  /** Older versions stay, because they decrypt what they encrypted. */
  private renew(now: Date) {
    this.versions.push({ material: randomBytes(32).toString('base64'), createdAt: now.getTime() });
    if (this.file === null) return;
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(`${this.file}.new`, JSON.stringify({ versions: this.versions }), { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }
}
