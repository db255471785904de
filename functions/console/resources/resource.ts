import * as z from 'zod/mini';
import { type PageRequest, screenPath } from '../pages/screen.ts';
import { type FormField, type FormSection, fieldsIn } from './form-fields.ts';

/** A kind of thing that people list, create, change and delete, by the management API. */
export interface Resource<Item extends object> {
  /** The path of the screens below the tenant. */
  readonly path: string;
  readonly apiPath: string;
  readonly title: string;
  /** The name of one, such as `ad unit`. */
  readonly one: string;
  readonly lead: string;
  /** The labels of the form for a new one and of its button. @default `New rule`, `Create` */
  readonly creation?: { readonly title: string; readonly button: string };
  readonly answer: z.ZodMiniType<Item>;
  readonly idOf: (item: Item) => string;
  readonly nameOf: (item: Item) => string;
  readonly sections: readonly FormSection[];
  /** The fields that error codes of the API refer to. */
  readonly codes?: Readonly<Record<string, string>>;
  /** True if a change states the revision that it is based on. */
  readonly hasRevision?: boolean;
  /** The consequences of a deletion. */
  readonly deletion: string;
}

export const creationOf = ({ one, creation }: Pick<Resource<never>, 'one' | 'creation'>) =>
  creation ?? { title: `New ${one}`, button: 'Create' };

export const articleOf = (one: string): string => (/^[aeiou]/.test(one) ? 'an' : 'a');

type OfTenant = Pick<PageRequest, 'tenant'>;
type Paths = Pick<Resource<never>, 'path' | 'apiPath'>;

export const listPath = (
  request: OfTenant,
  { path }: Pick<Paths, 'path'>,
  query: Record<string, string | undefined> = {},
) => screenPath(request, path, query);

/** The path of the form for a new one. No id is `-`. */
export const newPath = (request: OfTenant, { path }: Pick<Paths, 'path'>) => screenPath(request, `${path}/-/new`);

export const itemPath = (request: OfTenant, { path }: Pick<Paths, 'path'>, id: string) =>
  screenPath(request, `${path}/${encodeURIComponent(id)}`);

export const apiItemPath = ({ apiPath }: Pick<Paths, 'apiPath'>, id: string | undefined) =>
  `${apiPath}/${encodeURIComponent(id ?? '')}`;

export const storedItem = <Item extends object>({ management, path }: PageRequest, resource: Resource<Item>) =>
  management.get(apiItemPath(resource, path['id']), resource.answer);

export const allFields = ({ sections }: Pick<Resource<never>, 'sections'>): readonly FormField[] => fieldsIn(sections);

/** The sections of the form that changes one, without what never changes. */
export const changingSections = ({ sections }: Pick<Resource<never>, 'sections'>): readonly FormSection[] =>
  sections.map(({ rows, ...section }) => ({
    ...section,
    rows: rows.filter((row) => !('name' in row && row.isFinal)),
  }));

export const pageOf = <Item extends object>({ answer }: Resource<Item>) =>
  z.object({ items: z.array(answer), nextCursor: z.optional(z.string()) });
