import type { Operation } from '#shared/http/operation';
import type { Components, Json } from './components.ts';

/** Operations that readers find together. */
export interface Group {
  /** The tag in the document, such as `Rules`. */
  readonly tag: string;
  readonly description: string;
  readonly operations: Readonly<Record<string, Operation>>;
}

/** An error that operations answer with: its media type and its body. */
export interface ErrorShape {
  readonly mediaType: string;
  readonly schema: (components: Components, status: number) => Json;
  /** The code in the body of an error. @default its member `code` */
  readonly codeOf?: (body: Json) => unknown;
  /** The member by which an error differs from an answer of the same status. @default no status has both */
  readonly discriminator?: { readonly propertyName: string; readonly answer: string; readonly error: string };
}

/** One public interface: who calls it, and what all its operations have in common. */
export interface Interface {
  readonly title: string;
  /**
   * The version of its contract, as `info.version`: additions raise the second number, breaking changes the first. A test
   * compares it with the last recording (`test/reference/contract`).
   */
  readonly version: string;
  /** Paragraphs for readers before their first request, with code in backticks. */
  readonly description: string;
  /** The beginnings of its paths. */
  readonly prefixes: readonly string[];
  readonly securitySchemes: Json;
  /** The ways to authenticate, of which one is enough. */
  readonly security: readonly Json[];
  /** The codes of the errors that an operation can have by what it takes, by status. */
  readonly errorsOf: (operation: Operation) => Readonly<Record<number, readonly string[] | undefined>>;
  readonly error: ErrorShape;
  /** The meanings of errors, by status, for an interface that does not show the codes. */
  readonly errorMeanings?: Readonly<Record<number, string>>;
  /** Headers of the errors with a status, each with what it says. */
  readonly errorHeaders: (status: number, operation: Operation) => Readonly<Record<string, string>>;
  /** Errors that the gateway answers itself, by status, in its own shape. */
  readonly gateway: readonly number[];
  /** Headers of every answer that is no error, each with what it says. */
  readonly headers: Readonly<Record<string, string>>;
  /** More headers of an operation's answers that are no error. @default none */
  readonly ownHeaders?: (operation: Operation) => Readonly<Record<string, string>>;
  /** True if an empty query parameter counts as absent. @default false */
  readonly ignoresEmpty?: boolean;
  /** Parameters that every operation takes. */
  readonly parameters?: (operation: Operation) => readonly Json[];
}
