/** Mails end here instead of at their recipients. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Mail {
  readonly messageId: string;
  readonly sentAt: Date;
  /** Addresses without names. */
  readonly from: string;
  readonly recipients: readonly string[];
  readonly subject: string;
  /** Undefined when the mail has no such part. */
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  readonly raw: Buffer;
}

/** The limit of mails in memory. Files are never deleted. */
const MAILS_MAX = 1000;

export class Outbox {
  private readonly folder: string | null;
  private sent: readonly Mail[] = [];

  /** @param folder null keeps mails in memory only. */
  constructor(folder: string | null) {
    this.folder = folder;
  }

  /** The mails of this run, the oldest first. */
  get mails(): readonly Mail[] {
    return this.sent;
  }

  add(mail: Mail): void {
    if (this.folder !== null) this.write(this.folder, mail);
    this.sent = [...this.sent, mail].slice(-MAILS_MAX);
  }

  /** Blind copies are seen in the envelope only, so the file begins with that. Only the owner may read the links in it. */
  private write(folder: string, { messageId, from, recipients, raw }: Mail): void {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${messageId}.eml`);
    const envelope = `X-Envelope-From: ${from}\r\nX-Envelope-To: ${recipients.join(', ')}\r\n`;
    writeFileSync(`${file}.new`, Buffer.concat([Buffer.from(envelope), raw]), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
}
