/** One secret and its versions, kept in a file that only its owner may read. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { CallRefusal } from '../endpoint/call-refusal.ts';

const Version = z.object({
  id: z.string(),
  createdAt: z.number(),
  stages: z.array(z.string()),
  text: z.string().optional(),
  /** The bytes in base64. */
  binary: z.string().optional(),
});
export type Version = z.output<typeof Version>;

const SecretFile = z.object({
  createdAt: z.number(),
  changedAt: z.number(),
  /** A hash of what the template said of the value when it last made a version. */
  declared: z.string(),
  /** The oldest first. */
  versions: z.array(Version),
});

export type SecretValue = Pick<Version, 'text' | 'binary'>;

export interface SecretSettings {
  readonly arn: string;
  readonly name: string;
  readonly description: string;
}

/** The value as the template declares it. */
export interface Declaration {
  /** Equal for equal declarations. */
  readonly text: string;
  /** Undefined leaves the secret without a value. */
  readonly value: () => string | undefined;
}

export const CURRENT = 'AWSCURRENT';
const PREVIOUS = 'AWSPREVIOUS';

/** AWS deletes versions without a stage beyond this number, except those of the last day. */
const VERSIONS_MAX = 100;
const DAY_MS = 24 * 3600 * 1000;

export class Secret {
  readonly settings: SecretSettings;
  private readonly file: string | null;
  private content: z.output<typeof SecretFile>;

  /** @param file null keeps nothing. */
  constructor(settings: SecretSettings, file: string | null, now: Date) {
    this.settings = settings;
    this.file = file;
    const fresh = { createdAt: now.getTime(), changedAt: now.getTime(), declared: '', versions: [] };
    this.content = file !== null && existsSync(file) ? SecretFile.parse(JSON.parse(readFileSync(file, 'utf8'))) : fresh;
  }

  get createdAt(): Date {
    return new Date(this.content.createdAt);
  }

  get changedAt(): Date {
    return new Date(this.content.changedAt);
  }

  get versions(): readonly Version[] {
    return this.content.versions;
  }

  withStage(stage: string): Version | undefined {
    return this.content.versions.find(({ stages }) => stages.includes(stage));
  }

  withId(id: string): Version | undefined {
    return this.content.versions.find((version) => version.id === id);
  }

  /** Makes a version when the declaration is new or has changed, as an update of the stack does. */
  declare({ text, value }: Declaration, now: Date): void {
    const declared = createHash('sha256').update(text).digest('hex');
    if (this.content.declared === declared) return;
    const made = value();
    this.change(now, (content) => {
      content.declared = declared;
      if (made !== undefined) addVersion(content, { id: randomUUID(), value: { text: made }, stages: [CURRENT] }, now);
    });
  }

  /** Returns the existing version if it has the same value; refuses if it has another value. */
  put(id: string, value: SecretValue, stages: readonly string[], now: Date): Version {
    const existing = this.withId(id);
    if (!existing) {
      this.change(now, (content) => addVersion(content, { id, value, stages }, now));
    } else if (existing.text !== value.text || existing.binary !== value.binary) {
      throw new CallRefusal(
        400,
        'ResourceExistsException',
        `You can't use ClientRequestToken ${id} because that value is already in use for a version of secret ${this.settings.arn}.`,
      );
    }
    const version = this.withId(id);
    if (!version) throw new Error(`The version ${id} was not kept.`);
    return version;
  }

  /** All or nothing: a change that could not be written to the file has no effect. */
  private change(now: Date, work: (content: z.output<typeof SecretFile>) => void): void {
    const changed = structuredClone(this.content);
    work(changed);
    changed.changedAt = now.getTime();
    if (this.file !== null) {
      mkdirSync(dirname(this.file), { recursive: true });
      writeFileSync(`${this.file}.new`, JSON.stringify(changed), { mode: 0o600 });
      renameSync(`${this.file}.new`, this.file);
    }
    this.content = changed;
  }
}

interface NewVersion {
  readonly id: string;
  readonly value: SecretValue;
  readonly stages: readonly string[];
}

function addVersion({ versions }: z.output<typeof SecretFile>, { id, value, stages }: NewVersion, now: Date): void {
  makeRoom(versions, now);
  const added: Version = { id, createdAt: now.getTime(), stages: [], ...value };
  // The first version of a secret is the current one, whatever stages the caller names.
  const newStages = versions.length === 0 ? [...new Set([...stages, CURRENT])] : stages;
  versions.push(added);
  for (const stage of newStages) {
    const before = moveStage(versions, stage, added);
    if (stage === CURRENT && before) moveStage(versions, PREVIOUS, before);
  }
}

/** The version that had the stage before. */
function moveStage(versions: readonly Version[], stage: string, to: Version): Version | undefined {
  const from = versions.find(({ stages }) => stages.includes(stage));
  if (from) from.stages = from.stages.filter((one) => one !== stage);
  to.stages.push(stage);
  return from;
}

function makeRoom(versions: Version[], now: Date): void {
  while (versions.length >= VERSIONS_MAX) {
    const outdated = versions.findIndex(
      ({ stages, createdAt }) => stages.length === 0 && createdAt < now.getTime() - DAY_MS,
    );
    if (outdated < 0) {
      throw new CallRefusal(400, 'LimitExceededException', `A secret has at most ${VERSIONS_MAX} versions.`);
    }
    versions.splice(outdated, 1);
  }
}
