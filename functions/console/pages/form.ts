/** A file that a form has sent. */
export interface SentFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The fields of a submitted form, and its files if it has some. */
export class Form {
  private readonly fields: URLSearchParams;
  private readonly files: ReadonlyMap<string, SentFile>;

  /** @param text the fields, URL-encoded */
  constructor(text = '', files: ReadonlyMap<string, SentFile> = new Map()) {
    this.fields = new URLSearchParams(text);
    this.files = files;
  }

  /** Returns the first value of a field, or an empty text. Line ends are normalized to `
`. */
  text(name: string): string {
    return (this.fields.get(name) ?? '').replaceAll('\r\n', '\n');
  }

  /** Returns a field without surrounding spaces; undefined if nothing is left. */
  trimmed(name: string): string | undefined {
    return this.text(name).trim() || undefined;
  }

  /** Returns a file; undefined if none was chosen. */
  file(name: string): SentFile | undefined {
    return this.files.get(name);
  }

  hasFiles(): boolean {
    return this.files.size > 0;
  }

  all(name: string): readonly string[] {
    return this.fields.getAll(name);
  }

  /** Returns whether a box is checked: only a checked one sends a value. */
  isChecked(name: string): boolean {
    return this.fields.has(name);
  }

  /** Returns all fields but one, encoded as they were submitted. */
  encodedWithout(name: string): string {
    return new URLSearchParams([...this.fields].filter(([own]) => own !== name)).toString();
  }
}
