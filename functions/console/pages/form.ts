/** The fields of a submitted form (`application/x-www-form-urlencoded`). */
export class Form {
  private readonly fields: URLSearchParams;

  constructor(text = '') {
    this.fields = new URLSearchParams(text);
  }

  /** The first value of a field as it was sent; blank if there is none. Line ends are those of JSON and Unix. */
  text(name: string): string {
    return (this.fields.get(name) ?? '').replaceAll('\r\n', '\n');
  }

  /** Without blanks around it; undefined if nothing is left. */
  stated(name: string): string | undefined {
    return this.text(name).trim() || undefined;
  }

  all(name: string): readonly string[] {
    return this.fields.getAll(name);
  }

  /** A ticked box sends its value, an empty one nothing. */
  isTicked(name: string): boolean {
    return this.fields.has(name);
  }
}
