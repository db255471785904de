import type { ComponentChildren } from 'preact';
import type { SchemaView } from './document-view.ts';
import { Inline } from './layout.tsx';

/** The members of a schema as a table; what it is, for a schema without members. */
export function SchemaFields({ schema }: { readonly schema: SchemaView }) {
  const members = Object.entries(schema.properties ?? {}).filter(([, { readOnly = false }]) => !readOnly);
  if (members.length === 0) {
    return (
      <p>
        <Kind schema={schema} />
      </p>
    );
  }
  return (
    <table class="fields">
      <tbody>
        {members.map(([name, member]) => (
          <Field key={name} name={name} schema={member} isRequired={schema.required?.includes(name) ?? false} />
        ))}
      </tbody>
    </table>
  );
}

interface FieldProps {
  readonly name: string;
  readonly schema: SchemaView;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
}

export function Field({ name, schema, isRequired, description = schema.description }: FieldProps) {
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
        {isRequired && <span class="must">required</span>}
      </th>
      <td>
        <span class="kind">
          <Kind schema={schema} />
        </span>
        {description !== undefined && (
          <div>
            <Inline text={description} />
          </div>
        )}
        {schema.properties && <SchemaFields schema={schema} />}
        {schema.items?.properties && <SchemaFields schema={schema.items} />}
      </td>
    </tr>
  );
}

/** The description of a value in words: its type, bounds and values. */
function Kind({ schema }: { readonly schema: SchemaView }): ComponentChildren {
  const { $ref, items, additionalProperties, const: only } = schema;
  if ($ref !== undefined) return <SchemaLink name={$ref.split('/').at(-1) ?? ''} />;
  const options = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (options) return options.map((one, index) => [index > 0 && ' or ', <Kind key={index} schema={one} />]);
  if (items) return ['list of ', <Kind key="items" schema={items} />];
  if (only !== undefined) return <code>{JSON.stringify(only)}</code>;
  if (typeof additionalProperties === 'object')
    return ['object of ', <Kind key="values" schema={additionalProperties} />];
  return `${KINDS[schema.type ?? ''] ?? 'any JSON'}${boundsOf(schema)}`;
}

const SchemaLink = ({ name }: { readonly name: string }) => <a href={`#schema-${name}`}>{name}</a>;

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  object: 'object',
  array: 'list',
  null: 'null',
};

function boundsOf(schema: SchemaView): string {
  const { format, minimum, maximum, maxLength, default: preset } = schema;
  const facts = [
    ...(format !== undefined && format !== 'int64' ? [format] : []),
    ...(minimum !== undefined || maximum !== undefined ? [`${minimum ?? '…'} to ${maximum ?? '…'}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(schema.enum ? [schema.enum.map(String).join(', ')] : []),
    ...(preset === undefined ? [] : [`default ${JSON.stringify(preset)}`]),
  ];
  return facts.length > 0 ? ` (${facts.join('; ')})` : '';
}
