import { type Field, type FieldDeclaration, named } from './field.ts'

export interface DocumentSchema {
  readonly name: string
  /** Declared prefix; absent means that the schema's own name prefixes its fields. */
  readonly prefix?: string
  readonly fields: readonly Field[]
  /** Values may be written even on a version (`collectionMember`, `notification`). */
  readonly writableOnVersions: boolean
  /**
   * Its values are of this very document: what others do with it. Copies and versions do not take them along, and restoring a version
   * leaves them.
   */
  readonly staysBehind?: boolean
  /** Fields that are gone but that clients still send: with a fallback they read and write it, else they read null. */
  readonly removed: { readonly [field: string]: { readonly fallback?: string } }
  /** Fields that only administrators may set. */
  readonly secured: readonly string[]
  /** Fields whose text is shown as HTML: it is stored without what a browser would run. */
  readonly html: readonly HtmlField[]
}

/** A field of a schema that is shown as HTML, unless another field of the schema has one of the values. */
export interface HtmlField {
  readonly field: string
  readonly unless?: { readonly field: string; readonly is: readonly string[] }
}

export interface SchemaOptions {
  readonly prefix?: string
  readonly fields: { readonly [name: string]: FieldDeclaration }
  readonly writableOnVersions?: boolean
  readonly staysBehind?: boolean
  readonly removed?: DocumentSchema['removed']
  readonly secured?: readonly string[]
  readonly html?: readonly HtmlField[]
}

/**
 * A named group of fields that document types and facets bring to documents.
 * @example
 * const invoice = defineSchema('invoice', { prefix: 'inv', fields: { number: string(), amount: double(), due: date() } })
 */
export function defineSchema(name: string, options: SchemaOptions): DocumentSchema {
  return {
    name,
    ...(options.prefix !== undefined && { prefix: options.prefix }),
    fields: named(options.fields),
    writableOnVersions: options.writableOnVersions ?? false,
    ...(options.staysBehind && { staysBehind: true }),
    removed: options.removed ?? {},
    secured: options.secured ?? [],
    html: options.html ?? [],
  }
}

/** The prefix that properties of the schema carry in answers, queries and the store. */
export function prefixOf(schema: DocumentSchema): string {
  return schema.prefix ?? schema.name
}
