/** The fields of a submitted form (`application/x-www-form-urlencoded`). */
export class Form {
  private readonly fields: URLSearchParams;

  constructor(text = '') {
    this.fields = new URLSearchParams(text);
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
