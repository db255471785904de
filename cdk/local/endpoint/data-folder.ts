/** The folder that holds the state of one local cloud, and only one at a time. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export class DataFolder {
  readonly path: string;
  private readonly lock: DatabaseSync;

  private constructor(path: string, lock: DatabaseSync) {
    this.path = path;
    this.lock = lock;
  }

  /** Throws when another endpoint, in this process or another, works in the folder. */
  static take(path: string): DataFolder {
    mkdirSync(path, { recursive: true });
    const owner = join(path, 'owner.txt');
    // The operating system drops this lock with its process, however that ends; a file with a process id would stay.
    const lock = new DatabaseSync(join(path, 'lock.db'), { timeout: 0 });
    try {
      lock.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      lock.close();
      throw new Error(`${path} is in use by ${ownerIn(owner)}. Stop it, or choose another data folder.`, {
        cause: error,
      });
    }
    writeFileSync(owner, `process ${process.pid}`);
    // Engines run in folders of their own and must find this one all the same.
    return new DataFolder(resolve(path), lock);
  }

  file(name: string): string {
    return join(this.path, name);
  }

  release(): void {
    this.lock.close();
  }
}

function ownerIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return 'another process';
  }
}
