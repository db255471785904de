/** Which tables have point-in-time recovery switched on. Nothing is backed up here; the setting is kept and shown. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { JsonObject } from '../endpoint/json.ts';

export class ContinuousBackups {
  private readonly file: string | null;
  private readonly tables: Set<string>;

  constructor(file: string | null) {
    this.file = file;
    this.tables = new Set(file === null ? [] : read(file));
  }

  set(table: string, enabled: boolean): void {
    if (this.tables.has(table) === enabled) return;
    if (enabled) this.tables.add(table);
    else this.tables.delete(table);
    if (this.file !== null) writeFileSync(this.file, JSON.stringify([...this.tables]));
  }

  describe(table: string): JsonObject {
    const status = this.tables.has(table) ? 'ENABLED' : 'DISABLED';
    return {
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: status },
      },
    };
  }
}

function read(file: string): string[] {
  try {
    const tables: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(tables) ? tables.map(String) : [];
  } catch {
    return [];
  }
}
